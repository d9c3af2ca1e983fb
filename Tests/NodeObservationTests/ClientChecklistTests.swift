import MarkupDocument
import NodeObservation
import TestSupport
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// The behaviour of LiveView Native's SwiftUI client when its document changes, point by point, and
/// the corrections made here. The quotations are from the list of known failures.
/// ``ClientChecklistViewTests`` has the points about views.
@Suite struct ClientChecklistTests {
  let coordinator = DocumentCoordinator(
    markup: #"<ul id="list"><li id="a">1</li><li id="b">2</li></ul><ol id="other"></ol><p id="p">3</p>"#, dialect: .html
  )
  let heard = Heard()

  func node(_ id: String) -> NodeRef { coordinator.node(id: id) }

  /// Records every signal of the nodes with these ids.
  func listen(to ids: String...) -> [NodeSubscription] {
    ids.map { id in
      coordinator.publishers.subscribe(to: node(id)) { [heard] signal in
        if case .changed = signal { heard.note(id) } else { heard.note("\(id) finished") }
      }
    }
  }

  func page(list: String = #"<li id="a">1</li><li id="b">2</li>"#, other: String = "", p: String = "3") -> String {
    #"<ul id="list">\#(list)</ul><ol id="other">\#(other)</ol><p id="p">\#(p)</p>"#
  }

  // MARK: - Registry

  /// "One dictionary NodeRef → subject per coordinator. Get-or-create on both subscribe and send:
  /// sending to an unobserved node creates a subject that lives until the document is replaced.
  /// Ours: create on subscribe only; a send to nobody is counted, not stored."
  @Test func `a signal without subscribers is counted and not stored`() {
    coordinator.update(markup: page(p: "4"))
    #expect(coordinator.publishers.unheard == 1)
    #expect(coordinator.publishers.counts() == [:])
  }

  /// "Subject carries no value; subscriber maps it to the NodeRef it subscribed with." Ours carries
  /// the NodeRef.
  @Test func `a signal names the node`() {
    let sink = coordinator.elementChanged(node("p")).sink { [heard] in heard.note("\($0)") }
    coordinator.update(markup: page(p: "4"))
    #expect(heard.all == ["\(node("p"))"])
    sink.cancel()
  }

  /// "Assigning `document` empties the dictionary …, before the new handler is bound. Old subjects
  /// are not completed; old observers die because the view tree carries
  /// `.id(ObjectIdentifier(document))`. Ours: `replaceDocument` = finish every publisher, bump
  /// document epoch, remount."
  @Test func `replacing the document finishes every publisher and begins an epoch`() {
    let subscriptions = listen(to: "p", "a")
    let observer = Observer(of: node("b"), in: coordinator)
    coordinator.replace(markup: page())
    #expect(heard.all == ["a finished", "p finished"])
    #expect(observer.isFinished)
    #expect(coordinator.publishers.counts() == [:])
    #expect(coordinator.document.epoch == 2)
    withExtendedLifetime(subscriptions) {}
  }

  /// The correction for the same line: a subscriber that is notified of the end reads the new
  /// document.
  @Test func `a subscriber that is notified of a replacement reads the new document`() {
    let subscription = coordinator.publishers.subscribe(to: node("p")) { [heard, coordinator] _ in
      heard.note(coordinator.reading { "\($0.epoch) \($0.markup(of: $0.root))" } ?? "")
    }
    coordinator.replace(markup: "new")
    #expect(heard.all == ["2 new"])
    subscription.cancel()
  }

  /// "NodeRef equality is the integer only: refs of two documents collide. Ours: `(epoch, id)` or
  /// type-level separation."
  @Test func `nodes of two documents have different references`() {
    let before = node("p")
    coordinator.replace(markup: page())
    #expect(node("p").number == before.number)
    #expect(node("p") != before)
    let subscription = coordinator.publishers.subscribe(to: before) { [heard] _ in heard.note("old") }
    coordinator.update(markup: page(p: "4"))
    #expect(heard.all == [])
    subscription.cancel()
  }

  // MARK: - From patch to signal

