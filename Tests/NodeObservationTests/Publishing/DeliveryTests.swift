import MarkupDocument
import MirrorSupport
import NodeObservation
import TestSupport
import Testing

/// The order of calls for every small combination of actions during a delivery.
@Suite struct DeliveryTests {
  enum Action: CaseIterable { case nothing, cancel, drop, subscribe, send, finish }

  /// Three receivers. One of them performs an action on one of them when it is called.
  struct Case: CustomTestStringConvertible {
    var actor: Int
    var action: Action
    var victim: Int
    var testDescription: String { "\(actor) does \(action) with \(victim)" }

    static let all = (0..<3).flatMap { actor in
      Action.allCases.flatMap { action in (0..<3).map { Case(actor: actor, action: action, victim: $0) } }
    }
  }

  /// The same actions on a plain array: the expected result.
  struct Model {
    var listening = [0, 1, 2]
    var heard: [String] = []
    var hasActed = false
    let test: Case

    mutating func signal(_ name: String) {
      let snapshot = listening
      if name == "end" { listening = [] }
      var live = Set(snapshot)
      for receiver in snapshot where live.contains(receiver) && !cancelled.contains(receiver) {
        if name == "end" { ended.insert(receiver) } else if ended.contains(receiver) { continue }
        heard.append("\(receiver) \(name)")
        guard receiver == test.actor, !hasActed else { continue }
        hasActed = true
        switch test.action {
        case .nothing: break
        case .cancel, .drop:
          cancelled.insert(test.victim)
          listening.removeAll { $0 == test.victim }
          live.remove(test.victim)
        case .subscribe: listening.append(3)
        case .send: signal("again")
        case .finish: signal("end")
        }
      }
    }

    private var cancelled: Set<Int> = []
    private var ended: Set<Int> = []
    init(_ test: Case) { self.test = test }
  }

  @Test(arguments: Case.all)
  func `three receivers with every combination of actions`(_ test: Case) {
    let publishers = NodePublishers()
    let node = NodeRef(epoch: 1, number: 2)
    let heard = Heard()
    let held = Guarded<[Int: NodeSubscription]>([:])
    let hasActed = Guarded(false)

    @Sendable func subscribe(_ receiver: Int) {
      let subscription = publishers.subscribe(to: node) { signal in
        let name = signal == .finished(node) ? "end" : hasActed.current ? "again" : "first"
        heard.note("\(receiver) \(name)")
        let acts = receiver == test.actor && !hasActed.current
        if acts { act() }
      }
      held.withLock { $0[receiver] = subscription }
    }
    @Sendable func act() {
      if [.send, .finish].contains(test.action) { hasActed.withLock { $0 = true } }
      switch test.action {
      case .nothing: break
      case .cancel: held.withLock { $0[test.victim] }?.cancel()
      case .drop:
        let dropped = held.withLock { $0.removeValue(forKey: test.victim) }
        withExtendedLifetime(dropped) {}
      case .subscribe: subscribe(3)
      case .send: publishers.send(to: node)
      case .finish: publishers.finish(node)
      }
    }

    for receiver in 0..<3 { subscribe(receiver) }
    publishers.send(to: node)
    let first = heard.take()
    hasActed.withLock { $0 = true }
    publishers.send(to: node)
    let second = heard.take()

    var model = Model(test)
    model.signal("first")
    // Nested signals: a later subscriber receives the inner signal first. The first letters name
    // the signals.
    let expected = model.heard.map { $0.prefix(1) }
    #expect(first.map { $0.prefix(1) } == expected)
    model.heard = []
    model.hasActed = true
    model.signal("again")
    #expect(second == model.heard)
  }

  @Test func `subscribers are called in subscription order after any cancellations`() {
    // Subscribes three receivers and cancels every subset of them.
    for cancelled in 0..<8 {
      let publishers = NodePublishers()
      let node = NodeRef(epoch: 1, number: 2)
      let heard = Heard()
      func subscribe(_ name: String) -> NodeSubscription {
        publishers.subscribe(to: node) { _ in heard.note(name) }
      }
      var subscriptions = ["0", "1", "2"].map(subscribe)
      for receiver in 0..<3 where cancelled & 1 << receiver != 0 { subscriptions[receiver].cancel() }
      subscriptions.append(subscribe("late"))
      #expect(publishers.send(to: node) == heard.all.count)
      #expect(heard.all == (0..<3).filter { cancelled & 1 << $0 == 0 }.map(String.init) + ["late"])
      for subscription in subscriptions { subscription.cancel() }
      #expect(publishers.counts() == [:])
      #expect(publishers.send(to: node) == 0)
      #expect(publishers.unheard == 1)
    }
  }

  @Test func `no signal follows the end, not even one that was sent before`() {
    let publishers = NodePublishers()
    let node = NodeRef(epoch: 1, number: 2)
    let heard = Heard()
    // Two subscribers; the first ends the publisher before the second was notified.
    let first = publishers.subscribe(to: node) { if case .changed = $0 { publishers.finish(node) } }
    let second = publishers.subscribe(to: node) { heard.note("\($0)") }
    publishers.send(to: node)
    #expect(heard.all == ["finished(2)"])
    first.cancel()
    second.cancel()
  }

  /// The closure is valid while it is in use, so only the rule prevents a call after cancellation.
  @Test(arguments: [false, true])
  func `a receiver that is cancelled during a call is not called by a signal sent in that call`(byTheLast: Bool) {
    let publishers = NodePublishers()
    let node = NodeRef(epoch: 1, number: 2)
    let heard = Heard()
    let second = Box<NodeSubscription>()
    let isInside = Guarded(false)
    let first = publishers.subscribe(to: node) { _ in if isInside.current { second.value?.cancel() } }
    second.value = publishers.subscribe(to: node) { signal in
      heard.note("\(signal)")
      isInside.withLock { $0 = true }
      if byTheLast { publishers.finish(node) } else { publishers.send(to: node) }
    }
    publishers.send(to: node)
    #expect(heard.all == ["changed(2)"])
    first.cancel()
  }

