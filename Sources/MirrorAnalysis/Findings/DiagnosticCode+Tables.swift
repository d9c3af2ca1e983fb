// Codes about HTML: tables and forms. The texts describe the repairs of the HTML standard.
// `DiagnosticCode.groups` contains these codes.

extension DiagnosticCode {
  static let tables: [DiagnosticCode] = [
    DiagnosticCode(
      "foster-parented", .markup, "Content directly in a table",
      "Browsers move it before the table. A change there makes the mirror morph the whole page.",
      example: "`<table><p>a</p></table>`",
      remedy: "Put the content into a `<td>` or `<caption>`, or before the table."),
    DiagnosticCode(
      "missing-row", .markup, "A cell without a row",
      "Browsers insert a `<tr>`.",
      example: "`<table><tbody><td>a</td></tbody></table>`",
      remedy: "Write the `<tr>`."),
    DiagnosticCode(
      "nested-table", .markup, "A table begins directly in a table",
      "Browsers close the outer table first, so the inner one follows it.",
      example: "`<table><table></table></table>`",
      remedy: "Put the inner table into a cell."),
    DiagnosticCode(
      "form-in-table", .markup, "A form directly in a table",
      "Browsers keep an empty `<form>`, so `phx-change` and `phx-submit` may not reach the fields.",
      example: "`<table><form></form></table>`",
      remedy: "Put the form around the table or into a cell, or use the `form` attribute of the fields."),
    DiagnosticCode(
      "hidden-input-in-table", .markup, "A hidden input directly in a table",
      "Browsers leave it there, but it is invalid.",
      example: #"`<table><input type="hidden"></table>`"#,
      remedy: "Put it into a cell or before the table."),
    DiagnosticCode(
      "nested-select", .markup, "A `<select>` begins inside a `<select>`",
      "Browsers close the open one and ignore the second start tag.",
      example: "`<select><select></select></select>`",
      remedy: "Close the first `<select>`."),
    DiagnosticCode(
      "input-in-select", .markup, "An input inside a `<select>`",
      "Browsers close the `<select>` first, and its later options are lost.",
      example: "`<select><input><option>a</option></select>`",
      remedy: "Put the input behind the `</select>`."),
  ]
}
