/// Reads markup into a ``NodeTree``.
package enum MarkupParser {
  package struct Result: Sendable {
    package var tree: NodeTree
    package var diagnostics: [MarkupDiagnostic]
  }

  /// The tree that `markup` builds in the given dialect. It never fails: whatever is wrong is a diagnostic.
  package static func parse(_ markup: [UInt8], dialect: Dialect) -> Result {
    Result(tree: NodeTree(), diagnostics: [])
  }
}
