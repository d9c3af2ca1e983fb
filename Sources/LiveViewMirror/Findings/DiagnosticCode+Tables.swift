// Codes about HTML: tables and forms. The texts describe the repairs of the HTML standard.

extension DiagnosticCode {
  static let tables: [DiagnosticCode] = [
    DiagnosticCode(
      "foster-parented", .markup, "Content directly in a table",
      """
      A table, its body and its rows may only contain parts of tables. Browsers move other elements and \
      texts before the table.
      """,
      effect:
        """
        The content is not where the template has it, and a later patch of that place has no simple target: \
        the mirror then morphs the whole page.
        """,
      remedy: "Put the content into a `<td>` or `<caption>`, or before the table."),
    DiagnosticCode(
      "missing-row", .markup, "A cell without a row",
      "A `<td>` or `<th>` is directly in a table body. Browsers insert a `<tr>`.",
      effect:
        """
        The tree differs from the template, so CSS selectors, hooks and subscribers meet elements where \
        nobody wrote them.
        """,
      remedy: "Write the `<tr>`."),
    DiagnosticCode(
      "nested-table", .markup, "A table begins directly in a table",
      "Browsers close the outer table first.",
      effect: "The inner table follows the outer one instead of being in it.",
      remedy: "Put the inner table into a cell."),
    DiagnosticCode(
      "form-in-table", .markup, "A form directly in a table",
      "Browsers keep the `<form>` as an empty element. Its fields stay in the table.",
      effect: "The fields are not inside the form, so `phx-change` and `phx-submit` may not reach them.",
      remedy: "Put the form around the table or into a cell, or use the `form` attribute of the fields."),
    DiagnosticCode(
      "hidden-input-in-table", .markup, "A hidden input directly in a table",
      "Browsers leave it there, but it is not valid.",
      effect: "It works. Other inputs would be moved before the table.",
      remedy: "Put it into a cell or before the table."),
    DiagnosticCode(
      "nested-select", .markup, "A `<select>` begins inside a `<select>`",
      "Browsers close the open one and ignore the second start tag.",
      effect: "The second field does not exist.",
      remedy: "Close the first `<select>`; its content may only be `<option>`, `<optgroup>` and `<hr>`."),
    DiagnosticCode(
      "input-in-select", .markup, "An input inside a `<select>`",
      "Browsers close the `<select>` first.",
      effect: "The options behind the input are lost.",
      remedy: "Put the input behind the `</select>`."),
  ]
}
