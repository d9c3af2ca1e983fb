import MarkupDocument
import Testing

/// The anchors by which the slots of a template are found, and the position of each slot.
@Suite struct TemplateTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var parts: [String]
    /// Each anchor with its parent, if it has one, and bars around its content.
    var anchors: [String]
    /// Each gap with its neighbours, its strings and its slots.
    var gaps: [String]
    /// The position of each slot.
    var positions: [String]
    var isSingle = false
    var dialect = Dialect.html
    var testDescription: String { name }

    init(
      _ name: String, _ parts: [String], _ anchors: [String], _ gaps: [String], _ positions: [String],
      isSingle: Bool = false, dialect: Dialect = .html
    ) {
      self.name = name
      self.parts = parts
      self.anchors = anchors
      self.gaps = gaps
      self.positions = positions
      self.isSingle = isSingle
      self.dialect = dialect
    }
  }

  static let cases: [Case] = [
    Case("nothing", [""], [], [], []),
    Case("text alone", ["a b"], [], [], []),
    Case("text around a slot", ["a ", " b"], [], ["top [a • b] 0"], ["gap 0"]),
    Case("slots alone", ["", "", ""], [], ["top [••] 0 1"], ["gap 0", "gap 0"]),
    Case("one element with text", ["<p>text</p>"], ["<p>|text|</p>"], [], [], isSingle: true),
    Case(
      "one element with a slot", ["<p>Count: ", "</p>"], ["<p>|Count: •|</p>"], ["in 0 [Count: •] 0"], ["gap 0"],
      isSingle: true),
    Case(
      "an attribute's value, all of it a slot", [#"<p class=""#, #"">a</p>"#], [#"<p class="•">|a|</p>"#], [],
      ["tag 0"], isSingle: true),
    Case(
      "an attribute's value with text around its slots", [#"<p class="a "#, " ", #" b" id=x>"#, "</p>"],
      [#"<p class="a • • b" id=x>|•|</p>"#], ["in 0 [•] 2"], ["tag 0", "tag 0", "gap 0"], isSingle: true),
    Case("a value in single quotes", ["<p title='", "'></p>"], ["<p title='•'>||</p>"], [], ["tag 0"], isSingle: true),
    Case(
      "a value with what would end a tag", [#"<p title="a > b "#, #"">c</p>"#], [#"<p title="a > b •">|c|</p>"#], [],
      ["tag 0"], isSingle: true),
    Case("attributes as a slot", ["<p", ">a</p>"], ["<p•>|a|</p>"], [], ["tag 0"], isSingle: true),
    Case(
      "attributes as a slot between others", ["<p a", " b", "></p>"], ["<p a• b•>||</p>"], [], ["tag 0", "tag 0"],
      isSingle: true),
    Case(
      "adjacent slots", ["<p>", "", "</p>"], ["<p>|••|</p>"], ["in 0 [••] 0 1"], ["gap 0", "gap 0"], isSingle: true),
    Case(
      "slots with text between them", ["<p>", " and ", "</p>"], ["<p>|• and •|</p>"], ["in 0 [• and •] 0 1"],
      ["gap 0", "gap 0"], isSingle: true),
    Case(
      "slots on both sides of an element", ["<p>", "<b></b>", "</p>"], ["<p>|•<b></b>•|</p>", "0 <b>||</b>"],
      ["in 0 before 1 [•] 0", "in 0 after 1 [•] 1"], ["gap 0", "gap 1"], isSingle: true),
    Case(
      "the nearest elements and no others", ["<p><i></i><b></b> ", " <u></u><em></em></p>"],
      ["<p>|<i></i><b></b> • <u></u><em></em>|</p>", "0 <b>||</b>", "0 <u>||</u>"], ["in 0 after 1 before 2 [ • ] 0"],
      ["gap 0"], isSingle: true),
    Case(
      "elements around the parent of a slot", ["<div><ul><li></li><li><b>", "</b></li></ul></div>"],
      [
        "<div>|<ul><li></li><li><b>•</b></li></ul>|</div>", "0 <ul>|<li></li><li><b>•</b></li>|</ul>",
        "1 <li>|<b>•</b>|</li>", "2 <b>|•|</b>",
      ], ["in 3 [•] 0"], ["gap 0"], isSingle: true),
    Case(
      "several roots", ["<p>", "</p>\n<i>", "</i>"], ["<p>|•|</p>", "<i>|•|</i>"], ["in 0 [•] 0", "in 1 [•] 1"],
      ["gap 0", "gap 1"]),
    Case(
      "several roots with slots around them", ["", "<p></p>", "<i></i>", ""], ["<p>||</p>", "<i>||</i>"],
      ["top before 0 [•] 0", "top after 0 before 1 [•] 1", "top after 1 [•] 2"], ["gap 0", "gap 1", "gap 2"]),
    Case(
      "white space at the edges", ["\n  <p>", "</p>\n"], ["<p>|•|</p>"], ["in 0 [•] 0"], ["gap 0"]),
    Case(
      "void elements", ["<p>", "<br>", "<img src=\"", "\"/>", "</p>"],
      ["<p>|•<br>•<img src=\"•\"/>•|</p>", "0 <br>||", "0 <img src=\"•\"/>||"],
      ["in 0 before 1 [•] 0", "in 0 after 1 before 2 [•] 1", "in 0 after 2 [•] 3"],
      ["gap 0", "gap 1", "tag 2", "gap 2"], isSingle: true),
    Case("a void element alone", ["<input value=\"", "\">"], ["<input value=\"•\">||"], [], ["tag 0"], isSingle: true),
    Case(
      "self-closed elements in an image", ["<svg><path d=\"", "\"/>", "<g>", "</g></svg>"],
      ["<svg>|<path d=\"•\"/>•<g>•</g>|</svg>", "0 <path d=\"•\"/>||", "0 <g>|•|</g>"],
      ["in 0 after 1 before 2 [•] 1", "in 2 [•] 2"], ["tag 1", "gap 0", "gap 1"], isSingle: true),
    Case(
      "comments are siblings", ["<p><!-- a -->", "<!-- b --></p>"],
      ["<p>|<!-- a -->•<!-- b -->|</p>", "0 <!-- a -->||", "0 <!-- b -->||"], ["in 0 after 1 before 2 [•] 0"],
      ["gap 0"], isSingle: true),
    Case("a comment alone is no element", ["<!-- a -->"], ["<!-- a -->||"], [], []),
    Case(
      "a comment before the root, as debug annotations have it", ["<!-- <A.b> --><p>", "</p><!-- </A.b> -->"],
      ["<!-- <A.b> -->||", "<p>|•|</p>", "<!-- </A.b> -->||"], ["in 1 [•] 0"], ["gap 0"]),
    Case(
      "a text field", ["<form><textarea name=\"a\">\n", "</textarea>", "</form>"],
      ["<form>|<textarea name=\"a\">\n•</textarea>•|</form>", "0 <textarea name=\"a\">|\n•|</textarea> raw"],
      ["in 1 [\n•] 0", "in 0 after 1 [•] 1"], ["gap 0", "gap 1"], isSingle: true),
    Case(
      "a style with what looks like an end tag", ["<style>a </b> > ", "</style>"],
      ["<style>|a </b> > •|</style> raw"], ["in 0 [a </b> > •] 0"], ["gap 0"], isSingle: true),
    Case(
      "a script with tags in it", ["<script>x = '<p>", "<b>'</script>"], ["<script>|x = '<p>•<b>'|</script> raw"],
      ["in 0 [x = '<p>•<b>'] 0"], ["gap 0"], isSingle: true),
    Case(
      "a template element", ["<template><p>", "</p></template>"],
      ["<template>|<p>•</p>|</template> sealed", "0 <p>|•|</p>"], ["in 1 [•] 0"], ["gap 0"], isSingle: true),
    Case(
      "names in any case", ["<P>", "</p >"], ["<P>|•|</p >"], ["in 0 [•] 0"], ["gap 0"], isSingle: true),
    Case(
      "names of components", ["<my-card.x:y>", "</my-card.x:y>"], ["<my-card.x:y>|•|</my-card.x:y>"], ["in 0 [•] 0"],
      ["gap 0"], isSingle: true),
    Case(
      "a tag that its own slots part in three", ["<p\n a=\"", "\"\n b=\"", "\"\n>", "</p>"],
      ["<p\n a=\"•\"\n b=\"•\"\n>|•|</p>"], ["in 0 [•] 2"], ["tag 0", "tag 0", "gap 0"], isSingle: true),
    Case(
      "native: any element closes itself", ["<VStack><Text/>", "</VStack>"],
      ["<VStack>|<Text/>•|</VStack>", "0 <Text/>||"], ["in 0 after 1 [•] 0"], ["gap 0"], isSingle: true,
      dialect: .native),
    Case(
      "native: no element is void", ["<br>", "</br>"], ["<br>|•|</br>"], ["in 0 [•] 0"], ["gap 0"], isSingle: true,
      dialect: .native),
    Case(
      "native: no element is raw", ["<style><a>", "</a></style>"], ["<style>|<a>•</a>|</style>", "0 <a>|•|</a>"],
      ["in 1 [•] 0"], ["gap 0"], isSingle: true, dialect: .native),
  ]

  @Test(arguments: cases)
  func `a template has the anchors and gaps of its slots`(template: Case) {
    let read = Template(template.parts, dialect: template.dialect)
    #expect(read.isReadable)
    let strings = Strings(template.parts)
    #expect(read.anchors.map { strings.line(of: $0) } == template.anchors)
    #expect(read.gaps.map { strings.line(of: $0) } == template.gaps)
    #expect(read.positions.map(Strings.line) == template.positions)
    #expect(read.isSingleElement == template.isSingle)
  }

  @Test(
    arguments: [
      ("<p>a • b</p>", "a | b"), ("<p><i></i>•<b></b></p>", "|"), ("<p>a<i></i>b•</p>", "b|"), ("a•", "a|"),
      ("<p>a•b•c</p>", nil),
    ] as [(String, String?)])
  func `the static text around the only slot of a gap is known`(markup: String, expected: String?) {
    let parts = markup.split(separator: "•", omittingEmptySubsequences: false).map(String.init)
    let texts = Template(parts, dialect: .html).texts
    #expect(texts.map { $0.map { "\($0.before)|\($0.after)" } } == [expected])
  }

  // MARK: - Unreadable

  static let unreadable: [(name: String, parts: [String])] = [
    ("a stray end tag", ["<p></p></p>"]), ("an end tag alone", ["</p>"]),
    ("a stray end tag behind a slot", ["", "</p>"]),
    ("an element that stays open", ["<p>", ""]), ("a start tag that stays open", ["<p "]),
    ("elements that cross", ["<b><i></b></i>"]), ("an end tag left out", ["<ul><li>", "</ul>"]),
    ("a slot after an unquoted value", ["<p a=b", ">c</p>"]),
    ("a slot as an unquoted value", ["<p a=", ">c</p>"]),
    ("an unquoted value that contains a quote", ["<p a=b\"c></p>"]), ("a value that stays open", ["<p a=\"", "></p>"]),
    ("a slot in an end tag's name", ["<p></", ">"]), ("a slot in an end tag", ["<p></p", ">"]),
    ("a slot as a tag's name", ["<", "></p>"]), ("a slot in a comment", ["<!-- ", " -->"]),
    ("a comment that stays open", ["<!-- a"]), ("a comment that ends at once", ["<!-->"]),
    ("a comment that ends at once, before another end", ["<!-->", " -->"]),
    ("a comment that ends at once after a dash, before another end", ["<!---> <b></b> -->"]),
    ("a comment with dashes in it", ["<!-- a -- b -->"]), ("a doctype", ["<!doctype html><p></p>"]),
    ("a section of characters", ["<svg><![CDATA[a]]></svg>"]), ("an instruction", ["<?xml?>"]),
    ("a less-than in text", ["a < b"]),
    ("a less-than before a digit", ["a <1"]), ("a less-than at the end", ["<p></p><"]),
    ("a less-than before a slot", ["<p>a<", "</p>"]),
    ("a slash in a tag", ["<p / a></p>"]), ("a slash before a slot", ["<p /", "></p>"]),
    ("a quote in a tag", ["<p \"a\"></p>"]),
    ("an equals sign without a name", ["<p =a></p>"]), ("plaintext", ["<plaintext>a</plaintext>"]),
    ("a comment in a script", ["<script><!-- a --></script>"]), ("a script that stays open", ["<script>a", ""]),
    ("a void element with an end tag", ["<br></br>"]),
  ]

  @Test(arguments: unreadable.map(\.name))
  func `strings whose tags do not nest are unreadable`(name: String) throws {
    let parts = try #require(Self.unreadable.first { $0.name == name }).parts
    let read = Template(parts, dialect: .html)
    #expect(!read.isReadable)
    #expect(read.anchors.isEmpty && read.gaps.isEmpty && read.positions.isEmpty && read.events.isEmpty)
    #expect(!read.isSingleElement && read.first == nil && read.last == nil)
  }

  /// The tags of a `<p>` in a `<p>` and of a `tr` outside of a table nest. The parser's repair is
  /// detected in the page.
  @Test(
    arguments: ["<p><p></p></p>", "<div><tr></tr></div>", "<div/>"])
  func `strings whose tags nest are readable even if the parser moves elements`(markup: String) {
    #expect(Template([markup], dialect: .html).isReadable)
  }

  // MARK: - The first and the last

  @Test(
    arguments: [
      ("<p></p>", 0, 0), ("<p></p><i></i><b></b>", 0, 1), (" <p></p>", nil, 0), ("<p></p>a", 0, nil),
      ("•<p></p>", nil, 0),
      ("<p></p>•", 0, nil), ("<p>•</p>", 0, 0), ("<!-- a --><p></p>", 0, 1), ("<br>", 0, 0), ("•", nil, nil),
    ] as [(String, Int?, Int?)])
  func `a template has a first and a last anchor`(markup: String, first: Int?, last: Int?) {
    let parts = markup.split(separator: "•", omittingEmptySubsequences: false).map(String.init)
    let read = Template(parts, dialect: .html)
    #expect(read.first == first)
    #expect(read.last == last)
  }

  // MARK: - Events and ancestors

  @Test
  func `the events of the parts are the starts, ends and leaves of anchors in document order`() {
    let read = Template(["<ul><li>", "</li><br>", "</ul><hr>"], dialect: .html)
    let lines = read.events.map { $0.map(Strings.line) }
    #expect(lines == [["open 0 at 0", "open 1 at 4"], ["close 1", "leaf 2 at 5"], ["close 0", "leaf 3 at 5"]])
  }

  @Test
  func `the end of a tag with slots is an event`() {
    let read = Template(["<p id=\"", "\"", "><br", ">", "</p>"], dialect: .html)
    let lines = read.events.map { $0.map(Strings.line) }
    #expect(lines == [["open 0 at 0"], [], ["tag 0 to 1", "leaf 1 at 1"], ["tag 1 to 1"], ["close 0"]])
  }

  @Test
  func `an anchor is followed by its ancestors, innermost first`() {
    let read = Template(["<div><ul><li>", "</li></ul></div>"], dialect: .html)
    #expect(Array(read.chain(from: 2)) == [2, 1, 0])
    #expect(Array(read.chain(from: nil)) == [])
  }

  @Test(
    arguments: [
      ["<p>", "</p>"], ["\n<p", ">", "</p>\n"], ["<!-- a --><p>", "</p> <!-- b -->\n"],
    ])
  func `a template with one root has only blank text and comments around it`(parts: [String]) {
    #expect(Template(parts, dialect: .html).hasSingleRoot)
  }

  @Test(
    arguments: [
      ["<p></p>", ""], ["", "<p></p>"], ["<p>", "</p><b></b>"], ["a<p>", "</p>"], ["<p>", "</p>a"], [" ", " "], ["<p>"],
    ])
  func `a template with a slot, a text or a second element beside the root has no single root`(parts: [String]) {
    #expect(!Template(parts, dialect: .html).hasSingleRoot)
  }
}

/// The strings of a template as one text, with a bullet for each slot.
private struct Strings {
  private let parts: [String]

  init(_ parts: [String]) { self.parts = parts }

  private func text(_ start: Template.StringPosition, _ end: Template.StringPosition) -> String {
    (start.part...end.part).map { part in
      var bytes = Array(parts[part].utf8)
      if part == end.part { bytes.removeLast(bytes.count - end.offset) }
      if part == start.part { bytes.removeFirst(start.offset) }
      return String(decoding: bytes, as: UTF8.self)
    }.joined(separator: "•")
  }

  func line(of anchor: Template.Anchor) -> String {
    (anchor.parent.map { "\($0) " } ?? "") + text(anchor.start, anchor.contentStart) + "|"
      + text(anchor.contentStart, anchor.contentEnd) + "|" + text(anchor.contentEnd, anchor.end)
      + (anchor.isRaw ? " raw" : anchor.isSealed ? " sealed" : "")
  }

  func line(of gap: Template.Gap) -> String {
    (gap.parent.map { "in \($0)" } ?? "top") + (gap.left.map { " after \($0)" } ?? "")
      + (gap.right.map { " before \($0)" } ?? "") + " [\(text(gap.start, gap.end))] "
      + gap.slots.map(String.init).joined(separator: " ")
  }

  static func line(of position: Template.Position) -> String {
    switch position {
    case .tag(let anchor): "tag \(anchor)"
    case .gap(let gap): "gap \(gap)"
    }
  }

  static func line(of event: Template.Event) -> String {
    switch event {
    case .open(let anchor, let offset): "open \(anchor) at \(offset)"
    case .close(let anchor): "close \(anchor)"
    case .leaf(let anchor, let offset): "leaf \(anchor) at \(offset)"
    case .tagEnd(let anchor, let offset): "tag \(anchor) to \(offset)"
    }
  }
}
