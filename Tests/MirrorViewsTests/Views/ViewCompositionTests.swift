import MarkupDocument
import MirrorViews
import NodeObservation
import Testing

/// Views that contain views: identity, state, inputs and environment.
@Suite struct ViewCompositionTests {
  /// A page with one element, `<x>`. A view of the test draws it.
  static func page(
    _ markup: String = "<x></x>", view: @escaping @Sendable (ElementNode) -> any PageView
  ) -> (coordinator: DocumentCoordinator, page: ViewTree) {
    let coordinator = DocumentCoordinator(markup: markup, dialect: .native)
    var registry = ViewRegistry.html
    registry.register("x", view: view)
    return (coordinator, ViewTree(of: coordinator, registry: registry))
  }

  /// Holds a value that a view passes to its test.
  final class Hook: @unchecked Sendable {
    var action: [String: () -> Void] = [:]
    func callAsFunction(_ name: String) { action[name]?() }
  }

  // MARK: - State

  struct Counter: PageView {
    @State var count = 0
    let name: String
    let hook: Hook

    var body: some View {
      let _ = hook.action[name] = { count += 1 }
      Tag("b", ["title": name]) { Text("\(count)") }
    }
  }

  @Test func `setting a state evaluates only its view`() {
    let hook = Hook()
    let (_, page) = Self.page { _ in
      Group {
        Counter(name: "a", hook: hook)
        Counter(name: "b", hook: hook)
      }
    }
    #expect(page.markup == #"<b title="a">0</b><b title="b">0</b>"#)
    hook("b")
    hook("b")
    #expect(
      page.takeEvaluations().map(\.description)
        == Array(
          repeating: "body of <x> (Counter): state `count`", count: 2))
    #expect(page.markup == #"<b title="a">0</b><b title="b">2</b>"#)
  }

  @Test func `setting an equal state evaluates nothing`() {
    struct Same: PageView {
      @State var value = [1, 2]
      let hook: Hook
      var body: some View {
        let _ = hook.action["same"] = { value = [1, 2] }
        Text("\(value.count)")
      }
    }
    let hook = Hook()
    let (_, page) = Self.page { _ in Same(hook: hook) }
    _ = page.markup
    hook("same")
    #expect(page.takeEvaluations() == [])
  }

  @Test func `many changes in one publication cause one evaluation`() {
    let hook = Hook()
    let (_, page) = Self.page { _ in Group { Counter(name: "a", hook: hook) } }
    _ = page.markup
    Publication.run { for _ in 0..<10 { hook("a") } }
    #expect(page.takeEvaluations().count == 1)
    #expect(page.markup.contains("10"))
  }

  @Test func `a body that invalidates itself without end is stopped and named in a problem`() {
    struct Restless: PageView {
      @State var count = 0
      var body: some View {
        let _ = count += 1
        Text("\(count)")
      }
    }
    let (_, page) = Self.page { _ in Group { Restless() } }
    _ = page.markup
    _ = page.markup
    let problem = page.problems.last?.message ?? ""
    #expect(problem.contains("Restless") && problem.contains("state `count`"), "\(problem)")
  }

  @Test func `one view value in two positions is reported as a problem`() {
    let counter = Counter(name: "a", hook: Hook())
    nonisolated(unsafe) let shared = counter
    let (_, page) = Self.page { _ in
      Group {
        shared
        shared
      }
    }
    _ = page.markup
    #expect(
      page.problems.map(\.message) == [
        "one value of Counter is used in two positions, and both use the `count` of the last position; create one value for each position"
      ])
  }

  // MARK: - Identity

  /// Shows the child elements, each with a counter that moves with it.
  struct Rows: PageView {
    @ObservedElement var element
    let hook: Hook
    var body: some View {
      ForEach(element.childElements) { child in
        Counter(name: child.element["name"] ?? "", hook: hook)
      }
    }
  }

  @Test func `a state stays with its element when the element moves`() {
    let hook = Hook()
    let (coordinator, page) = Self.page(#"<x><r id="1" name="a"/><r id="2" name="b"/><r id="3" name="c"/></x>"#) { _ in
      Rows(hook: hook)
    }
    _ = page.markup
    hook("a")
    hook("c")
    hook("c")
    coordinator.update(markup: #"<x><r id="3" name="c"/><r id="4" name="d"/><r id="1" name="a"/></x>"#)
    #expect(page.markup == #"<b title="c">2</b><b title="d">0</b><b title="a">1</b>"#)
    // A removed element that is added again has initial state.
    coordinator.update(markup: #"<x><r id="2" name="b"/><r id="3" name="c"/></x>"#)
    #expect(page.markup == #"<b title="b">0</b><b title="c">2</b>"#)
  }

  @Test func `an id that is a number is not confused with the node of that number`() {
    let hook = Hook()
    // The nodes are 2 for x and 3 and 4 for the rows. The ids of the rows are other numbers.
    let (coordinator, page) = Self.page(#"<x><r name="a"/><r id="3" name="b"/></x>"#) { _ in Rows(hook: hook) }
    _ = page.markup
    hook("b")
    #expect(page.markup == #"<b title="a">0</b><b title="b">1</b>"#)
    coordinator.update(markup: #"<x><r id="3" name="b"/></x>"#)
    #expect(page.markup == #"<b title="b">1</b>"#)
  }

  @Test func `two views with equal ids in one ForEach are separate views`() {
    let hook = Hook()
    let (_, page) = Self.page { _ in
      Group { ForEach(["a", "a", "b"], id: { $0 }) { Counter(name: $0, hook: hook) } }
    }
    #expect(page.markup == #"<b title="a">0</b><b title="a">0</b><b title="b">0</b>"#)
  }

  struct Either: PageView {
    @State var isFirst = true
    let hook: Hook
    var body: some View {
      let _ = hook.action["switch"] = { isFirst.toggle() }
      if isFirst { Counter(name: "a", hook: hook) } else { Counter(name: "b", hook: hook) }
    }
  }

  @Test func `the other branch of a condition begins with initial state`() {
    let hook = Hook()
    let (_, page) = Self.page { _ in Either(hook: hook) }
    _ = page.markup
    hook("a")
    #expect(page.markup == #"<b title="a">1</b>"#)
    hook("switch")
    #expect(page.markup == #"<b title="b">0</b>"#)
    hook("switch")
    #expect(page.markup == #"<b title="a">0</b>"#)
  }

  struct Erased: PageView {
    @State var kind = 0
    let hook: Hook
    var body: some View {
      let _ = hook.action["next"] = { kind += 1 }
      if kind % 2 == 0 { AnyView(Counter(name: "a", hook: hook)) } else { AnyView(Text("text")) }
    }
  }

  @Test func `an erased view of another type loses the state`() {
    let hook = Hook()
    let (_, page) = Self.page { _ in Erased(hook: hook) }
    _ = page.markup
    hook("a")
    hook("next")
    #expect(page.markup == "text")
    hook("next")
    #expect(page.markup == #"<b title="a">0</b>"#)
  }

  /// The new element is another node, but has the same id.
  @Test func `a view is kept if a new element takes over the node of the old one`() {
    let hook = Hook()
    let coordinator = DocumentCoordinator(markup: #"<div><x id="1"/></div>"#, dialect: .native)
    var registry = ViewRegistry.html
    registry.register("x", "y") { _ in Counter(name: "a", hook: hook) }
    let page = ViewTree(of: coordinator, registry: registry)
    _ = page.markup
    hook("a")
    coordinator.update(markup: #"<div><y id="1"/></div>"#)
    #expect(page.markup == #"<div><b title="a">1</b></div>"#)
    coordinator.update(markup: #"<div><y id="2"/></div>"#)
    #expect(page.markup == #"<div><b title="a">0</b></div>"#)
  }

  // MARK: - Inputs

  struct Outer<Inner: View>: PageView {
    @State var count = 0
    let hook: Hook
    let inner: (Int) -> Inner
    var body: some View {
      let _ = hook.action["outer"] = { count += 1 }
      Tag("i") { Text("\(count)") }
      inner(count)
    }
  }

  struct Label: PageView {
    let text: String
    var body: some View { Text(text) }
  }

  struct Closure: PageView {
    let text: () -> String
    var body: some View { Text(text()) }
  }

  @Test func `a view with equal inputs is not evaluated again`() {
    let hook = Hook()
    let (_, page) = Self.page { _ in Group { Outer(hook: hook) { _ in Label(text: "same") } } }
    _ = page.markup
    hook("outer")
    #expect(page.takeEvaluations().map(\.reasons) == [[.state("count")]])
  }

  @Test func `a view with a changed input is evaluated again`() {
    let hook = Hook()
    let (_, page) = Self.page { _ in Group { Outer(hook: hook) { Label(text: "\($0 / 2)") } } }
    _ = page.markup
    hook("outer")
    hook("outer")
    #expect(page.takeEvaluations().map(\.reasons) == [[.state("count")], [.state("count")], [.inputs]])
    #expect(page.markup == "<i>2</i>1")
  }

  @Test func `a view with incomparable inputs is evaluated again and reported as for nothing`() {
    let hook = Hook()
    let (_, page) = Self.page { _ in Group { Outer(hook: hook) { _ in Closure { "same" } } } }
    _ = page.markup
    hook("outer")
    #expect(page.takeEvaluations().map(\.isForNothing) == [false, true])
  }

  // MARK: - Environment

  struct Indented: PageView {
    @Environment(\.indent) var indent
    var body: some View { Text("\(indent)") }
  }

  @Test func `an environment value reaches all views inside a view`() {
    let hook = Hook()
    let (_, page) = Self.page { _ in
      Group {
        Indented()
        Outer(hook: hook) { count in Indented().environment(\.indent, count / 2 + 1) }
      }
    }
    #expect(page.markup == "0<i>0</i>1")
    hook("outer")
    #expect(page.takeEvaluations().map(\.reasons) == [[.state("count")]])
    hook("outer")
    #expect(page.takeEvaluations().map(\.reasons) == [[.state("count")], [.environment]])
    #expect(page.markup == "0<i>2</i>2")
  }

  @Test func `an environment value reaches the views of elements`() {
    struct Indenting: PageView {
      @ObservedElement var element
      @Environment(\.indent) var indent
      var body: some View {
        Text("\(indent)")
        Children(of: element).environment(\.indent, indent + 1)
      }
    }
    let (_, page) = Self.page("<x><x><x/></x><x/></x>") { _ in Indenting() }
    #expect(page.markup == "0121")
  }

  @Test func `a changed environment value reaches the views of elements below`() {
    struct Top: PageView {
      @ObservedElement var element
      @State var count = 0
      let hook: Hook
      var body: some View {
        let _ = hook.action["top"] = { count += 1 }
        Children(of: element).environment(\.indent, count)
      }
    }
    struct Middle: PageView {
      @ObservedElement var element
      var body: some View {
        Tag("i") { Children(of: element) }
      }
    }
    let hook = Hook()
    let coordinator = DocumentCoordinator(markup: "<x><y><z/></y><z/></x>", dialect: .native)
    var registry = ViewRegistry.html
    registry.register("x") { _ in Top(hook: hook) }
    registry.register("y") { _ in Middle() }
    registry.register("z") { _ in
      Group { Indented() }
    }
    let page = ViewTree(of: coordinator, registry: registry)
    #expect(page.markup == "<i>0</i>0")
    hook("top")
    #expect(page.markup == "<i>1</i>1")
  }

  // MARK: - Elements

  @Test func `a view inside another view reads the same element`() {
    struct Inner: PageView {
      @Attribute("name") var name = "none"
      var body: some View { Text(name) }
    }
    struct Fixed: PageView {
      var body: some View {
        Tag("p") { Inner() }
      }
    }
    let (coordinator, page) = Self.page(#"<x name="a"/>"#) { _ in Fixed() }
    #expect(page.markup == "<p>a</p>")
    coordinator.update(markup: #"<x name="b"/>"#)
    #expect(page.markup == "<p>b</p>")
    // The outer view reads nothing of the element, so its evaluation has the same result.
    #expect(
      page.takeEvaluations().map(\.description) == [
        "body of <x> (Fixed): attribute `name` — idle", "body of <x> (Inner): attribute `name`",
      ])
  }

  @Test func `a view that gives a view in it other inputs or another environment is not evaluated for nothing`() {
    struct Indented: PageView {
      @Environment(\.indent) var indent
      var body: some View { Text("") }
    }
    struct Shell: PageView {
      @Attribute("name") var name = ""
      @Attribute("size") var size = ""
      var body: some View {
        Tag("p") {
          Label(text: name).environment(\.indent, size.count)
          Indented().environment(\.indent, size.count)
        }
      }
    }
    let (coordinator, page) = Self.page(#"<x name="a"/>"#) { _ in Shell() }
    #expect(page.markup == "<p>a</p>")
    coordinator.update(markup: #"<x name="b"/>"#)
    coordinator.update(markup: #"<x name="b" size="9"/>"#)
    #expect(page.markup == "<p>b</p>")
    // The drawing of the shell is two placeholders, and the same each time. The label does not read
    // the environment.
    #expect(
      page.takeEvaluations().map(\.description) == [
        "body of <x> (Shell): attribute `name`", "body of <x> (Label): other inputs",
        "body of <x> (Shell): attribute `size`", "body of <x> (Indented): environment — idle",
      ])
  }

  @Test func `children are observed only by views that request it`() {
    struct Sum: PageView {
      @ObservedElement(observeChildren: true) var element
      var body: some View {
        Text("\(element.childElements.compactMap { Int($0.element.text) }.reduce(0, +))")
      }
    }
    let (coordinator, page) = Self.page("<x><n>1</n><n>2</n></x>") { _ in Sum() }
    #expect(page.markup == "3")
    coordinator.update(markup: "<x><n>1</n><n>5</n></x>")
    #expect(page.markup == "6")
    coordinator.update(markup: "<x><n>1</n><n>5</n><n>7</n></x>")
    coordinator.update(markup: "<x><n>1</n><n>5</n><n>8</n></x>")
    #expect(page.markup == "14")
  }

  @Test func `an unregistered tag is drawn by the fallback view`() {
    let (_, page) = Self.page("<z><x/></z>") { _ in Text("known") }
    #expect(page.markup == "<z>known</z>")
  }
}

private enum IndentKey: EnvironmentKey { static let defaultValue = 0 }

extension EnvironmentValues {
  fileprivate var indent: Int {
    get { self[IndentKey.self] }
    set { self[IndentKey.self] = newValue }
  }
}
