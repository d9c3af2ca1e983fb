internal import LiveViewMirror
internal import MirrorAnalysis
internal import MarkupDocument

/// The costs of slots and lists as two tables: `GET …/waste` for people.
///
/// The headers of the columns are links that sort by that column. Each row has the line of the slot
/// in the templates, as a link into the editor if there is an ``Editor``.
struct WasteTable {
  let report: WasteReport
  /// The current order.
  var order = WasteReport.Order.wastedBytes
  /// The page of the tables; `?sort=` is added to it.
  let page: Link
  var editor: Editor?

  var html: HTML { "\(slotTable)\(listTable)\(hint)" }

  // MARK: - Slots

  private static let columns: [(order: WasteReport.Order, name: HTML, isNumber: Bool)] = [
    (.slot, "Slot", false), (.wastedBytes, "Sent without effect", true), (.bytes, "Sent", true),
    (.wastedDiffCount, "Diffs without effect", true), (.diffs, "Diffs", true), (.lastVersion, "Last", true),
    (.source, "Template line", false),
  ]

  private var slotTable: HTML {
    let slots = report.slotsWithBytes
    if slots.isEmpty { return "<p class=\"quiet\">No diff has sent a slot yet.</p>\n" }
    let heads = Self.columns.map { column -> HTML in
      // Names and lines are sorted upwards, numbers downwards.
      let direction: HTML = column.isNumber ? "descending" : "ascending"
      let isCurrent = column.order == order
      let arrow: HTML = isCurrent ? "<span aria-hidden=\"true\"> \(column.isNumber ? "▾" as HTML : "▴")</span>" : ""
      return """
        <th scope="col"\(column.isNumber ? " class=\"number\"" as HTML : "")\
        \(isCurrent ? " aria-sort=\"\(direction)\"" as HTML : "")>\
        <a href="\(page.with("sort", column.order.rawValue))">\(column.name)\(arrow)</a></th>
        """
    }
    let others = report.others.map { row("others", $0) }
    return """
      <table class="waste-slots">
      <caption>\(HTML.bytes(report.wastedBytes)) of \(HTML.bytes(report.diffBytes)) in \(HTML.count(report.diffs, "diff")) were \
      sent without effect</caption>
      <thead><tr>\(heads)</tr></thead>
      <tbody>
      \(slots.map { row("<code>\($0.name)</code>", $0) })\(others)</tbody>
      </table>

      """
  }

  private func row(_ name: HTML, _ slot: WasteReport.Slot) -> HTML {
    let numbers = [
      HTML.bytes(slot.wastedBytes), HTML.bytes(slot.bytes), HTML.count(slot.wastedDiffCount), HTML.count(slot.diffs),
      "v\(slot.lastVersion)",
    ]
    let cells = zip(Self.columns.dropFirst(), numbers).map { column, number in Self.cell(column.name, number: number) }
    return """
      <tr><th scope="row">\(name)</th>\(cells)<td data-label="Template line">\(Self.line(slot.source, editor))</td></tr>

      """
  }

  /// A cell with the name of its column, which the style sheet shows in a narrow pane: a row is a
  /// card there.
  private static func cell(_ column: HTML, number: HTML) -> HTML {
    "<td class=\"number\" data-label=\"\(column)\">\(number)</td>"
  }

  // MARK: - Lists

  private static let listNumbers: [HTML] = [
    "Diffs", "Entries sent", "Unchanged", "Whole list", "Shifted", "Recreated", "Last",
  ]

  private var listTable: HTML? {
    if report.lists.isEmpty { return nil }
    let rows = report.lists.map { list -> HTML in
      let numbers = [
        HTML.count(list.diffs), HTML.count(list.entries), HTML.count(list.unchangedEntryCount),
        HTML.count(list.wholeResendCount),
        HTML.count(list.shiftedEntryCount), HTML.count(list.recreatedElementCount), "v\(list.lastVersion)",
      ]
      let cells = zip(Self.listNumbers, numbers).map { Self.cell($0, number: $1) }
      return """
        <tr><th scope="row"><code>\(list.name)</code></th><td data-label="Entries by">\(list.kind.text)</td>\
        \(cells)<td data-label="Template line">\(Self.line(list.source, editor))</td></tr>
        \(list.advice.map { "<tr class=\"advice\"><td colspan=\"10\">\($0)</td></tr>\n" as HTML })\

        """
    }
    let heads = Self.listNumbers.map { "<th scope=\"col\" class=\"number\">\($0)</th>" as HTML }
    return """
      <table class="waste-lists">
      <caption>Lists: the entries that diffs have sent</caption>
      <thead><tr><th scope="col">List</th><th scope="col">Entries by</th>\(heads)\
      <th scope="col">Template line</th></tr></thead>
      <tbody>
      \(rows)</tbody>
      </table>
      <p class="note">Unchanged entries had all their values already. A whole list is a diff that sent \
      every entry that the list had before it. Shifted entries got the \
      values of a neighbour, and recreated elements were removed and made again.</p>

      """
  }

  // MARK: - Parts

  private var hint: HTML? {
    report.hasAnnotations ? nil : "<p class=\"annotation-hint\">\(WasteReport.annotationHint)</p>\n"
  }

  /// `lib/live/basic.ex:146`, with a link into the editor if there is one, and the function
  /// component.
  static func line(_ source: TemplateSource, _ editor: Editor?) -> HTML {
    let place = source.location.map { location -> HTML in
      let text: HTML = "<code>\(location.file):\(location.line)</code>"
      guard let link = editor?.link(to: location) else { return text }
      return "<a class=\"editor\" href=\"\(link)\">\(text)</a>"
    }
    let name = source.function.map { " <span class=\"function\">\($0)</span>" as HTML }
    if place == nil, name == nil { return "<span class=\"absent\" title=\"no debug annotation\">–</span>" }
    return "\(place)\(name)"
  }
}
