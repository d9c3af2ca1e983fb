import MarkupDocument
import Testing

@Suite struct CharacterReferenceTests {
  /// The decoded form of a text or of an attribute value.
  private func text(_ markup: String) -> String {
    let tree = parse(markup).tree
    guard let node = tree.firstChild(of: NodeTree.root), case .text(let text) = tree[node] else { return "" }
    return text
  }

  private func value(_ markup: String) -> String? {
    let tree = parse("<p a=\"\(markup)\">").tree
    return tree.firstChild(of: NodeTree.root).flatMap { tree[$0].element?["a"] }
  }

  @Test(arguments: [
    ("&amp;", "&"), ("&amp", "&"), ("&AMP", "&"), ("&lt;&gt;", "<>"), ("&quot;&apos;", "\"'"), ("&nbsp;", "\u{A0}"),
    // The longest matching name is used; the rest is text.
    ("&notit;", "¬it;"), ("&notin;", "∉"), ("&not", "¬"), ("&noti", "¬i"), ("&gg", "&gg"), ("&ggg;", "⋙"),
    // A reference to two scalars, and the longest name.
    ("&NotEqualTilde;", "\u{2242}\u{338}"), ("&CounterClockwiseContourIntegral;", "∳"), ("&fjlig;", "fj"),
    // Text that is not a reference is unchanged.
    ("&", "&"), ("a & b", "a & b"), ("&;", "&;"), ("&nothing-like-it", "¬hing-like-it"), ("&xyz;", "&xyz;"),
    ("&&lt;", "&<"),
  ])
  func `named references in text are decoded`(markup: String, expected: String) {
    #expect(text(markup) == expected)
  }

  @Test(arguments: [
    ("?a=b&copy=1", "?a=b&copy=1"), ("?a=b&copy;=1", "?a=b©=1"), ("&copyx", "&copyx"), ("&copy1", "&copy1"),
    ("&copy", "©"), ("&copy!", "©!"), ("&notit;", "&notit;"), ("&notin;", "∉"),
  ])
  func `named references in attribute values are decoded`(markup: String, expected: String) {
    #expect(value(markup) == expected)
  }

  @Test(arguments: [
    ("&#65;&#x41;&#X41", "AAA"), ("&#0;", "\u{FFFD}"), ("&#x80;&#x9F;", "€Ÿ"), ("&#x81;", "\u{81}"),
    ("&#xD800;", "\u{FFFD}"), ("&#x110000;", "\u{FFFD}"), ("&#99999999999999999999;", "\u{FFFD}"), ("&#10;", "\n"),
    ("&#13;", "\r"), ("&#;", "&#;"), ("&#x;", "&#x;"), ("&#xg", "&#xg"), ("&#65a", "Aa"), ("&#x1F389;", "🎉"),
  ])
  func `numeric references are decoded`(markup: String, expected: String) {
    #expect(text(markup) == expected)
    #expect(value(markup) == expected)
  }
}
