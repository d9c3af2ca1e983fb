internal import MarkupDocument

/// The work that a scoped update may do before it is abandoned for a full update, in units of about 15 ns. The budget ensures
/// that a diff that needs a full update in the end costs at most half as much again as the full update alone.
///
/// Work is counted, not timed, so that the same diff takes the same path on every machine. If the cost of work is predictable, it
/// is spent before the work is done.
struct WorkBudget {
  /// One node of the page in a full update, from the renderer to the morph.
  static let node = 64
  /// Locating one edit.
  static let edit = 64
  /// Passing one instance on the way from the top of the page to an edit.
  static let instance = 32
  /// The fixed part of parsing and comparing a region.
  static let region = 400
  /// One byte of markup that is rendered, parsed and compared.
  static let byte = 4

  private var left: Int

  /// - Parameters:
  ///   - document: the document before the update.
  ///   - page: an upper bound of the page's size.
  ///   - bytes: the size of the diff.
  init(for document: Document, _ page: PageSize, diff bytes: Int) {
    let full = Self.node * document.count + page.markup + 8 * bytes
    // The first summand is about a millisecond, so small pages rarely exhaust the budget.
    left = (1 << 16) + full / 10 * 3
  }

  mutating func spend(_ units: Int) throws(NeedsFullUpdate) {
    left -= units
    if left < 0 { throw NeedsFullUpdate("a scoped update would take more work than a full one") }
  }
}
