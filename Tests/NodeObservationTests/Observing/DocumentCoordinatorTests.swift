import DocumentInvariants
import MarkupDocument
import MirrorSupport
import NodeObservation
import TestSupport
import Testing

@Suite struct DocumentCoordinatorTests {
  let coordinator = DocumentCoordinator(markup: #"<p id="a">1</p>"#, dialect: .html)
  let heard = Heard()

  func markup(_ text: String) -> String { #"<p id="a">\#(text)</p>"# }

  @Test func `an update returns its changes, and subscribers read the new document`() {
    let node = coordinator.node(id: "a")
    let subscription = coordinator.publishers.subscribe(to: node) { [heard, coordinator] _ in
      heard.note(coordinator.reading { $0.markup(of: $0.root) } ?? "")
    }
    let changes = coordinator.update(markup: markup("2")).changes
    #expect(changes.count == 1)
    #expect(coordinator.update(markup: markup("2")).isEmpty)
    #expect(heard.all == [markup("2")])
    subscription.cancel()
  }

  @Test func `a change set that was computed elsewhere is applied and notifies`() {
    let node = coordinator.node(id: "a")
    let observer = Observer(of: node, in: coordinator)
    let other = DocumentCoordinator(markup: markup("1"), dialect: .html)
    coordinator.apply(other.update(markup: #"<p id="a" class="c">1</p>"#))
    #expect(observer.element?["class"] == "c")
    #expect(observer.signalCount == 1)
  }

  @Test func `an update by a subscriber is deferred until all subscribers are notified`() {
    let node = coordinator.node(id: "a")
    let subscriptions = ["first", "second"].map { name in
      coordinator.publishers.subscribe(to: node) { [heard, coordinator] _ in
        let text = coordinator.reading { $0.markup(of: $0.root) } ?? ""
        heard.note("\(name) \(text.dropFirst(10).prefix(1))")
        guard text == #"<p id="a">2</p>"#, name == "first" else { return }
        #expect(coordinator.update(markup: #"<p id="a">3</p>"#).isEmpty)
      }
    }
    coordinator.update(markup: markup("2"))
    #expect(heard.all == ["first 2", "second 2", "first 3", "second 3"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `a replacement by a subscriber is deferred too`() {
    let node = coordinator.node(id: "a")
    let subscriptions = ["first", "second"].map { name in
      coordinator.publishers.subscribe(to: node) { [heard, coordinator] signal in
        heard.note("\(name) \(signal)")
        if name == "first", signal == .changed(node) { coordinator.replace(markup: "x") }
      }
    }
    coordinator.update(markup: markup("2"))
    let signals = [NodeSignal.changed(node), .finished(node)]
    #expect(heard.all == signals.flatMap { ["first \($0)", "second \($0)"] })
    #expect(coordinator.document.epoch == 2)
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `updates that cause each other without end are stopped`() {
    let node = coordinator.node(id: "a")
    let count = Guarded(1)
    let subscription = coordinator.publishers.subscribe(to: node) { [coordinator] _ in
      let next = count.withLock { count in
        count += 1
        return count
      }
      coordinator.update(markup: #"<p id="a">\#(next)</p>"#)
    }
    coordinator.update(markup: markup("0"))
    #expect(count.current == Publication.maximumDepth + 2)
    #expect(coordinator.refused?.cycle == ["update of the document"])
    subscription.cancel()
    #expect(!coordinator.update(markup: markup("after")).isEmpty)
  }

  @Test func `an update enqueued outside of a publication is applied at once`() throws {
    try coordinator.enqueue(markup: markup("2"))
    #expect(coordinator.reading { $0.markup(of: $0.root) } == markup("2"))
    try Publication.run {
      try coordinator.enqueue(markup: markup("3"))
      #expect(coordinator.reading { $0.markup(of: $0.root) } == markup("2"))
    }
    #expect(coordinator.reading { $0.markup(of: $0.root) } == markup("3"))
  }

  @Test func `two documents whose subscribers update each other do not wait for each other`() {
    let other = DocumentCoordinator(markup: #"<p id="a">1</p>"#, dialect: .html)
    let (inFirst, inSecond) = (Gate(), Gate())
    let own = Observer(of: coordinator.node(id: "a"), in: coordinator) { [markup] _ in
      guard !inFirst.isPassed else { return }
      inFirst.open()
      inSecond.wait()
      other.update(markup: markup("from first"))
    }
    let others = Observer(of: other.node(id: "a"), in: other) { [coordinator, markup] _ in
      guard !inSecond.isPassed else { return }
      inSecond.open()
      inFirst.wait()
      coordinator.update(markup: markup("from second"))
    }
    let threads = [coordinator, other].map { coordinator in
      OtherThread { coordinator.update(markup: #"<p id="a">2</p>"#) }
    }
    for thread in threads { thread.join() }
    #expect(coordinator.document.markup(of: coordinator.document.root) == markup("from second"))
    #expect(other.document.markup(of: other.document.root) == markup("from first"))
    withExtendedLifetime((own, others)) {}
  }

  @Test func `the document keeps its invariants after any update`() {
    for text in ["", "<p></p>", "<ul><li id=x>1<li id=y>2</ul>", "<ul><li id=y>2<li id=x>3</ul>", "x"] {
      coordinator.update(markup: text)
      #expect(coordinator.document.checkInvariants() == [])
    }
  }
}
