import MarkupDocument
import MirrorSupport
import NodeObservation
import TestSupport
import Testing

@Suite struct NodePublishersTests {
  let publishers = NodePublishers()
  let heard = Heard()
  let a = NodeRef(epoch: 1, number: 2)
  let b = NodeRef(epoch: 1, number: 3)

  /// A subscriber that records its signals.
  func subscribe(_ name: String, to node: NodeRef) -> NodeSubscription {
    publishers.subscribe(to: node) { [heard] signal in
      switch signal {
      case .changed(let node): heard.note("\(name): \(node)")
      case .finished(let node): heard.note("\(name): \(node) finished")
      }
    }
  }

  @Test func `subscribers are called in the order in which they subscribed`() {
    let subscriptions = (0..<5).map { subscribe("\($0)", to: a) }
    subscriptions[1].cancel()
    let late = subscribe("late", to: a)
    #expect(publishers.send(to: a) == 5)
    #expect(heard.all == ["0: 2", "2: 2", "3: 2", "4: 2", "late: 2"])
    withExtendedLifetime((subscriptions, late)) {}
  }

  @Test func `a signal to a node without subscribers is counted and not stored`() {
    #expect(publishers.send(to: a) == 0)
    #expect(publishers.counts() == [:])
    #expect(publishers.unheard == 1)
    let subscription = subscribe("late", to: a)
    #expect(heard.all == [])
    subscription.cancel()
    #expect(publishers.counts() == [:])
  }

  @Test func `cancelling or releasing a subscription stops delivery`() {
    let one = subscribe("one", to: a)
    var two: NodeSubscription? = subscribe("two", to: a)
    one.cancel()
    one.cancel()
    #expect(two != nil)
    two = nil
    publishers.send(to: a)
    publishers.finish(a)
    #expect(heard.all == [])
    #expect(publishers.counts() == [:])
  }

  @Test func `a subscriber may cancel itself while it is called`() {
    let own = Box<NodeSubscription>()
    own.value = publishers.subscribe(to: a) { [heard] _ in
      heard.note("own")
      own.value?.cancel()
    }
    publishers.send(to: a)
    publishers.send(to: a)
    #expect(heard.all == ["own"])
    #expect(publishers.counts() == [:])
  }

  @Test func `a subscriber that an earlier one cancels is not called`() {
    let later = Box<NodeSubscription>()
    let first = publishers.subscribe(to: a) { [heard] _ in
      heard.note("first")
      later.value?.cancel()
    }
    later.value = subscribe("later", to: a)
    publishers.send(to: a)
    #expect(heard.all == ["first"])
    first.cancel()
  }

  @Test func `a subscriber that is cancelled while its publisher finishes is not called`() {
    let later = Box<NodeSubscription>()
    let first = publishers.subscribe(to: a) { [heard] _ in
      heard.note("first")
      later.value?.cancel()
    }
    later.value = subscribe("later", to: a)
    publishers.finish(a)
    #expect(heard.all == ["first"])
    first.cancel()
  }

  @Test func `a subscriber that is added during a delivery receives the next signal`() {
    let inner = Box<NodeSubscription>()
    let outer = publishers.subscribe(to: a) { [self] _ in
      heard.note("outer")
      if inner.value == nil { inner.value = subscribe("inner", to: a) }
    }
    publishers.send(to: a)
    publishers.send(to: a)
    #expect(heard.all == ["outer", "outer", "inner: 2"])
    outer.cancel()
  }

  @Test func `a subscriber may ask for counts while it is called`() {
    let subscription = publishers.subscribe(to: a, as: .observer) { [publishers, heard] _ in
      heard.note("\(publishers.count(of: NodeRef(epoch: 1, number: 2)).total) of \(publishers.counts().count)")
    }
    let other = subscribe("other", to: b)
    publishers.send(to: a)
    #expect(heard.all == ["1 of 2"])
    withExtendedLifetime((subscription, other)) {}
  }

  @Test func `finishing notifies every subscriber once and removes it`() {
    let subscriptions = [subscribe("one", to: a), subscribe("two", to: a), subscribe("b", to: b)]
    #expect(publishers.finish(a) == 2)
    #expect(publishers.finish(a) == 0)
    #expect(publishers.send(to: a) == 0)
    #expect(heard.all == ["one: 2 finished", "two: 2 finished"])
    #expect(publishers.counts() == [b: .init(clients: 1)])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `a new document finishes every publisher of the old one`() {
    let new = NodeRef(epoch: 2, number: 2)
    #expect(new != a)
    let subscriptions = [subscribe("b", to: b), subscribe("a", to: a), subscribe("new", to: new)]
    publishers.finishAll(before: 2)
    #expect(heard.all == ["a: 2 finished", "b: 3 finished"])
    #expect(publishers.counts() == [new: .init(clients: 1)])
    publishers.finishAll()
    #expect(heard.all == ["a: 2 finished", "b: 3 finished", "new: 2 finished"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `subscribers are counted by kind`() {
    let subscriptions = [
      publishers.subscribe(to: a, as: .observer) { _ in }, publishers.subscribe(to: a) { _ in },
      publishers.subscribe(to: a, as: .client) { _ in },
    ]
    #expect(publishers.count(of: a) == .init(observers: 1, clients: 2))
    #expect(publishers.count(of: b) == .init())
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `a released subscriber releases the subscriptions that it retains`() {
    let inner = Box<NodeSubscription>()
    inner.value = subscribe("inner", to: b)
    var outer: NodeSubscription? = publishers.subscribe(to: a) { [held = inner.value] _ in held?.cancel() }
    inner.value = nil
    #expect(publishers.counts() == [a: .init(clients: 1), b: .init(clients: 1)])
    #expect(outer != nil)
    outer = nil
    #expect(publishers.counts() == [:])
  }

  @Test func `an observer of a removed node is finished and removed`() {
    var scene = Scene(#"<p id="a">x<b id="b"></b></p><p id="c"></p>"#)
    let (a, b, c) = (scene.node(id: "a"), scene.node(id: "b"), scene.node(id: "c"))
    #expect(scene.publishers.signalCount(of: b) == 0)
    let client = scene.publishers.subscribe(to: b) { [heard] in heard.note("\($0)") }
    scene.update(#"<p id="c"></p>"#)
    #expect(scene.publishers.signalCount(of: b) == nil)
    #expect(scene.publishers.counts() == [scene.document.root: .init(observers: 1), c: .init(observers: 1)])
    #expect(scene.publishers.count(of: a) == .init())
    #expect(heard.all == ["finished(\(b))"])
    withExtendedLifetime(client) {}
  }
}

extension NodePublishersTests {
  @Test
  func `the 200,000th signal behaves like the first`() {
    let publishers = NodePublishers()
    let node = NodeRef(epoch: 1, number: 2)
    let heard = Guarded(0)
    let subscription = publishers.subscribe(to: node) { _ in heard.withLock { $0 += 1 } }
    for _ in 0..<200_000 { publishers.send(to: node) }
    subscription.cancel()
    #expect(heard.current == 200_000)
  }
}
