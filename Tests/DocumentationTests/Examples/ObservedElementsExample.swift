import MarkupDocument
import MirrorViews
import NodeObservation

enum ObservedElementsExample: Example {
  // example: ObservedElements
  enum Tone: String, CaseIterable, AttributeDecodable { case calm, loud }

  struct Badge: PageView {
    @ObservedElement var element
    @Attribute("count") var count = 0
    @Attribute("tone") var tone = Tone.calm
    @Attribute("hidden") var isHidden: Bool

    var body: some View {
      if !isHidden { Tag("b", ["class": tone.rawValue]) { Text("\(element.text): \(count)") } }
    }
  }
  // end

  static func run() throws {
    // example: ObservedElements
    let coordinator = DocumentCoordinator(markup: #"<Badge count="3">New</Badge>"#, dialect: .native)
    var registry = ViewRegistry.html
    registry.register("Badge") { _ in Badge() }
    let page = ViewTree(of: coordinator, registry: registry)
    print(page.markup)

    coordinator.update(markup: #"<Badge count="many" tone="loud">New</Badge>"#)
    print(page.markup)
    for evaluation in page.takeEvaluations() { print(evaluation) }
    for problem in page.problems { print(problem) }
    // end
  }
}
