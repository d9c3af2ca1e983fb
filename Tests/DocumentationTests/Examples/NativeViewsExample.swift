import MarkupDocument
import MirrorViews
import NodeObservation

enum NativeViewsExample: Example {
  // example: NativeViews
  struct Badge: PageView {
    @ObservedElement var element
    var body: some View { Tag("b", ["class": "badge"]) { Children(of: element) } }
  }
  // end

  static func run() throws {
    // example: NativeViews
    var registry = ViewRegistry.native
    registry.register("Badge") { _ in Badge() }

    let markup = #"<VStack><Text>Inbox</Text><Badge>3</Badge><Chart onclick="steal()"/></VStack>"#
    let page = ViewTree(of: DocumentCoordinator(markup: markup, dialect: .native), registry: registry)
    print(page.markup)
    // end
  }
}
