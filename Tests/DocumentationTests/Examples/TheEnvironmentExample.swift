import MarkupDocument
import MirrorViews
import NodeObservation

// example: TheEnvironment
private enum LevelKey: EnvironmentKey { static let defaultValue = 1 }

extension EnvironmentValues {
  var level: Int {
    get { self[LevelKey.self] }
    set { self[LevelKey.self] = newValue }
  }
}
// end

enum TheEnvironmentExample: Example {
  // example: TheEnvironment, continued
  struct Chapter: PageView {
    @Environment(\.level) var level
    @ObservedElement var element
    @Attribute("title") var title = ""

    var body: some View {
      Tag("h\(level)") { Text(title) }
      Children(of: element).environment(\.level, level + 1)
    }
  }
  // end

  static func run() throws {
    // example: TheEnvironment
    var registry = ViewRegistry.html
    registry.register("Chapter") { _ in Chapter() }
    let markup = #"<Chapter title="A"><Chapter title="A.1"><Chapter title="A.1.1"/></Chapter></Chapter>"#
    let page = ViewTree(of: DocumentCoordinator(markup: markup, dialect: .native), registry: registry)
    print(page.markup)
    // end
  }
}
