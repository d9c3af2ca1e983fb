import MarkupDocument
import NodeObservation
import TestSupport
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

@Suite struct ObserverTests {
  let coordinator = DocumentCoordinator(
    markup: #"<ul id="list"><li id="a">1</li><li id="b">2</li></ul><p id="p" class="x">text</p>"#, dialect: .html)
  let heard = Heard()

  func node(_ id: String) -> NodeRef { coordinator.node(id: id) }

  func observe(_ id: String, children: Bool = false) -> Observer {
    let box = WeakBox<Observer>()
    let observer = Observer(of: node(id), in: coordinator, observeChildren: children) { [heard, coordinator] node in
      let name = coordinator.reading { $0.content(of: node)?.element?.id ?? "?" } ?? ""
      let children = box.value?.children.count ?? -1
      heard.note("\(name) \(box.value?.element?["class"] ?? "-") \(children)")
    }
    box.value = observer
    return observer
  }

  @Test func `element and children are current when the observer is notified`() {
    let observer = observe("list")
    #expect(observer.element?.id == "list")
    #expect(observer.children == [node("a"), node("b")])
    coordinator.update(markup: #"<ul id="list" class="y"><li id="b">2</li></ul><p id="p" class="x">text</p>"#)
    #expect(heard.all == ["list y 1"])
    #expect(observer.children == [node("b")])
    #expect(observer.signalCount == 1)
    #expect(!observer.isFinished)
  }

  @Test func `the element stays the same between signals`() {
    let observer = observe("p")
    #expect(observer.element?["class"] == "x")
    let early = Box<String>()
    // This subscriber is notified before the observer: the document has changed, but the observer
    // still has the old element.
    let first = coordinator.publishers.subscribe(to: node("list")) { _ in early.value = observer.element?["class"] }
    coordinator.update(markup: #"<ul id="list" class="y"></ul><p id="p" class="z">text</p>"#)
    #expect(early.value == "x")
    #expect(observer.element?["class"] == "z")
    first.cancel()
  }

  @Test func `nothing is looked up before it is read`() {
    let counting = CountingCoordinator(coordinator)
    let delegate = Delegate(heard)
    let observer = Observer(of: node("p"), in: counting, isCountedByMirror: false, delegate: delegate)
    coordinator.update(markup: #"<p id="p" class="y">text</p>"#)
    #expect(counting.reads == 0)
    #expect(observer.element?["class"] == "y")
    #expect(observer.element?["class"] == "y")
    #expect(observer.children.count == 1)
    #expect(counting.reads == 1)
    #expect(heard.all == ["changed"])
  }

  @Test func `an observer of a removed node is finished and has no element`() {
    let observer = observe("a")
    let plain = Observer(of: node("b"), in: coordinator)
    #expect(observer.element?.id == "a")
    let a = node("a")
    coordinator.update(markup: #"<ul id="list"><li id="b">2</li></ul>"#)
    #expect(observer.isFinished)
    #expect(observer.element == nil)
    #expect(observer.children == [])
    #expect(heard.all == [])
    #expect(Observer(of: a, in: coordinator).isFinished)
    coordinator.replace(markup: #"<ul id="list"><li id="b">2</li></ul>"#)
    #expect(plain.isFinished)
    #expect(coordinator.publishers.counts() == [:])
  }

  @Test func `a constant observer neither subscribes nor is counted`() {
    let constant = Observer.constant(node("p"), in: coordinator)
    #expect(constant.element?["class"] == "x")
    coordinator.update(markup: #"<p id="p" class="z">text</p>"#)
    #expect(constant.element?["class"] == "x")
    #expect(constant.signalCount == 0)
    #expect(coordinator.publishers.counts() == [:])
    #expect(!constant.isFinished)
    constant.cancel()
  }

  @Test func `releasing the observer ends it`() {
    var observer: Observer? = observe("p", children: true)
    #expect(coordinator.publishers.count(of: node("p")) == .init(observers: 1))
    withExtendedLifetime(observer) {}
    observer = nil
    #expect(coordinator.publishers.counts() == [:])
    coordinator.update(markup: #"<p id="p" class="z">text</p>"#)
    #expect(heard.all == [])
  }

  @Test func `cancelling releases the objects that the closure retains`() {
    var held: Heard? = Heard()
    let look = WeakBox(held)
    let observer = Observer(of: node("p"), in: coordinator) { [held] _ in held?.note("") }
    held = nil
    #expect(look.value != nil)
    observer.cancel()
    #expect(look.value == nil)
    withExtendedLifetime(observer) {}
  }

  @Test func `added children are observed and removed ones are not`() {
    let observer = observe("list", children: true)
    #expect(coordinator.publishers.counts().count == 3)
    coordinator.update(markup: #"<ul id="list"><li id="a" class="c">1</li><li id="b">2</li></ul>"#)
    #expect(heard.take() == ["a - 2"])
    // An added child notifies the list. A later change of that child notifies the list's observer
    // of the child.
    coordinator.update(markup: #"<ul id="list"><li id="a">1</li><li id="b">2</li><li id="c">3</li></ul>"#)
    #expect(heard.take() == ["list - 3", "a - 3"])
    coordinator.update(markup: #"<ul id="list"><li id="a">1</li><li id="b">2</li><li id="c">4</li></ul>"#)
    #expect(heard.take() == ["c - 3"])
    // Two children are removed.
    coordinator.update(markup: #"<ul id="list"><li id="c">4</li></ul>"#)
    #expect(heard.take() == ["list - 1"])
    #expect(coordinator.publishers.counts().keys.sorted() == [node("list"), node("c")].sorted())
    #expect(observer.signalCount == 5)
  }

  @Test func `a child that moved to another parent is no longer observed`() {
    let observer = observe("list", children: true)
    let child = node("a")
    coordinator.update(markup: #"<ul id="list"><li id="b">2</li></ul><div id="d"><li id="a">1</li></div>"#)
    #expect(node("a") == child)
    #expect(heard.take() == ["list - 1"])
    coordinator.update(markup: #"<ul id="list"><li id="b">2</li></ul><div id="d"><li id="a" class="n">9</li></div>"#)
    #expect(heard.take() == [])
    #expect(coordinator.publishers.counts().keys.sorted() == [node("list"), node("b")].sorted())
    withExtendedLifetime(observer) {}
  }

  @Test func `observing children cannot be reverted`() {
    let observer = observe("list")
    #expect(coordinator.publishers.counts().count == 1)
    observer.observeChildren()
    observer.observeChildren()
    #expect(coordinator.publishers.counts().count == 3)
    observer.cancel()
    #expect(coordinator.publishers.counts() == [:])
    observer.observeChildren()
    #expect(coordinator.publishers.counts() == [:])
  }

  @Test func `text children are not observed`() {
    let observer = observe("p", children: true)
    #expect(observer.children.count == 1)
    #expect(coordinator.publishers.counts().count == 1)
  }

  @Test func `changes publish the changed node and complete with the observed node`() {
    let observer = observe("list", children: true)
    let own = node("list")
    let b = node("b")
    let sink = observer.changes.sink(
      receiveCompletion: { [heard] _ in heard.note("finished") }, receiveValue: { [heard] in heard.note("\($0)") })
    coordinator.update(markup: #"<ul id="list" class="y"><li id="a">1</li><li id="b">3</li></ul>"#)
    #expect(heard.take() == ["list y 2", "\(own)", "b y 2", "\(b)"])
    coordinator.update(markup: "")
    #expect(heard.take() == ["finished"])
    observer.changes.sink(receiveCompletion: { [heard] _ in heard.note("at once") }, receiveValue: { _ in }).cancel()
    #expect(heard.take() == ["at once"])
    sink.cancel()
  }

  @Test func `a subscription to the changes retains the observer`() {
    let sink = Observer(of: node("p"), in: coordinator).changes.sink { [heard] in heard.note("\($0)") }
    coordinator.update(markup: #"<p id="p" class="z">text</p>"#)
    #expect(heard.take() == ["\(node("p"))"])
    sink.cancel()
    #expect(coordinator.publishers.counts() == [:])
  }

  @Test func `a delegate is notified and not retained`() {
    var delegate: Delegate? = Delegate(heard)
    let look = WeakBox(delegate)
    let observer = delegate.map { Observer(of: node("p"), in: coordinator, isCountedByMirror: true, delegate: $0) }
    coordinator.update(markup: #"<p id="p" class="z">text</p>"#)
    #expect(heard.take() == ["changed"])
    delegate = nil
    #expect(look.value == nil)
    coordinator.update(markup: #"<p id="p" class="a">text</p>"#)
    #expect(heard.take() == [])
    #expect(observer?.signalCount == 2)
  }

  @Test func `a delegate is notified of the end`() {
    let delegate = Delegate(heard)
    let observer = Observer(of: node("p"), in: coordinator, isCountedByMirror: true, delegate: delegate)
    coordinator.update(markup: "")
    #expect(heard.take() == ["finished"])
    #expect(observer.isFinished)
  }

  /// The counter of the mirror includes the view of an element, but not the view of its parent.
  @Test func `an observer of children counts at each child, also if the mirror has counted its own element`() {
    var mounted = MountedObservers(publishers: coordinator.publishers)
    for id in ["list", "a", "b"] { mounted.replaceDocument(root: node(id)) }
    let before = coordinator.publishers.counts()
    let delegate = Delegate(heard)
    for (isStandIn, own) in [(true, 1), (false, 2)] {
      let observer = Observer(of: node("list"), in: coordinator, isCountedByMirror: isStandIn, delegate: delegate)
      observer.observeChildren()
      #expect(coordinator.publishers.count(of: node("a")).observers == 2)
      #expect(coordinator.publishers.count(of: node("list")).observers == own)
      #expect(coordinator.publishers.sums.all == coordinator.publishers.counts().values.reduce(0) { $0 + $1.total })
      observer.cancel()
    }
    #expect(coordinator.publishers.counts() == before)
  }
}
