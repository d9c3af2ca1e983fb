import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import MirrorViews
import NodeObservation
import Testing

/// User-defined views in the page of a mirrored LiveView.
@Suite struct OwnElementTests {
  private struct Badge: PageView {
    @ObservedElement var element
    var body: some View { Tag("b", ["class": "badge"]) { Children(of: element) } }
  }

  private static let mount = Array(#"{"s":["<VStack><Badge>","</Badge></VStack>"],"0":"1"}"#.utf8)

  private func view(drawsPage: Bool = true) -> LiveViewCoordinator {
    var registry = ViewRegistry.native
    registry.register("Badge") { _ in Badge() }
    return LiveViewCoordinator(
      id: "main", options: UpdateOptions(drawsPage: drawsPage).withAnalyses, registry: registry)
  }

  @Test(arguments: [false, true])
  func `the mirror page draws a registered view, and updates list its evaluations`(isDrawn: Bool) throws {
    let view = view()
    try view.mount(Self.mount, dialect: .native)
    if isDrawn { #expect(view.page?.markup == #"<div class="vstack"><b class="badge">1</b></div>"#) }
    let record = try view.update(Array(#"{"0":"2"}"#.utf8))
    #expect(record.isolation.views?.evaluations.map(\.description) == ["body of <Badge> (Badge): text"])
    #expect(view.page?.markup == #"<div class="vstack"><b class="badge">2</b></div>"#)
  }

  @Test
  func `a view without its own registry uses the registry of its dialect`() throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions(drawsPage: true).withAnalyses)
    try view.mount(Self.mount, dialect: .native)
    #expect(
      view.page?.markup
        == #"<div class="vstack"><div class="unknown"><span class="unknown-name">Badge</span>1</div></div>"#)
    try view.mount(Self.mount, dialect: .html)
    #expect(view.page?.markup == "<vstack><badge>1</badge></vstack>")
  }

  @Test
  func `a remount keeps the registry in any dialect, and the page if the dialect is the same`() throws {
    let view = view()
    #expect(view.page == nil)
    try view.mount(Self.mount, dialect: .native)
    let page = view.page
    try view.mount(Self.mount, dialect: .native)
    #expect(view.page === page)
    #expect(view.page?.markup == #"<div class="vstack"><b class="badge">1</b></div>"#)
    try view.mount(Array(#"{"s":["<Text>1</Text>"]}"#.utf8), dialect: .html)
    #expect(view.page?.registry.tags.contains("Badge") == true)
  }

  @Test
  func `a view with drawsPage off has no mirror page`() throws {
    let view = view(drawsPage: false)
    try view.mount(Self.mount, dialect: .native)
    #expect(view.page == nil)
  }
}
