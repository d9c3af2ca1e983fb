internal import MarkupDocument

/// The work that a scoped update may do before it is abandoned for the full path, in units of about 15 ns: so that a diff
/// that cannot be applied in parts costs at most half as much again as the full path alone.
///
/// Work is counted and not timed: the same diff takes the same path on every machine. Whatever has a predictable cost is
/// spent before it is done.
final class WorkBudget {
  /// One node of the page on the full path, from the renderer to the morph.
  static let node = 64
  /// Finding the place of one edit.
  static let edit = 64
  /// Passing one instance on the way from the top of the page to an edit.
  static let level = 32
  /// Parsing and comparing a region, whatever its size.
  static let region = 400
  /// One byte of markup that is rendered, parsed and compared.
  static let byte = 4

  private var left: Int

  /// - Parameters:
  ///   - page: at most how large the page is.
  ///   - bytes: of the diff.
  init(for document: Document, _ page: PageSize, diff bytes: Int) {
    let full = Self.node * document.count + page.markup + 8 * bytes
    // Below a millisecond the detour is not worth a decision.
    left = (1 << 16) + full / 10 * 3
  }

  func spend(_ units: Int) throws(FullPath) {
    left -= units
    if left < 0 { throw FullPath("to look at parts of the page would be more work than to look at the whole") }
  }
}
