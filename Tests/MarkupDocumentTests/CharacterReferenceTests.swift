import MarkupDocument
import Testing

@Suite struct CharacterReferenceTests {
  /// What a stretch of text, or the value of an attribute, is read as.
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
    // The longest name counts, and what follows it is text.
    ("&notit;", "¬it;"), ("&notin;", "∉"), ("&not", "¬"), ("&noti", "¬i"), ("&gg", "&gg"), ("&ggg;", "⋙"),
    // Two scalars, and the longest of all names.
    ("&NotEqualTilde;", "\u{2242}\u{338}"), ("&CounterClockwiseContourIntegral;", "∳"), ("&fjlig;", "fj"),
    // What is no reference stays.
    ("&", "&"), ("a & b", "a & b"), ("&;", "&;"), ("&nothing-like-it", "¬hing-like-it"), ("&xyz;", "&xyz;"),
    ("&&lt;", "&<"),
  ])
  func namesInText(markup: String, expected: String) {
    #expect(text(markup) == expected)
  }

  @Test(arguments: [
    ("?a=b&copy=1", "?a=b&copy=1"), ("?a=b&copy;=1", "?a=b©=1"), ("&copyx", "&copyx"), ("&copy1", "&copy1"),
    ("&copy", "©"), ("&copy!", "©!"), ("&notit;", "&notit;"), ("&notin;", "∉"),
  ])
  func namesInAttributes(markup: String, expected: String) {
    #expect(value(markup) == expected)
  }

  @Test(arguments: [
    ("&#65;&#x41;&#X41", "AAA"), ("&#0;", "\u{FFFD}"), ("&#x80;&#x9F;", "€Ÿ"), ("&#x81;", "\u{81}"),
    ("&#xD800;", "\u{FFFD}"), ("&#x110000;", "\u{FFFD}"), ("&#99999999999999999999;", "\u{FFFD}"), ("&#10;", "\n"),
    ("&#13;", "\r"), ("&#;", "&#;"), ("&#x;", "&#x;"), ("&#xg", "&#xg"), ("&#65a", "Aa"), ("&#x1F389;", "🎉"),
  ])
  func numbers(markup: String, expected: String) {
    #expect(text(markup) == expected)
    #expect(value(markup) == expected)
  }
}
