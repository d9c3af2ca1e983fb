import DocumentInvariants
import MarkupDocument
import RecordingFixtures
import Testing

/// A mount without a morph gives the same result as a morph.
@Suite struct MountTests {
  /// The document that a morph makes from an empty one.
  static func morphed(
    _ page: Page, streams: [StreamPatch], dialect: Dialect = .html
  ) -> (document: Document, changes: ChangeSet) {
    var document = Document(dialect: dialect, epoch: 3)
    let morph = Morph.changes(from: document, to: page, streams: streams, rules: PatchRules(isJoin: true))
    document.apply(morph.changes, marks: morph.marks)
    return (document, morph.changes)
  }

  static func expectSame(_ page: Page, streams: [StreamPatch] = [], dialect: Dialect = .html) {
    let expected = morphed(page, streams: streams, dialect: dialect)
    let mounted = Document.mounting(page, dialect: dialect, epoch: 3, streams: streams, over: .nothing)
    #expect(mounted.changes == expected.changes)
    #expect(mounted.document.isSame(as: expected.document))
    #expect(mounted.document.nextNumber == expected.document.nextNumber)
    #expect(mounted.document.marks.origins == expected.document.marks.origins)
    #expect(mounted.document.marks.streams == expected.document.marks.streams)
    #expect(mounted.document.duplicateIDs() == expected.document.duplicateIDs())
    #expect(mounted.document.checkInvariants() == [])
    // History applies the change set again.
    var replayed = Document(dialect: dialect, epoch: 3)
    replayed.apply(mounted.changes)
    #expect(replayed.isSame(as: mounted.document))
    #expect(replayed.checkInvariants() == [])
  }

  static let pages = [
    "", "text", "<p>a</p>b<!-- c --><p id=\"x\">d<b>e</b></p>",
    "<p id=\"x\"></p><p id=\"x\"><i id=\"x\"></i></p><p id=\"\"></p>",
    "<table><tr><td>a</table><td>b", "<b><p>moved <table>fostered<tr><td>1</b>2",
    "<div phx-update=\"ignore\"><p id=\"a\">kept</p></div>",
    "<ul id=\"l\" phx-update=\"stream\"></ul>",
    "<ul id=\"l\" phx-update=\"stream\"><li id=\"a\">1</li> <li id=\"b\">2</li><!-- c --><li>3</li></ul>",
    "<ul id=\"l\" data-phx-update=\"stream\"><li id=\"a\">1</li><li id=\"b\">2</li><li id=\"a\">3</li></ul>",
    "<ul id=\"l\" phx-update=\"stream\"><li id=\"a\">1</li></ul><p id=\"a\"></p>",
  ]

  static let streams: [[StreamPatch]] = [
    [],
    [StreamPatch(ref: "0", inserts: [.init(id: "a", at: -1), .init(id: "b", at: -1)])],
    [StreamPatch(ref: "0", inserts: [.init(id: "a", at: -1), .init(id: "b", at: 0)])],
    [StreamPatch(ref: "0", inserts: [.init(id: "a", at: -1, limit: 1), .init(id: "b", at: -1, limit: 1)])],
    [StreamPatch(ref: "0", inserts: [.init(id: "a", at: -1, limit: -1), .init(id: "b", at: -1, limit: -1)])],
    [StreamPatch(ref: "0", inserts: [.init(id: "b", at: -1)], deletes: ["a"], reset: true)],
    [
      StreamPatch(ref: "0", inserts: [.init(id: "a", at: 1, updateOnly: true)]),
      StreamPatch(ref: "1", inserts: [.init(id: "b", at: -1)]),
    ],
  ]

  @Test(arguments: pages)
  func `a page mounts like a morph with every kind of stream`(markup: String) {
    for streams in Self.streams { Self.expectSame(Page(parsing: Array(markup.utf8), dialect: .html), streams: streams) }
  }

  @Test
  func `a page with spans mounts like a morph`() {
    let markup = #"<ul><li id="a">1</li><li>2</li><!-- c --><li>3</li></ul><p>4</p><p>4</p>"#
    let spans: [Page.Span] = [
      .init(group: 7, member: 0, range: 4..<21, parent: nil), .init(group: 7, member: 1, range: 21..<51, parent: nil),
      .init(group: Origin.components, member: 5, range: 56..<64, parent: nil),
      .init(group: Origin.components, member: 5, range: 64..<72, parent: nil),
    ]
    let page = Page(parsing: Array(markup.utf8), dialect: .html, sources: .init(spans: spans))
    Self.expectSame(page)
    let document = Document.mounting(page, dialect: .html, epoch: 3).document
    #expect(document.nodes(ofComponent: 5).map { document.component(of: $0) } == [5, 5])
    #expect(document.nodes(ofComponent: 6) == [])
    #expect(document.components == [5])
  }

  @Test(arguments: RandomPages.Identity.allCases)
  func `random pages mount like a morph`(identity: RandomPages.Identity) {
    var pages = RandomPages(seed: 11, identity: identity)
    for _ in 0..<300 { Self.expectSame(Page(parsing: Array(pages.next().utf8), dialect: .html)) }
  }

  @Test
  func `a native page mounts like a morph`() {
    let markup = #"<VStack id="a"><Text id="b">x</Text><Text id="b">y</Text></VStack><text>z</text>"#
    Self.expectSame(Page(parsing: Array(markup.utf8), dialect: .native), dialect: .native)
  }
}
