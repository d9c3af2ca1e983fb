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

/// Closures that run again when a value that they have read changes.
@Suite struct ObserveTests {
  final class Model: @unchecked Sendable {
    @Shared(value: 0) var count
    @Shared(value: true) var isOn
  }

  let coordinator = DocumentCoordinator(
    markup: #"<p id="a" class="x" title="t">text<b id="b"></b></p><i id="i">other</i>"#, dialect: .html)
  let heard = Heard()
  let store = InMemoryStore()

  func update(_ p: String) { coordinator.update(markup: p + #"<i id="i">other</i>"#) }

  func shared(_ name: String) -> Shared<Int> {
    Shared(SharedKey(name, default: 0, in: store))
  }

  // MARK: - Sources

  @Test func `the closure runs only if an attribute that it read has changed`() {
    let element = coordinator.element(coordinator.node(id: "a"))
    let observer = observe { heard.note(element["class"] ?? "none") }
    update(#"<p id="a" class="x" title="other">text<b id="b"></b></p>"#)
    update(#"<p id="a" class="x" title="other">more<b id="b"></b></p>"#)
    #expect(heard.all == ["x"])
    update(#"<p id="a" class="y" title="other">more<b id="b"></b></p>"#)
    update(#"<p id="a">more<b id="b"></b></p>"#)
    #expect(heard.all == ["x", "y", "none"])
    #expect(observer.runs == 3)
    observer.cancel()
  }

  @Test func `the closure runs only if the text that it read has changed`() {
    let element = coordinator.element(coordinator.node(id: "a"))
    let observer = observe { heard.note(element.text ?? "none") }
    update(#"<p id="a" class="y">text<b id="b"></b></p>"#)
    update(#"<p id="a" class="y">text</p>"#)
    #expect(heard.all == ["text"])
    update(#"<p id="a" class="y">other</p>"#)
    #expect(heard.all == ["text", "other"])
    observer.cancel()
  }

  @Test func `the closure runs when a child is added or removed`() {
    let element = coordinator.element(coordinator.node(id: "a"))
    let observer = observe { heard.note(element.children.map { $0["id"] ?? "" }.joined(separator: " ")) }
    update(#"<p id="a" class="y">other<b id="b"></b></p>"#)
    update(#"<p id="a"><b id="b"></b><b id="c"></b></p>"#)
    update(#"<p id="a"><b id="d"></b><b id="c"></b></p>"#)
    #expect(heard.all.last == "d c")
    #expect(heard.all.first == "b")
    observer.cancel()
  }

  @Test func `the closure runs when a shared value or a property with a value of its own changes`() {
    let model = Model()
    let a = shared("a")
    let observer = observe { heard.note("\(model.count) \(a.wrappedValue)") }
    model.isOn = false
    model.count = 1
    a.wrappedValue = 2
    a.wrappedValue = 2
    #expect(heard.all == ["0 0", "1 0", "1 2"])
    observer.cancel()
  }

  @Test func `a source that is no longer read is unsubscribed`() {
    let model = Model()
    let a = shared("a")
    let element = coordinator.element(coordinator.node(id: "a"))
    let observer = observe { heard.note(model.isOn ? "\(a.wrappedValue) \(element.tag ?? "")" : "off") }
    #expect(observer.sourceCount == 5)
    model.isOn = false
    #expect(observer.sourceCount == 2)
    #expect(coordinator.publishers.count(of: element.node).total == 0)
    a.wrappedValue = 1
    #expect(heard.all == ["0 p", "off"])
    model.isOn = true
    #expect(heard.all == ["0 p", "off", "1 p"])
    observer.cancel()
  }

  @Test func `many reads of one value subscribe once`() {
    let a = shared("a")
    let element = coordinator.element(coordinator.node(id: "a"))
    let observer = observe { for _ in 0..<100 { _ = (a.wrappedValue, element.text, element.tag) } }
    for value in 1...200 { a.wrappedValue = value }
    #expect(observer.runs == 201)
    // The reference, its value and the element.
    #expect(observer.sourceCount == 3)
    #expect(coordinator.publishers.count(of: element.node).total == 1)
    observer.cancel()
    #expect(observer.sourceCount == 0)
    #expect(coordinator.publishers.count(of: element.node).total == 0)
  }

  // MARK: - Time of the runs

  @Test func `the closure runs once for each publication`() {
    let (a, b) = (shared("a"), shared("b"))
    let observer = observe { heard.note("\(a.wrappedValue) \(b.wrappedValue)") }
    Publication.run {
      a.wrappedValue = 1
      b.wrappedValue = 2
      a.wrappedValue = 3
      #expect(heard.all == ["0 0"])
    }
    #expect(heard.all == ["0 0", "3 2"])
    observer.cancel()
  }

  @Test func `the closure does not run if all values have changed back`() {
    let a = shared("a")
    let observer = observe { heard.note("\(a.wrappedValue)") }
    Publication.run {
      a.wrappedValue = 1
      a.wrappedValue = 0
    }
    #expect(heard.all == ["0"])
    observer.cancel()
  }

  @Test func `the closure runs after all subscribers are notified`() {
    let a = shared("a")
    let observer = observe { heard.note("observed \(a.wrappedValue)") }
    let cancellable = a.publisher.sink { [heard] in heard.note("sent \($0)") }
    a.wrappedValue = 1
    #expect(heard.all == ["observed 0", "sent 0", "sent 1", "observed 1"])
    cancellable.cancel()
    observer.cancel()
  }

  @Test func `the closure runs when a node is removed, and finds no node`() {
    let element = coordinator.element(coordinator.node(id: "a"))
    let observer = observe {
      heard.note(
        "\(element.exists) \(element.text ?? "nil") \(element["class"] ?? "nil") \(element.children.count)")
    }
    coordinator.update(markup: #"<i id="i">other</i>"#)
    #expect(heard.all == ["true text x 1", "false nil nil 0"])
    #expect(observer.sourceCount == 0)
    observer.cancel()
  }

  @Test func `the closure runs when a node is removed even if the read value does not change`() {
    let element = coordinator.element(coordinator.node(id: "a"))
    let observer = observe { heard.note(element["absent"] ?? "nil") }
    coordinator.replace(markup: "")
    #expect(heard.all == ["nil", "nil"])
    observer.cancel()
  }

  // MARK: - Nested closures

  @Test func `reads of an inner closure are not recorded for the outer one`() {
    let (a, b) = (shared("a"), shared("b"))
    let inner = Box<ReadObserver>()
    let outer = observe {
      heard.note("outer \(a.wrappedValue)")
      inner.value = observe { heard.note("inner \(b.wrappedValue)") }
    }
    b.wrappedValue = 1
    #expect(heard.all == ["outer 0", "inner 0", "inner 1"])
    a.wrappedValue = 1
    #expect(heard.all.suffix(2) == ["outer 1", "inner 1"])
    b.wrappedValue = 2
    // The second run of the outer closure released the inner closure of the first run.
    #expect(heard.all.suffix(2) == ["inner 1", "inner 2"])
    outer.cancel()
    inner.value?.cancel()
  }

  @Test func `a closure may cancel itself`() {
    let a = shared("a")
    let own = Box<ReadObserver>()
    own.value = observe {
      heard.note("\(a.wrappedValue)")
      if a.wrappedValue == 1 { own.value?.cancel() }
    }
    a.wrappedValue = 1
    a.wrappedValue = 2
    #expect(heard.all == ["0", "1"])
    #expect(own.value?.sourceCount == 0)
  }

  @Test func `the observation ends when its last reference is released`() {
    let a = shared("a")
    var observer: ReadObserver? = observe { heard.note("\(a.wrappedValue)") }
    #expect(observer?.runs == 1)
    observer = nil
    a.wrappedValue = 1
    #expect(heard.all == ["0"])
  }

  @Test func `cancelling waits for a run of the closure on another thread`() {
    let a = shared("a")
    let (running, release) = (Gate(), Gate())
    let observer = observe {
      guard a.wrappedValue == 1 else { return }
      running.open()
      release.wait()
      heard.note("run")
    }
    let publishing = OtherThread { a.wrappedValue = 1 }
    running.wait()
    let cancelling = OtherThread { [heard] in
      observer.cancel()
      heard.note("cancelled")
    }
    release.open()
    cancelling.join()
    publishing.join()
    #expect(heard.all == ["run", "cancelled"])
  }

  @Test func `a closure that sets the value that it reads is stopped and named in the error`() {
    let a = shared("a")
    let observer = observe("counting") { a.wrappedValue += 1 }
    #expect(a.wrappedValue < 200)
    guard case .cycle("a", let cycle)? = store.lastError else {
      Issue.record("the store has the error \(String(describing: store.lastError))")
      return
    }
    #expect(cycle.description.contains("a → counting (shared `a`) → a"))
    observer.cancel()
  }

  @Test func `a closure whose changes settle is not stopped`() {
    let a = shared("a")
    let observer = observe { if a.wrappedValue < 10 { a.wrappedValue += 1 } }
    #expect(a.wrappedValue == 10)
    a.wrappedValue = 3
    #expect(a.wrappedValue == 10)
    #expect(observer.refused == nil)
    #expect(store.lastError == nil)
    observer.cancel()
  }

  // MARK: - Changes during a read

  @Test func `an element that changes right after it was read is read again`() {
    let racing = RacingCoordinator(coordinator)
    let element = racing.element(coordinator.node(id: "a"))
    racing.afterNextLook { [coordinator] in coordinator.update(markup: #"<p id="a">later</p>"#) }
    let observer = observe { [heard] in heard.note(element.text ?? "none") }
    #expect(heard.all == ["text", "later"])
    observer.cancel()
  }

  @Test func `an element that is removed right after it was read is read again`() {
    let racing = RacingCoordinator(coordinator)
    let element = racing.element(coordinator.node(id: "a"))
    racing.afterNextLook { [coordinator] in coordinator.update(markup: "") }
    let observer = observe { [heard] in heard.note(element["absent"] ?? "none") }
    #expect(heard.all == ["none", "none"])
    #expect(observer.sourceCount == 0)
    observer.cancel()
  }

  @Test func `a value that never equals itself does not cause endless runs`() {
    let ratio = Shared(value: Double.nan)
    let observer = observe { [heard] in heard.note("\(ratio.wrappedValue)") }
    #expect(heard.all.count <= 3)
    #expect(observer.refused == nil)
    observer.cancel()
  }

  @Test func `a closure at the address of a released one misses no run`() {
    let a = shared("a")
    var missed: [Int] = []
    for round in 0..<50 {
      let heard = Heard()
      var kept: [ReadObserver] = []
      Publication.run {
        var first: ReadObserver? = observe { _ = a.wrappedValue }
        a.wrappedValue = 2 * round + 1
        // The pending observer is released; a later one may have the same address.
        withExtendedLifetime(first) {}
        first = nil
        kept = (0..<30).map { number in
          observe { heard.note("\(number): \(a.wrappedValue)") }
        }
        a.wrappedValue = 2 * round + 2
      }
      missed += (0..<30).filter { !heard.all.contains("\($0): \(2 * round + 2)") }
      kept.forEach { $0.cancel() }
    }
    #expect(missed == [])
  }
}