  /// "Core calls the handler once per PatchResult, after all patches are applied and the lock is
  /// released, in patch order, on the merging thread." Ours: once per node, in document order.
  @Test func `subscribers are notified in document order after all changes are applied`() {
    let subscriptions = ["p", "b", "a"].map { id in
      coordinator.publishers.subscribe(to: node(id)) { [heard, coordinator] _ in
        heard.note("\(id) \(coordinator.document.markup(of: coordinator.document.root).filter(\.isNumber))")
      }
    }
    coordinator.update(markup: page(list: #"<li id="a">7</li><li id="b">8</li>"#, p: "9"))
    #expect(heard.all == ["a 789", "b 789", "p 789"])
    withExtendedLifetime(subscriptions) {}
  }

  /// "data is root → `coordinator.objectWillChange` (whole entry view re-evaluates). Morph never
  /// produces it." The test `a change of the root's children is published by the document's
  /// publisher` has our behaviour.
  ///
  /// "leaf (any change type) → parent if given, else the node. Text has no view of its own."
  @Test func `a changed text notifies its parent`() {
    let subscriptions = listen(to: "list", "a", "b", "p")
    coordinator.update(markup: page(p: "4"))
    #expect(heard.all == ["p"])
    withExtendedLifetime(subscriptions) {}
  }

  /// "element, add or remove → parent (else node)."
  @Test func `an added or removed node notifies its parent`() {
    let subscriptions = listen(to: "list", "a", "other", "p")
    coordinator.update(markup: page(list: #"<li id="a">1</li>"#, other: "<li>new</li>"))
    #expect(heard.all == ["list", "other"])
    withExtendedLifetime(subscriptions) {}
  }

  /// "element, replace → parent (if any) then node. `data` is the old data." Ours: another tag is
  /// another node.
  @Test func `an element with another tag is a new node`() {
    let subscriptions = listen(to: "a", "list")
    coordinator.update(markup: page(list: #"<b id="a">1</b><li id="b">2</li>"#))
    #expect(heard.all == ["a finished", "list"])
    withExtendedLifetime(subscriptions) {}
  }

  /// "element, change (attributes) → node only."
  @Test func `changed attributes notify only their element`() {
    let subscriptions = listen(to: "list", "a", "b")
    coordinator.update(markup: page(list: #"<li id="a" class="x">1</li><li id="b">2</li>"#))
    #expect(heard.all == ["a"])
    withExtendedLifetime(subscriptions) {}
  }

  /// "No ancestors, no siblings, no descendants."
  @Test func `no other node is notified`() {
    let ancestor = coordinator.documentChanged.sink { [heard] _ in heard.note("document") }
    let subscriptions = listen(to: "list", "a", "b", "other", "p")
    coordinator.update(markup: page().replacing(#"<ul id="list""#, with: #"<ul id="list" class="x""#))
    #expect(heard.all == ["list"])
    withExtendedLifetime(subscriptions) {}
    ancestor.cancel()
  }

  /// "No batching, no de-duplication: … a parent that gains five children gets five sends. SwiftUI
  /// coalesces per run loop; we must do it ourselves: `ChangeSet.notified` = ordered set."
  @Test func `a parent with five new children is notified once`() {
    let subscriptions = listen(to: "other")
    coordinator.update(markup: page(other: String(repeating: "<li></li>", count: 5)))
    #expect(heard.all == ["other"])
    withExtendedLifetime(subscriptions) {}
  }

  /// The correction for several diffs in one publication: a coalescing subscriber is called once.
  @Test func `several updates in one publication are coalesced into one`() {
    let sink = coordinator.elementChanged(node("p")).coalesced().sink { [heard] in heard.note("\($0)") }
    Publication.run { for text in ["4", "5", "6"] { coordinator.update(markup: page(p: text)) } }
    #expect(heard.all.count == 1)
    sink.cancel()
  }

  /// "Consequence: additions/removals of top-level nodes send to the root ref, which no element
  /// observes and no coordinator hook hears. Ours: root changes notify the document publisher."
  @Test func `a change of the root's children is published by the document's publisher`() {
    let sink = coordinator.documentChanged.sink { [heard] in heard.note("\($0)") }
    coordinator.update(markup: page(p: "4"))
    #expect(heard.all == [])
    coordinator.update(markup: page(p: "4") + "<hr>")
    #expect(heard.all == ["changed(root: 1)"])
    sink.cancel()
  }

  /// "Consequence: a move out of a parent does not notify that parent. Ours must."
  @Test func `a move notifies both parents`() {
    let subscriptions = listen(to: "list", "other", "a")
    coordinator.update(markup: page(list: #"<li id="b">2</li>"#, other: #"<li id="a">1</li>"#))
    #expect(heard.all == ["list", "other"])
    withExtendedLifetime(subscriptions) {}
  }

  // MARK: - Observer

  /// "Subscriptions per element = 1 (plus children), wrappers = many." An observer is one
  /// subscription for any number of readers.
  @Test func `an observer is one subscription for any number of readers`() {
    let observer = Observer(of: node("list"), in: coordinator)
    for _ in 0..<10 { _ = (observer.element, observer.children) }
    let sinks = (0..<10).map { _ in observer.changes.sink { _ in } }
    #expect(coordinator.publishers.counts() == [node("list"): .init(observers: 1)])
    withExtendedLifetime(sinks) {}
  }

  /// "On subscribe: resolve element and children, cache them. On signal: re-resolve element and
  /// children, drop cached child-id set, then `objectWillChange.send()`. A view never sees stale
  /// data after the signal, and reads cached data between signals." Ours resolves when it is first
  /// asked.
  @Test func `element and children are looked up once per signal, before the notification`() {
    let counting = CountingCoordinator(coordinator)
    let box = WeakBox<Observer>()
    let observer = Observer(of: node("list"), in: counting) { [heard, counting] _ in
      let reads = counting.reads
      heard.note("\(box.value?.children.count ?? -1) \(counting.reads - reads)")
    }
    box.value = observer
    _ = observer.children
    let reads = counting.reads
    for _ in 0..<5 { _ = (observer.element, observer.children) }
    #expect(counting.reads == reads)
    coordinator.update(markup: page(list: ""))
    #expect(heard.all == ["0 0"])
    #expect(counting.reads == reads + 1)
  }

  /// "`observeChildren: true` = merge of own publisher and one per direct child (not deeper),
  /// rebuilt only on the next `update()` after the child set changed." Ours is rebuilt inside of
  /// the signal.
  @Test func `direct children are observed as soon as they are requested`() {
    coordinator.update(markup: page(list: #"<li id="a"><b id="deep">1</b></li>"#))
    let observer = Observer(of: node("list"), in: coordinator, observeChildren: true)
    #expect(coordinator.publishers.counts().keys.sorted() == [node("list"), node("a")].sorted())
    coordinator.update(markup: page(list: #"<li id="a"><b id="deep">2</b></li>"#))
    #expect(observer.signalCount == 0)
    coordinator.update(markup: page(list: #"<li id="a"><b id="deep">2</b></li><li id="c">3</li>"#))
    coordinator.update(markup: page(list: #"<li id="a"><b id="deep">2</b></li><li id="c">4</li>"#))
    #expect(observer.signalCount == 2)
  }

  /// "It is per wrapper but stored on the shared observer: the first wrapper to update decides (… a
  /// later `observeChildren` wrapper upgrades it; it is never downgraded)." Ours: an upgrade at any
  /// time.
  @Test func `observing children can be requested at any time`() {
    let observer = Observer(of: node("list"), in: coordinator)
    coordinator.update(markup: page(list: #"<li id="a">5</li><li id="b">2</li>"#))
    #expect(observer.signalCount == 0)
    observer.observeChildren()
    coordinator.update(markup: page(list: #"<li id="a">6</li><li id="b">2</li>"#))
    #expect(observer.signalCount == 1)
  }

  /// "`projectedValue` publishes that NodeRef (own or child)."
  @Test func `changes publish the observed node or the changed child`() {
    let observer = Observer(of: node("list"), in: coordinator, observeChildren: true)
    let sink = observer.changes.sink { [heard] in heard.note("\($0)") }
    coordinator.update(markup: page(list: #"<li id="a">1</li><li id="b">7</li>"#))
    coordinator.update(markup: page(list: #"<li id="b">7</li>"#))
    #expect(heard.all == ["\(node("b"))", "\(node("list"))"])
    sink.cancel()
  }

  /// "`init(element:)` (constant) neither subscribes nor updates: does not count as a subscriber."
  @Test func `a constant element neither subscribes nor changes`() {
    let constant = Observer.constant(node("p"), in: coordinator)
    #expect(constant.element?.tag == "p")
    #expect(coordinator.publishers.counts() == [:])
    coordinator.update(markup: page().replacing(#"<p id="p""#, with: #"<p id="p" class="x""#))
    #expect(constant.element?["class"] == nil)
  }

  /// "Removed element: its observer is simply dropped with its view; nothing completes. Ours:
  /// publisher finishes, subscriber count goes to 0."
  @Test func `the publisher of a removed element finishes and has no subscribers`() {
    let a = node("a")
    let observer = Observer(of: a, in: coordinator)
    let sink = observer.changes.sink(
      receiveCompletion: { [heard] _ in heard.note("finished") }, receiveValue: { _ in })
    coordinator.update(markup: page(list: ""))
    #expect(heard.all == ["finished"])
    #expect(observer.isFinished)
    #expect(coordinator.publishers.count(of: a) == .init())
    sink.cancel()
  }

  // MARK: - Combine on Linux

  /// "Own publisher is simpler: `subscribe(ref, body) -> Subscription` (cancels on deinit),
  /// re-entrancy safe (snapshot before sending), order = subscription order, no sends after
  /// cancel." See ``DeliveryTests`` and ``CancellingTests``.
  @Test func `a subscription ends when it is released`() {
    var subscriptions = listen(to: "p")
    #expect(coordinator.publishers.count(of: node("p")).clients == 1)
    subscriptions = []
    coordinator.update(markup: page(p: "4"))
    #expect(heard.all == [])
    #expect(subscriptions.isEmpty)
  }
}
