import MarkupDocument
import MirrorViews
import NodeObservation
import Testing

/// What a person chooses in native controls, without a server.
@Suite struct NativeInputTests {
  private let coordinator: DocumentCoordinator
  private let tree: ViewTree

  init() {
    coordinator = DocumentCoordinator(markup: "", dialect: .native)
    tree = ViewTree(of: coordinator, registry: .native)
  }

  private func show(_ markup: String) {
    coordinator.update(markup: markup)
    _ = tree.markup
    _ = tree.takeEvaluations()
  }

  private func node(_ selector: String) throws -> NodeRef {
    let selector = try #require(Selector(selector))
    return try #require(coordinator.reading { $0.node(matching: selector) } ?? nil)
  }

  private func enter(_ value: String? = nil, at selector: String) throws -> [String]? {
    try tree.enter(ControlInput(at: node(selector), value: value))?.map(\.description)
  }

  @Test func `a toggle is switched until the server changes its attribute`() throws {
    func isOn() -> Bool { tree.markup.contains("checked") }
    show(#"<Toggle isOn="false">a</Toggle>"#)
    #expect(try enter(at: "Toggle") == ["body of <Toggle> (NativeToggle): state `isOn`"])
    #expect(isOn())
    #expect(try enter("true", at: "Toggle") == [])
    // Another attribute leaves the choice.
    show(#"<Toggle isOn="false" class="x">a</Toggle>"#)
    #expect(isOn())
    show(#"<Toggle isOn="true">a</Toggle>"#)
    show(#"<Toggle isOn="false">a</Toggle>"#)
    #expect(!isOn())
    #expect(throws: InputRefusal.self) { try enter("banana", at: "Toggle") }
  }

  @Test func `a choice of a picker is chosen by its value or its element`() throws {
    func selected() -> [String] {
      tree.markup.split(separator: #"aria-selected="true" data-mirror-choice=""#).dropFirst().map {
        String($0.prefix(1))
      }
    }
    show(#"<Picker selection="a"><Text tag="a">A</Text><HStack tag="b"><Text id="x">B</Text></HStack></Picker>"#)
    #expect(try enter("b", at: "Picker") == ["body of <Picker> (NativePicker): state `selection`"])
    #expect(selected() == ["b"])
    #expect(try enter(at: "[tag=a]") == ["body of <Picker> (NativePicker): state `selection`"])
    #expect(selected() == ["a"])
    #expect(try enter(at: "#x") == ["body of <Picker> (NativePicker): state `selection`"])
    #expect(selected() == ["b"])
    let refusal = #expect(throws: InputRefusal.self) { try enter("c", at: "Picker") }
    #expect(refusal?.description == #"takes the value of a choice: "a", "b""#)
    #expect(throws: InputRefusal.self) { try enter(at: "Picker") }
  }

  @Test func `a disclosure group is opened, and a menu closes the one that was open`() throws {
    show("<DisclosureGroup><Text>a</Text></DisclosureGroup><Menu id=\"m\">b</Menu><Menu id=\"n\">c</Menu>")
    #expect(try enter(at: "DisclosureGroup") == ["body of <DisclosureGroup> (NativeDisclosure): state `isExpanded`"])
    // Acting on the content of a control does not change the control.
    #expect(try enter(at: "Text") == nil)
    _ = try enter(at: "#m")
    #expect(
      try enter(at: "#n") == [
        "body of <Menu#m> (NativeMenu): shared `openMenu`", "body of <Menu#n> (NativeMenu): shared `openMenu`",
      ])
    #expect(tree.markup.split(separator: " open=\"\"").count == 3)
    #expect(tree.markup.contains(#"<details id="n" class="menu" open="">"#))
  }

  @Test func `a tab is chosen until the server selects another or removes it`() throws {
    func open() -> String? {
      tree.markup.firstMatch(of: /open=""><summary class="summary" data-mirror-choice="(.)/).map { String($0.1) }
    }
    let tabs = #"<Tab value="a">1</Tab><Tab value="b">2</Tab><Tab value="c">3</Tab>"#
    show("<TabView selection=\"a\">\(tabs)</TabView>")
    let evaluated = try enter("b", at: "TabView")
    let tab = "body of <TabView> (NativeTab): shared `ChosenTab.node`"
    #expect(evaluated == [tab, tab, tab + " — idle"])
    #expect(open() == "b")
    #expect(try enter(at: "[value=c]")?.isEmpty == false)
    #expect(open() == "c")
    show("<TabView selection=\"b\">\(tabs)</TabView>")
    #expect(open() == "b")
    // Also if no tab was drawn before, and two tabs have the same title.
    let fresh = ViewTree(of: coordinator, registry: .native)
    #expect(try fresh.enter(ControlInput(at: node("TabView"), value: "a"))?.count == 3)
    _ = try enter("c", at: "TabView")
    show(#"<TabView selection="b"><Tab value="b">2</Tab></TabView>"#)
    #expect(open() == "b")
  }

  @Test func `controls inside a disabled element are disabled, and nothing else is evaluated for it`() throws {
    show(#"<Form><Text>a</Text><VStack><Toggle>b</Toggle></VStack></Form>"#)
    coordinator.update(markup: #"<Form disabled=""><Text>a</Text><VStack><Toggle>b</Toggle></VStack></Form>"#)
    #expect(
      tree.takeEvaluations().map(\.description) == [
        "body of <Form> (NativeBoxView): attribute `disabled`", "body of <Toggle> (NativeToggle): environment",
      ])
    #expect(tree.markup.contains("disabled"))
    let refusal = #expect(throws: InputRefusal.self) { try enter(at: "Toggle") }
    #expect(refusal?.description == "is disabled")
    #expect(try enter(at: "Text") == nil)
  }
}
