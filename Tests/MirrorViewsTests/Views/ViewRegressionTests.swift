import MarkupDocument
import MirrorSupport
@testable import MirrorViews
import NodeObservation
import TestSupport
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

// Regression tests for faults that reviews found.

private struct LevelKey: EnvironmentKey { static let defaultValue = 0 }
extension EnvironmentValues {
  fileprivate var level: Int {
    get { self[LevelKey.self] }
    set { self[LevelKey.self] = newValue }
  }
}

private struct KindA: PageView {
  @State var count = 1
  let reach: Reach<Binding<Int>>
  var body: some View { reach.value = $count; return Tag("a") { Text("\(count)") } }
}
private struct KindB: PageView {
  @State var count = 100
  var body: some View { Tag("b") { Text("\(count)") } }
}
private struct Card: PageView {
  @ObservedElement var element
  init(_ element: ElementNode) { _element = ObservedElement(element: element) }
  var body: some View { Text(element["n"] ?? "?") }
}
private struct CardHost: PageView {
  @ObservedElement var element
  var body: some View { Tag("i") { Card(element) } }
}
private struct Named: PageView {
  @Attribute var value: String?
  init(_ name: String) { _value = Attribute(name) }
  var body: some View { Text(value ?? "nil") }
}
private struct NamedHost: PageView {
  @Attribute("which") var which: String?
  var body: some View { Tag("i") { Named(which ?? "a") } }
}
private struct Chain: PageView {
  let level: Int
  let value: Int
  var body: some View { if level > 0 { Chain(level: level - 1, value: value) } else { Text("\(value)") } }
}
private struct ChainHost: PageView {
  @State var value = 0
  let reach: Reach<Binding<Int>>
  var body: some View { reach.value = $value; return Chain(level: 120, value: value) }
}
private struct EnvHost: PageView {
  @ObservedElement var element
  @Attribute("level") var level = 0
  var body: some View { Children(of: element).environment(\.level, level) }
}
private struct EnvLeaf: PageView {
  @Environment(\.level) var level
  var body: some View { Text("\(level)") }
}
private struct G: PageView {
  @State var value = 0
  let g: Reach<Binding<Int>>
  let c: Reach<Binding<Int>>
  let heard: Heard
  var body: some View { g.value = $value; return M(value: value, c: c, heard: heard) }
}
private struct M: PageView {
  let value: Int
  let c: Reach<Binding<Int>>
  let heard: Heard
  var body: some View { C(value: value, c: c, heard: heard) }
}
private struct C: PageView {
  let value: Int
  @State var own = 0
  let c: Reach<Binding<Int>>
  let heard: Heard
  var body: some View { c.value = $own; heard.note("\(value)/\(own)"); return Text("\(value)/\(own)") }
}
private struct Hider: PageView {
  @ObservedElement var element
  @Attribute("open") var isOpen: Bool
  var body: some View { if isOpen { Inner(children: element) } else { Text("closed") } }
}
private struct Inner: PageView {
  let children: ElementNode
  var body: some View { Children(of: children) }
}
private struct DirectHider: PageView {
  @ObservedElement var element
  @Attribute("open") var isOpen: Bool
  var body: some View { if isOpen { Children(of: element) } else { Text("closed") } }
}
private struct Outliving: PageView {
  @State var count = 0
  @ObservedElement var element
  let reach: Reach<() -> Void>
  var body: some View { reach.value = { count += 1 }; return Text("\(count)\(element.tag)") }
}
private final class Model: ObservableObject { @OpenCombine.Published var n = 0 }
private struct ModelView: PageView {
  @ObservedObject var model: Model
  var body: some View { Text("\(model.n)") }
}
private struct Setter: PageView {
  let work: () -> Void
  var body: some View { work(); return Text("x") }
}
private struct SharedReader: PageView {
  @Shared var n: Int
  init(_ key: SharedKey<Int>) { _n = Shared(key) }
  var body: some View { Text("\(n)") }
}