  @Test func `an observer that represents a mounted counter is not counted twice`() {
    let scene = Scene(#"<p id="a"></p><p id="b">x</p>"#)
    let (a, b) = (scene.node(id: "a"), scene.node(id: "b"))
    let text = scene.document.children(of: b)[0]
    let standIn = scene.publishers.subscribe(to: a, as: .observer, isCountedByMirror: true) { _ in }
    let other = scene.publishers.subscribe(to: a, as: .observer) { _ in }
    let alone = scene.publishers.subscribe(to: text, as: .client, isCountedByMirror: true) { _ in }
    #expect(scene.publishers.count(of: a) == .init(observers: 2))
    #expect(scene.publishers.send(to: a) == 2)
    #expect(scene.publishers.count(of: text) == .init(observers: 1))
    #expect(scene.publishers.send(to: text) == 1)
    #expect(scene.publishers.total(of: [a, b, text]) == 4)
    #expect(scene.publishers.counts()[a] == .init(observers: 2))
    #expect(scene.publishers.finish(a) == 2)
    withExtendedLifetime((standIn, other, alone)) {}
  }

  @Test func `the objects that a closure retains are released when its publisher ends`() {
    let publishers = NodePublishers()
    let node = NodeRef(epoch: 1, number: 2)
    var held: Heard? = Heard()
    let look = WeakBox(held)
    let subscription = publishers.subscribe(to: node) { [held] _ in held?.note("") }
    held = nil
    publishers.send(to: node)
    #expect(look.value != nil)
    publishers.finish(node)
    #expect(look.value == nil)
    withExtendedLifetime(subscription) {}
  }

  @Test func `a subscriber that releases itself stays alive until it returns`() {
    let publishers = NodePublishers()
    let node = NodeRef(epoch: 1, number: 2)
    let own = Box<NodeSubscription>()
    let heard = Heard()
    let token = Heard()
    let look = WeakBox(token)
    own.value = publishers.subscribe(to: node) { [token] _ in
      own.value?.cancel()
      own.value = nil
      heard.note("\(look.value != nil)")
      token.note("")
    }
    publishers.send(to: node)
    #expect(heard.all == ["true"])
    #expect(publishers.counts() == [:])
  }

  @Test func `closing the registry finishes every subscription`() {
    let coordinator = DocumentCoordinator(markup: #"<p id="a"></p>"#, dialect: .html)
    let heard = Heard()
    let node = coordinator.node(id: "a")
    let subscription = coordinator.publishers.subscribe(to: node) { heard.note("\($0)") }
    coordinator.publishers.close()
    #expect(heard.all == ["finished(\(node))"])
    withExtendedLifetime(subscription) {}
  }

  // MARK: - Receivers that cause signals

  @Test func `a subscriber that signals its own node without end is stopped`() {
    let publishers = NodePublishers()
    let node = NodeRef(epoch: 1, number: 2)
    let calls = Guarded(0)
    let subscription = publishers.subscribe(to: node) { _ in
      calls.withLock { $0 += 1 }
      publishers.send(to: node)
    }
    for round in 1...2 {
      publishers.send(to: node)
      #expect(calls.current == round * Publication.maximumDepth)
      #expect(publishers.unheard == round)
    }
    subscription.cancel()
  }

  @Test func `a subscriber that signals its own node twice per call is stopped`() {
    let publishers = NodePublishers()
    let node = NodeRef(epoch: 1, number: 2)
    let calls = Guarded(0)
    let subscription = publishers.subscribe(to: node) { _ in
      calls.withLock { $0 += 1 }
      for _ in 0..<2 { publishers.send(to: node) }
    }
    for _ in 0..<2 {
      calls.withLock { $0 = 0 }
      publishers.send(to: node)
      let count = calls.current
      #expect(count > Publication.maximumDepth && count <= Publication.maximumFollowUps + 1)
    }
    subscription.cancel()
  }

  @Test(arguments: [2, 50, 400]) func `subscribers that signal each other in a circle are stopped`(length: Int) {
    let publishers = NodePublishers()
    let nodes = (0..<length).map { NodeRef(epoch: 1, number: $0 + 2) }
    let calls = Guarded(0)
    let subscriptions = nodes.indices.map { place in
      publishers.subscribe(to: nodes[place]) { _ in
        calls.withLock { $0 += 1 }
        publishers.send(to: nodes[(place + 1) % nodes.count])
      }
    }
    publishers.send(to: nodes[0])
    let count = calls.current
    #expect(count >= length && count <= 10 * Publication.maximumDepth)
    #expect(publishers.unheard == 1)
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `a subscriber may finish its own node at any depth of calls`() {
    let publishers = NodePublishers()
    let node = NodeRef(epoch: 1, number: 2)
    let finished = Guarded(0)
    let calls = Guarded(0)
    let subscription = publishers.subscribe(to: node) { signal in
      if case .finished = signal { return finished.withLock { $0 += 1 } }
      let isDeepest = calls.withLock { calls in
        calls += 1
        return calls == Publication.maximumDepth
      }
      if isDeepest { publishers.finish(node) } else { publishers.send(to: node) }
    }
    publishers.send(to: node)
    #expect(finished.current == 1)
    subscription.cancel()
  }
}
