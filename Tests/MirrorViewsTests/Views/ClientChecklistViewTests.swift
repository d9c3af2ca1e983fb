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

/// The points of the client's checklist about views. ``ClientChecklistTests`` has the others.
@Suite struct ClientChecklistViewTests {
  typealias Hook = ViewCompositionTests.Hook

  /// Reads its element in every possible way.
  struct Item: PageView {
    @ObservedElement var element
    @ObservedElement var again
    @Attribute("class") var name = "none"
    @Attribute("title") var title: String?
    let hook: Hook

    var body: some View {
      let _ = hook.action["projected"]?()
      Text("\(name) \(title ?? "-") \(element.text)\(again.text)")
    }
  }

  static func page(
    _ markup: String, view: @escaping @Sendable (ElementNode) -> any PageView
  ) -> (coordinator: DocumentCoordinator, page: ViewTree) {
    let coordinator = DocumentCoordinator(markup: markup, dialect: .native)
    var registry = ViewRegistry.html
    registry.register("item", view: view)
    return (coordinator, ViewTree(of: coordinator, registry: registry))
  }

  // MARK: - Identity

  /// "`Observer.Applicator` wraps every element view; `@StateObject` observer created once per
  /// SwiftUI identity with the element's NodeRef."
  @Test func `the view of an element keeps its one observer through all evaluations`() {
    let (coordinator, page) = Self.page(#"<l><item id="a">1</item></l>"#) { _ in Item(hook: Hook()) }
    _ = page.markup
    let before = coordinator.publishers.counts()
    for version in 2..<9 { coordinator.update(markup: #"<l class="\#(version)"><item id="a">\#(version)</item></l>"#) }
    #expect(page.markup.contains("88"))
    #expect(coordinator.publishers.counts() == before)
    #expect(coordinator.publishers.count(of: coordinator.node(id: "a")).total == 1)
  }

  /// "Identity in ForEach is the `id` attribute if present, else the NodeRef number as a string (an
  /// id "5" and node 5 can collide)." Ours cannot: each is a case of its own.
  @Test func `an id that looks like a node number is not confused with a node`() {
    let coordinator = DocumentCoordinator(markup: #"<l><item>a</item><item id="5">b</item></l>"#, dialect: .native)
    let list = ElementNode(coordinator.document.children(of: coordinator.document.root)[0], of: coordinator)
    let identities = list.childElements.map(\.id)
    #expect(identities == [.node(list.childElements[0].node), .id("5")])
    #expect(ElementID.id("5") != .node(NodeRef(epoch: 1, number: 5)))
  }

  /// "Old observers die because the view tree carries `.id(ObjectIdentifier(document))`, so all
  /// observers are rebuilt."
  @Test func `a replaced document creates every observer again`() {
    let (coordinator, page) = Self.page(#"<item id="a">1</item>"#) { _ in Item(hook: Hook()) }
    _ = page.markup
    coordinator.replace(markup: #"<item id="a">2</item>"#)
    #expect(page.markup == "none - 22")
    #expect(Set(coordinator.publishers.counts().keys.map(\.epoch)) == [2])
    #expect(page.count == 2)
  }

  /// "data is root → the whole entry view re-evaluates." Ours: the view of the document, and no
  /// other.
  @Test func `a change of the root's children evaluates only the root's view`() {
    let (coordinator, page) = Self.page("<item>1</item>") { _ in Item(hook: Hook()) }
    _ = page.markup
    coordinator.update(markup: "<item>1</item><item>2</item>")
    #expect(page.takeEvaluations().map(\.description) == ["body of the document (ElementMarkup): children"])
    #expect(page.markup == "none - 11none - 22")
  }

  // MARK: - Wrappers

  /// "Any number of `@ObservedElement` / `@LiveAttribute` in that view share the observer through
  /// the environment: subscriptions per element = 1 (plus children), wrappers = many."
  @Test func `property wrappers share one subscription`() {
    let (coordinator, page) = Self.page(#"<item id="a" class="x" title="y">1</item>"#) { _ in Item(hook: Hook()) }
    #expect(page.markup == "x y 11")
    #expect(coordinator.publishers.count(of: coordinator.node(id: "a")) == .init(observers: 1))
  }

  /// "`update()` runs on every body pass; it (re)subscribes only if not yet subscribed, or
  /// `observeChildren` and the set of child refs differs." Ours subscribes once, and follows the
  /// children by itself.
  @Test func `evaluating a body again creates no subscription`() {
    let looks = CountingCoordinator(DocumentCoordinator(markup: #"<item id="a"/>"#, dialect: .native))
    var registry = ViewRegistry.html
    let hook = Hook()
    registry.register("item") { _ in ViewCompositionTests.Counter(name: "c", hook: hook) }
    let page = ViewTree(of: looks, registry: registry)
    _ = page.markup
    let before = (looks.reads, looks.publishers.counts())
    for _ in 0..<5 { hook("c") }
    #expect(page.markup.contains("5"))
    // The element is not looked up again either, because it has not changed.
    #expect((looks.reads, looks.publishers.counts()) == before)
  }

  /// "A view never sees stale data after the signal, and reads cached data between signals."
  @Test func `a view reads the element as it was at its notification`() {
    struct Late: PageView {
      @ObservedElement var element
      @State var count = 0
      let hook: Hook
      var body: some View {
        let _ = hook.action["late"] = { count += 1 }
        Text(element.text)
      }
    }
    let hook = Hook()
    let (coordinator, page) = Self.page(#"<item id="a">1</item>"#) { _ in Late(hook: hook) }
    _ = page.markup
    let subscription = coordinator.publishers.subscribe(to: coordinator.node(id: "a")) { _ in hook("late") }
    coordinator.update(markup: #"<item id="a">2</item>"#)
    #expect(page.markup == "2")
    // The signal, and the state that the signal set, cause one evaluation.
    #expect(page.takeEvaluations().map(\.reasons) == [[.text, .state("count")]])
    subscription.cancel()
  }

  /// "`observeChildren: true` = merge of own publisher and one per direct child (not deeper)."
  @Test func `only direct children are observed`() {
    struct Watching: PageView {
      @ObservedElement(observeChildren: true) var element
      var body: some View { Text("\(element.childElements.count)") }
    }
    let (coordinator, page) = Self.page(#"<item><c id="c"><d>1</d></c></item>"#) { _ in Watching() }
    _ = page.markup
    coordinator.update(markup: #"<item><c id="c"><d>2</d></c></item>"#)
    #expect(page.takeEvaluations() == [])
    coordinator.update(markup: #"<item><c id="c" class="x"><d>2</d></c></item>"#)
    #expect(page.takeEvaluations().map(\.reasons) == [[.child(coordinator.node(id: "c"))]])
  }

  /// "It is stored on the shared observer: the first wrapper to update decides." Ours: any wrapper
  /// that asks for the children gets them.
  @Test func `a wrapper without observed children before one with observed children has no effect`() {
    struct Both: PageView {
      @ObservedElement var plain
      @ObservedElement(observeChildren: true) var element
      var body: some View { Text(plain.tag + element.tag) }
    }
    let (coordinator, page) = Self.page("<item><c>1</c></item>") { _ in Both() }
    _ = page.markup
    coordinator.update(markup: "<item><c>2</c></item>")
    #expect(page.takeEvaluations().count == 1)
  }

  /// "`projectedValue` publishes that NodeRef (own or child)."
  @Test func `the projected value publishes the changed node`() {
    struct Projecting: PageView {
      @ObservedElement(observeChildren: true) var element
      @Attribute("class") var name = ""
      let heard: Heard
      let keep: Box<AnyCancellableBox>
      var body: some View {
        let _ =
          keep.value =
          keep.value
          ?? AnyCancellableBox([
            $element.sink { [heard] in heard.note("element \($0)") },
            $name.sink { [heard] in heard.note("name \($0)") },
          ])
        Text(name)
      }
    }
    let (heard, keep) = (Heard(), Box<AnyCancellableBox>())
    let (coordinator, page) = Self.page(#"<item id="a"><c id="c">1</c></item>"#) { _ in
      Projecting(heard: heard, keep: keep)
    }
    _ = page.markup
    coordinator.update(markup: #"<item id="a" class="x"><c id="c">1</c></item>"#)
    coordinator.update(markup: #"<item id="a" class="x"><c id="c">2</c></item>"#)
    let (a, c) = (coordinator.node(id: "a"), coordinator.node(id: "c"))
    #expect(heard.all == ["element \(a)", "name \(a)", "element \(c)", "name \(c)"])
    keep.value = nil
  }

  final class AnyCancellableBox: @unchecked Sendable {
    let held: [AnyCancellable]
    init(_ held: [AnyCancellable]) { self.held = held }
  }

  /// "`init(element:)` (constant) neither subscribes nor updates: does not count as a subscriber."
  @Test func `a constant element is not observed`() {
    struct Constant: PageView {
      @ObservedElement var element
      init(_ element: ElementNode) { _element = ObservedElement(element: element) }
      var body: some View { Text(element.text) }
    }
    struct Around: PageView {
      let element: ElementNode
      var body: some View {
        Tag("b") { Constant(element) }
      }
    }
    let coordinator = DocumentCoordinator(markup: #"<item>1</item><other id="o">a</other>"#, dialect: .native)
    let other = ElementNode(coordinator.node(id: "o"), of: coordinator)
    var registry = ViewRegistry(fallback: { _ in EmptyView() })
    registry.register("item") { _ in Around(element: other) }
    let page = ViewTree(of: coordinator, registry: registry)
    #expect(page.markup == "<b>a</b>")
    let before = coordinator.publishers.counts()
    coordinator.update(markup: #"<item>1</item><other id="o">b</other>"#)
    #expect(page.markup == "<b>a</b>")
    #expect(coordinator.publishers.counts() == before)
  }

  /// "Removed element: its observer is simply dropped with its view; nothing completes. Ours:
  /// publisher finishes, subscriber count goes to 0."
  @Test func `the view of a removed element ends with its observer`() {
    let (coordinator, page) = Self.page(#"<l><item id="a">1</item></l>"#) { _ in Item(hook: Hook()) }
    _ = page.markup
    let orphans = coordinator.node(id: "a")
    coordinator.update(markup: "<l></l>")
    #expect(coordinator.publishers.count(of: orphans).total == 0)
    #expect(page.count == 2)
  }
}