private struct Plain: PageView {
  @Attribute("a") var a: String?
  var body: some View { Text(a ?? "") }
}
private struct Both: PageView {
  @ObservedElement(observeChildren: true) var element
  var body: some View {
    Tag("i") {
      Plain(); Children(of: element)
    }
  }
}
@Suite struct ViewRegressionTests {
  @Test func `a view of another type keeps no state of the previous one`() {
    let reach = Reach<Binding<Int>>()
    let reachBox = UncheckedSendable(value: reach)
    let coordinator = DocumentCoordinator(markup: #"<x kind="a"></x>"#, dialect: .native)
    var registry = ViewRegistry.html
    registry.register("x") {
      $0["kind"] == "a" ? KindA(reach: reachBox.value) as any PageView : KindB() as any PageView
    }
    let page = ViewTree(of: coordinator, registry: registry)
    #expect(page.markup == "<a>1</a>")
    reach.value?.wrappedValue = 5
    #expect(page.markup == "<a>5</a>")
    coordinator.update(markup: #"<x kind="b"></x>"#)
    #expect(page.markup == "<b>100</b>")
  }

  @Test func `whether an element is constant is an input of the view`() {
    let stage = Stage(#"<x n="1"></x>"#) { CardHost() }
    #expect(stage.page.markup == "<i>1</i>")
    stage.coordinator.update(markup: #"<x n="2"></x>"#)
    #expect(stage.page.markup == "<i>2</i>")
  }

  @Test func `the name of an attribute is an input of the view`() {
    let stage = Stage(#"<x which="a" a="1" b="2"></x>"#) { NamedHost() }
    #expect(stage.page.markup == "<i>1</i>")
    stage.coordinator.update(markup: #"<x which="b" a="1" b="2"></x>"#)
    #expect(stage.page.markup == "<i>2</i>")
  }

  @Test func `inputs reach a view at any depth`() {
    let reach = Reach<Binding<Int>>()
    let stage = Stage { ChainHost(reach: reach) }
    #expect(stage.page.markup == "0")
    reach.value?.wrappedValue = 7
    #expect(stage.page.markup == "7")
    #expect(stage.page.problems.map { $0.message.prefix(80) } == [])
  }

  @Test func `an environment value reaches a view at any depth`() {
    let deep = String(repeating: "<div>", count: 150) + "<leaf></leaf>" + String(repeating: "</div>", count: 150)
    let coordinator = DocumentCoordinator(markup: "<x level=\"1\">\(deep)</x>", dialect: .native)
    var registry = ViewRegistry.html
    registry.register("x") { _ in EnvHost() }
    registry.register("leaf") { _ in EnvLeaf() }
    let page = ViewTree(of: coordinator, registry: registry)
    #expect(page.markup.contains("<div>1</div>"))
    coordinator.update(markup: "<x level=\"2\">\(deep)</x>")
    #expect(page.markup.contains("<div>2</div>"))
    #expect(page.problems.map { $0.message.prefix(60) } == [])
  }

  @Test func `a view is evaluated once, with the latest state and inputs`() {
    let (g, c, heard) = (Reach<Binding<Int>>(), Reach<Binding<Int>>(), Heard())
    let stage = Stage { G(g: g, c: c, heard: heard) }
    _ = stage.page.markup
    _ = heard.take()
    Publication.run {
      g.value?.wrappedValue = 1; c.value?.wrappedValue = 1
    }
    #expect(heard.take() == ["1/1"])
  }

  @Test func `a view that is no longer shown is not evaluated`() {
    for inner in [false, true] {
      let coordinator = DocumentCoordinator(markup: #"<x open><y>1</y></x>"#, dialect: .native)
      var registry = ViewRegistry.html
      registry.register("x") { _ in inner ? Hider() as any PageView : DirectHider() as any PageView }
      let page = ViewTree(of: coordinator, registry: registry)
      _ = page.markup
      coordinator.update(markup: #"<x><y>1</y></x>"#)
      #expect(page.markup == "closed")
      #expect(page.count == 2, "inner \(inner)")
      _ = page.takeEvaluations()
      coordinator.update(markup: #"<x><y>2</y></x>"#)
      #expect(page.takeEvaluations().map(\.description) == [], "inner \(inner)")
    }
  }

  @Test func `work that a body defers runs after the tree is unlocked`() {
    let (free, pageBox, once) = (Guarded(false), Box<ViewTree>(), Once())
    let stage = Stage {
      Setter(work: {
        guard once.isFirst else { return }
        try? Publication.afterwards("later") {
          let isFree = Self.isFree(pageBox.value)
          free.withLock { $0 = isFree }
        }
      })
    }
    pageBox.value = stage.page
    _ = stage.page.markup
    #expect(free.current)
    pageBox.value = nil
  }

  @Test func `a value that a body changes is evaluated after the drawing`() {
    let (key, once) = (SharedKey("k", default: 0, in: InMemoryStore()), Once())
    let coordinator = DocumentCoordinator(markup: "<r></r><x></x>", dialect: .native)
    var registry = ViewRegistry.html
    registry.register("x") { _ in
      Setter(work: {
        @Shared(key) var n
        if once.isFirst { n = 5 }
      })
    }
    registry.register("r") { _ in SharedReader(key) }
    let page = ViewTree(of: coordinator, registry: registry)
    #expect(page.markup == "0x")
    @Shared(key) var n
    #expect(n == 5)
    #expect(page.takeEvaluations().map(\.reasons) == [[.shared("k")]])
  }

  @Test func `the scheduler is called once, and outside of the lock`() {
    let (model, pageBox, free) = (UncheckedSendable(value: Model()), Box<ViewTree>(), Guarded([Bool]()))
    let coordinator = DocumentCoordinator(markup: "<x></x>", dialect: .native)
    var registry = ViewRegistry.html
    registry.register("x") { _ in ModelView(model: model.value) }
    let page = ViewTree(of: coordinator, registry: registry) { _ in
      let isFree = Self.isFree(pageBox.value)
      free.withLock { $0.append(isFree) }
    }
    pageBox.value = page
    _ = page.markup
    for n in 1...3 { model.value.n = n }
    #expect(free.current == [true])
    pageBox.value = nil
  }

  /// Whether another thread can read a tree during the call.
  private static func isFree(_ page: ViewTree?) -> Bool {
    let done = Gate()
    let thread = OtherThread {
      _ = page?.count
      done.open()
    }
    for _ in 0..<20_000 where !done.isPassed { Gate.pause() }
    if done.isPassed { thread.join() }
    return done.isPassed
  }

  private final class Once: Sendable {
    private let done = Guarded(false)
    var isFirst: Bool {
      done.withLock { done in
        defer { done = true }
        return !done
      }
    }
  }

  @Test func `a changed child invalidates only views that observe children`() {
    let stage = Stage(#"<x a="1"><y b="1"></y></x>"#) { Both() }
    _ = stage.draw()
    stage.coordinator.update(markup: #"<x a="1"><y b="2"></y></x>"#)
    #expect(stage.page.takeEvaluations().map(\.type) == ["Both", "ElementMarkup"])
  }

  @Test func `a closure that a body created may be called after the tree is released`() {
    let reach = Reach<() -> Void>()
    do {
      let stage = Stage { Outliving(reach: reach) }
      _ = stage.page.markup
    }
    reach.value?()
  }
  @Test func `an object may change on another thread while a tree is released`() {
    let model = Model()
    let box = UncheckedSendable(value: model)
    let stop = Guarded(false)
    let thread = OtherThread { while !stop.current { box.value.objectWillChange.send() } }
    for _ in 0..<500 {
      let coordinator = DocumentCoordinator(markup: "<x></x>", dialect: .native)
      var registry = ViewRegistry.html
      registry.register("x") { _ in ModelView(model: box.value) }
      let page = ViewTree(of: coordinator, registry: registry)
      _ = page.markup
    }
    stop.withLock { $0 = true }
    thread.join()
  }
}
