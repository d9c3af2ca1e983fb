internal import MarkupDocument
internal import RenderedTree

/// The templates of a view's statics. A template is read at its first use and then kept. Each
/// ``ViewState`` has a table.
///
/// Scoped updates add templates. A full update links every instance of the page, and then
/// ``endLinking()`` removes the templates that the page does not have.
struct TemplateTable: Sendable {
  private struct Entry {
    /// Retained, so that no other object gets the same identifier.
    let statics: Statics
    let template: Template
    /// The value of the table's `linking` when the template was last used.
    var linking: Int
  }

  let dialect: Dialect
  private var entries: [ObjectIdentifier: Entry] = [:]
  /// The templates by their strings. LiveView 1.0 sends the strings of a template again with each
  /// component that uses it, so different `Statics` objects can have the same strings.
  private var templatesByStrings: [Statics: Template] = [:]
  /// The number of times that a whole page was linked.
  private var linking = 0
  /// The number of entries after a whole page was last linked.
  private(set) var linkedCount = 0

  init(dialect: Dialect) { self.dialect = dialect }

  /// A table with the templates of some statics.
  ///
  /// - Complexity: O(*bytes*).
  init(dialect: Dialect, reading all: [Statics], linkedCount: Int) {
    self.init(dialect: dialect)
    for statics in all { _ = read(statics) }
    self.linkedCount = linkedCount
  }

  /// All statics of the table, in no particular order.
  var allStatics: [Statics] { entries.values.map(\.statics) }

  /// The template of statics that the table has read; `nil` for other statics.
  subscript(statics: Statics) -> Template? { entries[ObjectIdentifier(statics)]?.template }

  /// The template of the statics, read now if it was not read before.
  ///
  /// - Complexity: O(*bytes*) for the first statics with these strings, O(1) for the same object.
  mutating func read(_ statics: Statics) -> Template {
    let id = ObjectIdentifier(statics)
    if let known = entries[id] {
      if known.linking != linking { entries[id]?.linking = linking }
      return known.template
    }
    let template = templatesByStrings[statics] ?? Template(statics.parts, dialect: dialect)
    templatesByStrings[statics] = template
    entries[id] = Entry(statics: statics, template: template, linking: linking)
    return template
  }

  /// Begins to link a whole page.
  mutating func beginLinking() { linking += 1 }

  /// Removes the templates that the page does not have.
  mutating func endLinking() {
    if entries.values.contains(where: { $0.linking != linking }) {
      entries = entries.filter { $0.value.linking == linking }
      templatesByStrings = [:]
      for entry in entries.values { templatesByStrings[entry.statics] = entry.template }
    }
    linkedCount = entries.count
  }

  /// Whether scoped updates have added so many templates that a full update should remove the
  /// unused ones.
  var isOverfull: Bool { entries.count > 2 * linkedCount + 1_024 }
}
