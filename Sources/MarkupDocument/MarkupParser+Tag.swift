extension MarkupParser {
  /// The id of the first element in the markup; `nil` if that element has no id.
  ///
  /// - Complexity: O(*bytes up to the end of the first start tag*).
  package static func firstID(in markup: [UInt8], dialect: Dialect) -> String? {
    markup.withUnsafeBufferPointer { bytes in
      var tokenizer = Tokenizer(bytes, dialect: dialect)
      while true {
        switch tokenizer.next() {
        case .startTag: return Element(tag: tokenizer.name, attributes: tokenizer.attributes).id
        case .endOfFile: return nil
        case .text, .endTag, .comment, .processingInstruction: continue
        }
      }
    }
  }

  /// Parses one start tag for an element that keeps its tag, since only its attributes may have changed.
  ///
  /// - Returns: `nil` if the markup is not exactly one start tag with the name of `known`, self-closing as `isSelfClosing`
  ///   says.
  /// - Complexity: O(*bytes*).
  package static func startTag(
    _ markup: [UInt8], dialect: Dialect, like known: Element, isSelfClosing: Bool
  ) -> (element: Element, diagnostics: [MarkupDiagnostic])? {
    markup.withUnsafeBufferPointer { bytes in
      var tokenizer = Tokenizer(bytes, dialect: dialect)
      guard tokenizer.next() == .startTag, tokenizer.position == bytes.count,
        tokenizer.isSelfClosing == isSelfClosing
      else { return nil }
      let name = ForeignNames.element(tokenizer.name, in: known.namespace)
      guard name == known.tag else { return nil }
      let attributes = ForeignNames.adjusted(tokenizer.attributes, in: known.namespace)
      return (Element(tag: name, namespace: known.namespace, attributes: attributes), tokenizer.log.diagnostics)
    }
  }
}
