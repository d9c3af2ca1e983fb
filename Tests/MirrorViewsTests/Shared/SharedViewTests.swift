import MarkupDocument
import MirrorViews
import NodeObservation
import Testing

/// Shared values in views.
@Suite struct SharedViewTests {
  let a = SharedKey("a", default: 1, in: InMemoryStore())
  let b = SharedKey("b", default: 2, in: InMemoryStore())

  struct Reading: PageView {
    @Shared var value: Int
    let reach: Reach<Shared<Int>>?
    init(_ key: SharedKey<Int>, reach: Reach<Shared<Int>>? = nil) {
      _value = Shared(key)
      self.reach = reach
    }
    var body: some View {
      let _ = reach?.value = $value
      Tag("b") { Text("\(value)") }
    }
  }

  struct Holding: PageView {
    @Shared var value: Int
    init(_ key: SharedKey<Int>) { _value = Shared(key) }
    var body: some View { Text("holds") }
  }

  @Test func `only views that read the value are evaluated`() {
    let (a, b) = (a, b)
    let stage = Stage {
      Group {
        Reading(a)
        Reading(b)
        Holding(a)
      }
    }
    #expect(stage.draw() == "<b>1</b><b>2</b>holds")
    @Shared(a) var value
    value = 5
    #expect(stage.evaluated() == ["Reading: shared `a`"])
    #expect(stage.draw() == "<b>5</b><b>2</b>holds")
    value = 5
    #expect(stage.evaluated() == [])
    Publication.run {
      value = 6
      @Shared(b) var other
      other = 7
      value = 8
    }
    #expect(stage.evaluated() == ["Reading: shared `a`", "Reading: shared `b`"])
    #expect(stage.draw() == "<b>8</b><b>7</b>holds")
  }

  struct Parent: PageView {
    @State var round = 0
    @State var key: SharedKey<Int>
    let reach: Reach<(round: Binding<Int>, key: Binding<SharedKey<Int>>)>
    let child: Reach<Shared<Int>>
    var body: some View {
      let _ = reach.value = ($round, $key)
      Tag("p", ["title": "\(round)"])
      Reading(key, reach: child)
    }
  }

  @Test func `a reassigned key is kept when the parent creates the view value again`() {
    let reach = Reach<(round: Binding<Int>, key: Binding<SharedKey<Int>>)>()
    let child = Reach<Shared<Int>>()
    let (a, b) = (a, b)
    let c = SharedKey("c", default: 3, in: InMemoryStore())
    let stage = Stage { Parent(key: a, reach: reach, child: child) }
    stage.draw()

    child.value?.load(b)
    #expect(stage.evaluated() == ["Reading: shared `a`"])
    #expect(stage.draw() == #"<p title="0"></p><b>2</b>"#)
    reach.value?.round.wrappedValue = 1
    #expect(stage.draw() == #"<p title="1"></p><b>2</b>"#)
    @Shared(b) var other
    other = 20
    #expect(stage.evaluated() == ["Reading: shared `b`"])
    @Shared(a) var old
    old = 10
    #expect(stage.evaluated() == [])

    // If the parent passes another key than before, that key replaces the reassigned one.
    reach.value?.key.wrappedValue = c
    #expect(stage.draw() == #"<p title="1"></p><b>3</b>"#)
  }

  @Test func `a reassigned key ends with its view`() {
    let child = Reach<Shared<Int>>()
    let (a, b) = (a, b)
    let stage = Stage { Reading(a, reach: child) }
    #expect(stage.draw() == "<b>1</b>")
    child.value?.load(b)
    #expect(stage.draw() == "<b>2</b>")
    stage.coordinator.update(markup: "")
    stage.draw()
    stage.coordinator.update(markup: "<x></x>")
    #expect(stage.draw() == "<b>1</b>")
  }
}
