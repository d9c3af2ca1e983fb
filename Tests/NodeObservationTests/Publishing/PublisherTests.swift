import MarkupDocument
import MirrorSupport
import NodeObservation
import TestSupport
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// The values that Combine subscribers of a coordinator receive.
@Suite struct PublisherTests {
  let coordinator = DocumentCoordinator(markup: #"<p id="a">1</p><p id="b">2</p>"#, dialect: .html)
  let heard = Heard()

  func node(_ id: String) -> NodeRef { coordinator.node(id: id) }

  func update(a: String, b: String = "2") {
    coordinator.update(markup: #"<p id="a">\#(a)</p><p id="b">\#(b)</p>"#)
  }

  func sink<Source: Publisher>(_ name: String, _ source: Source) -> AnyCancellable where Source.Failure == Never {
    source.sink(
      receiveCompletion: { [heard] _ in heard.note("\(name) finished") },
      receiveValue: { [heard] in heard.note("\(name) \($0)") })
  }

  // MARK: - Nodes

  @Test func `a node's publisher subscribes only when it receives a subscriber`() {
    let publisher = coordinator.elementChanged(node("a"))
    #expect(coordinator.publishers.counts() == [:])
    let first = sink("first", publisher)
    let second = sink("second", coordinator.elementChanged(node("a"), as: .observer))
    #expect(coordinator.publishers.count(of: node("a")) == .init(observers: 1, clients: 1))
    update(a: "3")
    #expect(heard.take() == ["first 2", "second 2"])
    first.cancel()
    second.cancel()
    #expect(coordinator.publishers.counts() == [:])
    update(a: "4")
    #expect(heard.take() == [])
  }

  @Test func `a node's publisher completes when the node is removed`() {
    let sinks = [sink("a", coordinator.elementChanged(node("a"))), sink("b", coordinator.elementChanged(node("b")))]
    coordinator.update(markup: #"<p id="b">3</p>"#)
    #expect(heard.take() == ["a finished", "b \(node("b"))"])
    coordinator.replace(markup: #"<p id="b">3</p>"#)
    #expect(heard.take() == ["b finished"])
    #expect(coordinator.publishers.counts() == [:])
    withExtendedLifetime(sinks) {}
  }

  @Test func `the publisher of a missing node completes at once`() {
    let sink = sink("gone", coordinator.elementChanged(NodeRef(epoch: 1, number: 99)))
    #expect(heard.take() == ["gone finished"])
    #expect(coordinator.publishers.counts() == [:])
    withExtendedLifetime(sink) {}
  }

  @Test func `changes without demand are kept as one`() {
    let taker = Taker<NodeRef>(demand: 0)
    coordinator.elementChanged(node("a")).receive(subscriber: taker)
    update(a: "3")
    update(a: "4")
    #expect(taker.heard.take() == [])
    taker.request(1)
    #expect(taker.heard.take() == ["2"])
    taker.request(1)
    #expect(taker.heard.take() == [])
    update(a: "5")
    #expect(taker.heard.take() == ["2"])
    update(a: "6")
    coordinator.update(markup: "")
    #expect(taker.heard.take() == [])
    taker.request(1)
    #expect(taker.heard.take() == ["2", "finished"])
  }

  @Test func `a subscriber may cancel inside its call`() {
    let own = Box<Taker<NodeRef>>()
    let taker = Taker<NodeRef>(demand: 10) { _ in own.value?.cancel() }
    own.value = taker
    coordinator.elementChanged(node("a")).receive(subscriber: taker)
    update(a: "3")
    update(a: "4")
    #expect(taker.heard.all == ["2"])
    #expect(coordinator.publishers.counts() == [:])
    own.value = nil
  }

  // MARK: - The document

  @Test func `the document's publisher publishes root changes and survives a replacement`() {
    let sink = sink("document", coordinator.documentChanged)
    update(a: "3")
    #expect(heard.take() == [])
    coordinator.update(markup: #"<p id="a">3</p>"#)
    #expect(heard.take() == ["document changed(root: 1)"])
    coordinator.replace(markup: "x")
    coordinator.update(markup: "y")
    #expect(heard.take() == ["document replaced(epoch: 2)", "document changed(root: 1)"])
    coordinator.publishers.close()
    #expect(heard.take() == ["document finished"])
    #expect(self.sink("late", coordinator.documentChanged) as AnyCancellable? != nil)
    #expect(heard.take() == ["late finished"])
    withExtendedLifetime(sink) {}
  }

  @Test func `subscribers of the document are notified last`() {
    let sinks = [
      sink("document", coordinator.documentChanged), sink("b", coordinator.elementChanged(node("b"))),
      sink("a", coordinator.elementChanged(node("a"))),
    ]
    coordinator.update(markup: #"<p id="b">4</p>"#)
    #expect(heard.take().map { $0.split(separator: " ")[0] } == ["a", "b", "document"])
    withExtendedLifetime(sinks) {}
  }

  @Test func `a later change does not hide a replacement without demand`() {
    let taker = Taker<DocumentEvent>(demand: 0)
    coordinator.documentChanged.receive(subscriber: taker)
    coordinator.update(markup: "1")
    coordinator.replace(markup: "2")
    coordinator.update(markup: "3")
    taker.request(5)
    #expect(taker.heard.all == ["replaced(epoch: 2)"])
  }

  // MARK: - Operators

  @Test func `coalesced values are delivered once, when the publication ends`() {
    let sinks = [
      sink("all", coordinator.elementChanged(node("a"))),
      sink("once", coordinator.elementChanged(node("a")).coalesced()),
    ]
    Publication.run {
      update(a: "3")
      update(a: "4")
      heard.note("-")
    }
    #expect(heard.take() == ["all 2", "all 2", "-", "once 2"])
    update(a: "5")
    #expect(heard.take() == ["all 2", "once 2"])
    coordinator.update(markup: "")
    #expect(heard.take() == ["all finished", "once finished"])
    withExtendedLifetime(sinks) {}
  }

  @Test func `coalesced values are delivered in the order of their first arrival`() {
    let subject = PassthroughSubject<Int, Never>()
    let sink = sink("once", subject.coalesced())
    Publication.run { for value in [3, 1, 3, 2, 1] { subject.send(value) } }
    #expect(heard.take() == ["once 3", "once 1", "once 2"])
    subject.send(4)
    #expect(heard.take() == ["once 4"])
    sink.cancel()
    subject.send(5)
    #expect(heard.take() == [])
  }

  @Test func `coalesced values without demand are kept once each`() {
    let subject = PassthroughSubject<Int, Never>()
    let taker = Taker<Int>(demand: 1)
    subject.coalesced().receive(subscriber: taker)
    for value in [1, 2, 3, 2] { subject.send(value) }
    #expect(taker.heard.take() == ["1"])
    taker.request(5)
    #expect(taker.heard.take() == ["2", "3"])
  }

  @Test func `a coalesced subscriber that causes its own values without end is stopped`() {
    let relay = Relay<Int>()
    let sink = relay.publisher.coalesced().sink { [heard] value in
      heard.note("\(value)")
      relay.send(value + 1)
    }
    relay.send(1)
    #expect(heard.all.count == Publication.maximumDepth)
    sink.cancel()
  }

  @Test func `a coalesced subscription that is cancelled before the end receives nothing`() {
    let sink = sink("once", coordinator.elementChanged(node("a")).coalesced())
    Publication.run {
      update(a: "3")
      sink.cancel()
    }
    #expect(heard.take() == [])
    #expect(coordinator.publishers.counts() == [:])
  }

  /// Combine's own operators on the publishers, with a clock that the test advances.
  @Test func `debounce and throttle deliver the expected values`() {
    let scheduler = HandClock()
    let sinks = [
      sink("debounce", coordinator.elementChanged(node("a")).debounce(for: .milliseconds(10), scheduler: scheduler)),
      sink(
        "latest",
        coordinator.elementChanged(node("a")).throttle(for: .milliseconds(10), scheduler: scheduler, latest: true)),
      sink(
        "first",
        coordinator.elementChanged(node("a")).throttle(for: .milliseconds(10), scheduler: scheduler, latest: false)),
    ]
    scheduler.advance(by: .milliseconds(1))
    for text in ["3", "4", "5"] {
      update(a: text)
      scheduler.advance(by: .milliseconds(2))
    }
    #expect(heard.all.filter { $0 == "debounce 2" }.count == 0)
    scheduler.advance(by: .milliseconds(20))
    #expect(heard.all.filter { $0 == "debounce 2" }.count == 1)
    #expect(heard.all.filter { $0 == "latest 2" }.count == 2)
    #expect(heard.all.filter { $0 == "first 2" }.count == 2)
    withExtendedLifetime(sinks) {}
  }

  @Test func `a subscriber that signals its own element without end is stopped`() {
    let calls = Guarded(0)
    let node = node("a")
    let sink = coordinator.elementChanged(node).sink { [coordinator] node in
      calls.withLock { $0 += 1 }
      coordinator.publishers.send(to: node)
    }
    update(a: "3")
    #expect(calls.current == Publication.maximumDepth + 1)
    sink.cancel()
  }

  @Test func `the completion of coalesced values follows the values that other threads collected`() {
    let relay = Relay<Int>()
    let sink = sink("once", relay.publisher.coalesced())
    Publication.run {
      relay.send(1)
      OtherThread.run {
        Publication.run {
          relay.send(2)
          relay.finish()
        }
      }
      heard.note("-")
    }
    #expect(heard.take() == ["once 2", "-", "once 1", "once finished"])
    sink.cancel()
  }
}
