import MarkupDocument
import MirrorViews
import NodeObservation
import Testing

/// States, and bindings that read and set them.
@Suite struct BindingTests {
  struct Point: Equatable { var (x, y) = (0, 0) }

  struct Field: PageView {
    @Binding var point: Point
    let reach: Reach<Binding<Point>>
    var body: some View {
      let _ = reach.value = $point
      Text("\(point.x),\(point.y)")
    }
  }

  struct Form: PageView {
    @State var point = Point()
    @State var title = "t"
    let reach: Reach<Binding<Point>>
    let title2: Reach<Binding<String>>
    var body: some View {
      let _ = title2.value = $title
      Text(title)
      Field(point: $point, reach: reach)
    }
  }

  @Test func `a child sets the state of its parent through a binding`() {
    let (reach, title) = (Reach<Binding<Point>>(), Reach<Binding<String>>())
    let stage = Stage { Form(reach: reach, title2: title) }
    #expect(stage.draw() == "t0,0")
    reach.value?.wrappedValue = Point(x: 1, y: 2)
    #expect(stage.evaluated().first == "Form: state `point`")
    #expect(stage.draw() == "t1,2")
    reach.value?.y.wrappedValue = 5
    #expect(stage.draw() == "t1,5")
    #expect(reach.value?.wrappedValue == Point(x: 1, y: 5))
  }

  @Test func `setting an equal value through a binding evaluates nothing`() {
    let (reach, title) = (Reach<Binding<Point>>(), Reach<Binding<String>>())
    let stage = Stage { Form(reach: reach, title2: title) }
    stage.draw()
    reach.value?.wrappedValue = Point()
    title.value?.wrappedValue = "t"
    #expect(stage.evaluated() == [])
  }

  @Test func `two states that change in one publication cause one evaluation`() {
    let (reach, title) = (Reach<Binding<Point>>(), Reach<Binding<String>>())
    let stage = Stage { Form(reach: reach, title2: title) }
    stage.draw()
    Publication.run {
      reach.value?.x.wrappedValue = 9
      title.value?.wrappedValue = "u"
    }
    #expect(stage.evaluated().first == "Form: state `point`, state `title`")
    #expect(stage.draw() == "u9,0")
  }

  @Test func `a constant binding does not change`() {
    let binding = Binding.constant(1)
    binding.wrappedValue = 2
    #expect(binding.wrappedValue == 1)
  }

  @Test func `a state outside of a tree keeps its initial value`() {
    let form = Form(reach: Reach(), title2: Reach())
    form.title = "unset"
    #expect(form.title == "t")
  }

  @Test func `setting the state of an ended view has no effect`() {
    let (reach, title) = (Reach<Binding<Point>>(), Reach<Binding<String>>())
    let stage = Stage { Form(reach: reach, title2: title) }
    stage.draw()
    let binding = title.value
    stage.coordinator.update(markup: "")
    binding?.wrappedValue = "late"
    #expect(stage.evaluated().filter { $0.hasPrefix("Form") } == [])
  }

  struct Level: PageView {
    @Environment(\.level) var level
    var body: some View { Text("\(level)") }
  }

  @Test func `the nearest enclosing view determines an environment value`() {
    let stage = Stage {
      Group {
        Level()
        Group { Level() }.environment(\.level, 2).environment(\.level, 1)
      }
    }
    #expect(stage.draw() == "02")
  }
}

private enum LevelKey: EnvironmentKey { static let defaultValue = 0 }

extension EnvironmentValues {
  fileprivate var level: Int {
    get { self[LevelKey.self] }
    set { self[LevelKey.self] = newValue }
  }
}
