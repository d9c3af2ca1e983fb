import MarkupDocument
import MirrorViews
import NodeObservation
import TestSupport
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// Objects that views observe, own, or find in the environment.
@Suite struct ObjectTests {
  final class Model: ObservableObject, @unchecked Sendable {
    @Published var name: String
    @Published var age = 0
    private let heard: Heard?
    init(_ name: String = "", heard: Heard? = nil) {
      self.name = name
      self.heard = heard
      heard?.note("made")
    }
    deinit { heard?.note("gone") }
  }

  // MARK: - Observed

  struct Observing: PageView {
    @ObservedObject var model: Model
    var body: some View { Text(model.name) }
  }

  @Test func `a view is evaluated after the object has changed`() {
    let model = Model("a")
    let stage = Stage { Observing(model: model) }
    stage.draw()
    let count = stage.page.evaluationCount
    model.name = "b"
    #expect(stage.page.evaluationCount == count)
    stage.later.run()
    #expect(stage.page.evaluationCount == count + 1)
    #expect(stage.evaluated() == ["Observing: object `model`"])
    #expect(stage.draw() == "b")
    model.age = 1
    stage.later.run()
    #expect(stage.evaluated() == ["Observing: object `model`"])
  }

  @Test func `without a scheduler the next drawing has the current value`() {
    let model = Model("a")
    let stage = Stage { Observing(model: model) }
    stage.draw()
    model.name = "b"
    #expect(stage.draw() == "b")
  }

  @Test func `a change during a publication is evaluated when it ends`() {
    let model = Model("a")
    let stage = Stage { Observing(model: model) }
    stage.draw()
    Publication.run {
      model.name = "b"
      model.name = "c"
      #expect(stage.evaluated() == [])
    }
    #expect(stage.evaluated() == ["Observing: object `model`"])
    #expect(stage.draw() == "c")
  }

  struct Switching: PageView {
    @State var isOther = false
    let models: [Model]
    let reach: Reach<Binding<Bool>>
    var body: some View {
      let _ = reach.value = $isOther
      Observing(model: models[isOther ? 1 : 0])
    }
  }

  @Test func `a view that receives another object unsubscribes from the first one`() {
    let models = [Model("a"), Model("b")]
    let reach = Reach<Binding<Bool>>()
    let stage = Stage { Switching(models: models, reach: reach) }
    #expect(stage.draw() == "a")
    reach.value?.wrappedValue = true
    #expect(stage.evaluated() == ["Switching: state `isOther`", "Observing: other inputs"])
    #expect(stage.draw() == "b")
    models[0].name = "unseen"
    stage.later.run()
    #expect(stage.evaluated() == [])
    models[1].name = "seen"
    stage.later.run()
    #expect(stage.evaluated() == ["Observing: object `model`"])
  }

  // MARK: - Owned

  struct Owning: PageView {
    @ObservedElement var element
    @StateObject var model: Model
    let reach: Reach<Bindable<Model>>
    init(heard: Heard, reach: Reach<Bindable<Model>>) {
      _model = StateObject(wrappedValue: Model("own", heard: heard))
      self.reach = reach
    }
    var body: some View {
      let _ = reach.value = $model
      Text("\(model.name) \(model.age)")
    }
  }

  @Test func `an owned object is created once and released with its view`() {
    let heard = Heard()
    let reach = Reach<Bindable<Model>>()
    let stage = Stage { Owning(heard: heard, reach: reach) }
    #expect(heard.all == [])
    stage.draw()
    #expect(heard.all == ["made"])
    reach.value?.age.wrappedValue = 7
    reach.value = nil
    for round in 0..<3 { stage.touch(round) }
    #expect(stage.draw() == "own 7")
    #expect(heard.all == ["made"])
    reach.value = nil
    stage.coordinator.update(markup: "")
    #expect(heard.all == ["made", "gone"])
  }

  @Test func `a binding to a property of an object reads and sets it`() {
    let reach = Reach<Bindable<Model>>()
    let stage = Stage { Owning(heard: Heard(), reach: reach) }
    stage.draw()
    let name = reach.value?.name
    #expect(name?.wrappedValue == "own")
    name?.wrappedValue = "set"
    stage.later.run()
    #expect(stage.evaluated() == ["Owning: object `model`"])
    #expect(name?.wrappedValue == "set")
  }

  // MARK: - Environment

  struct Finding: PageView {
    @EnvironmentObject var model: Model
    var body: some View { Text(model.name) }
  }

  struct Giving: PageView {
    @State var isOther = false
    let models: [Model]
    let reach: Reach<Binding<Bool>>
    var body: some View {
      let _ = reach.value = $isOther
      Tag("p") { Finding() }.environmentObject(models[isOther ? 1 : 0])
    }
  }

  @Test func `an environment object is found by its type and observed`() {
    let models = [Model("a"), Model("b")]
    let reach = Reach<Binding<Bool>>()
    let stage = Stage { Giving(models: models, reach: reach) }
    #expect(stage.draw() == "<p>a</p>")
    #expect(stage.page.problems == [])
    models[0].name = "c"
    stage.later.run()
    #expect(stage.evaluated() == ["Finding: object `model`"])
    reach.value?.wrappedValue = true
    #expect(stage.evaluated().last == "Finding: environment")
    #expect(stage.draw() == "<p>b</p>")
    models[0].name = "unseen"
    stage.later.run()
    #expect(stage.evaluated() == [])
  }

  @Test func `a missing environment object is a problem that names the view, the type and the property`() {
    let stage = Stage { Finding() }
    // The body is not evaluated, so that it cannot read an object that does not exist.
    #expect(stage.draw() == "")
    #expect(
      stage.page.problems.map(\.message) == [
        "<x> Finding: the environment has no Model for `model`. An enclosing view "
          + "must provide one with `environmentObject(_:)`"
      ])
  }
}
