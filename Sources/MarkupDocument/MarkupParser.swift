/// Reads markup into a ``NodeTree``.
package enum MarkupParser {
  package struct Result: Sendable {
    package var tree: NodeTree
    package var diagnostics: [MarkupDiagnostic]
  }

  /// The tree that `markup` builds in the given dialect. It never fails: whatever is wrong is a diagnostic.
  ///
  /// - Complexity: O(*bytes*); hostile nesting costs a constant more for each tag, see ``OpenElements``.
  package static func parse(_ markup: [UInt8], dialect: Dialect) -> Result {
    markup.withUnsafeBufferPointer { bytes in
      switch dialect {
      case .html:
        var builder = TreeBuilder(bytes)
        builder.run()
        return Result(tree: builder.tree, diagnostics: builder.tokenizer.log.diagnostics)
      case .native:
        var parser = NativeParser(bytes)
        parser.run()
        return Result(tree: parser.tree, diagnostics: parser.tokenizer.log.diagnostics)
      }
    }
  }
}
