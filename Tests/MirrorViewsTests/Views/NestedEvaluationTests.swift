import MarkupDocument
@testable import MirrorViews
import NodeObservation
import TestSupport
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// Bodies and properties that cause other bodies to be evaluated while a page is drawn.
@Suite struct NestedEvaluationTests {
  private final class Model: ObservableObject {
    @OpenCombine.Published var depth = 0
  }

  private struct Steps: PageView {
    @ObservedObject var model: Model
    var body: some View { ForEach(0...model.depth, id: \.self) { Step(number: $0, model: model) } }
  }

  /// Adds one step to the page at its first evaluation.
  private struct Step: PageView {
    let number: Int
    let model: Model
    var body: some View {
      if number < 5, model.depth == number { model.depth += 1 }
      return Text("\(number)")
    }
  }

  @Test func `a drawing contains the views that several rounds of first evaluations add`() {
    let model = UncheckedSendable(value: Model())
    let stage = Stage { Steps(model: model.value) }
    #expect(stage.draw() == "012345")
  }

  /// A property that draws another element of the page when it is bound.
  private struct Drawn: DynamicProperty {
    let page: Reach<ViewTree>
    let node: NodeRef
    let result: Reach<String>
    func bind(to context: PropertyContext) { result.value = page.value?.markup(of: node) }
  }

  private struct Drawing: PageView {
    var drawn: Drawn
    var body: some View { Text("x") }
  }

  private struct Plain: PageView {
    var body: some View { Text("y") }
  }

  @Test func `a property may draw another view when it is bound`() throws {
    let coordinator = DocumentCoordinator(markup: "<x></x><y></y>", dialect: .native)
    let node = try #require(coordinator.reading { $0.children(of: $0.root).last } ?? nil)
    let (page, result) = (Reach<ViewTree>(), Reach<String>())
    var registry = ViewRegistry.html
    registry.register("x") { _ in Drawing(drawn: Drawn(page: page, node: node, result: result)) }
    registry.register("y") { _ in Plain() }
    let tree = ViewTree(of: coordinator, registry: registry)
    page.value = tree
    #expect(tree.markup == "xy")
    #expect(result.value == "y")
  }
}
