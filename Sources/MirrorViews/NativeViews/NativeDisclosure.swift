internal import MarkupDocument
internal import NodeObservation

/// `DisclosureGroup`: a label, and content that a person opens and closes. ``ViewRegistry/native``
/// registers it and the other views of this file: ``NativeMenu``, ``NativeTabs`` and
/// ``NativeGridRow``.
struct NativeDisclosure: PageView {
  @ObservedElement(observeChildren: true) private var element
  @ChangeTracked(attribute: "isExpanded") private var isExpanded: Bool
  @Disabled private var isDisabled: Bool

  var body: some View {
    DisclosedContent(name: "disclosure", unnamed: "Details", element: element, isOpen: isExpanded)
      .controls(
        "isExpanded", isDisabled: isDisabled, where: \.isOnControl,
        decide: ControlInput.deciding(insteadOf: isExpanded)
      ) { isExpanded = $0.isOn }
  }
}

/// `Menu`: a label, and content that a person opens and closes. At most one menu of a page is open:
/// all menus share one value, the node of the open menu.
struct NativeMenu: PageView {
  @ObservedElement(observeChildren: true) private var element
  @PageValue("openMenu") private var open: NodeRef?
  @Disabled private var isDisabled: Bool

  var body: some View {
    let node = element.node
    let isOpen = open == node
    DisclosedContent(name: "menu", unnamed: "Menu", element: element, isOpen: isOpen)
      .controls(nil, isDisabled: isDisabled, where: \.isOnControl, decide: ControlInput.deciding(insteadOf: isOpen)) {
        open = $0.isOn ? node : nil
      }
  }
}

/// The content of a `DisclosureGroup` or `Menu`, as HTML's `details` with a `summary`.
private struct DisclosedContent: PrimitiveView {
  let name: String
  /// The accessible name of content without a label.
  let unnamed: String
  let element: ElementNode
  let isOpen: Bool

  static func _expand(_ view: Self, into expansion: inout Expansion) {
    let slots = Slots(of: view.element, named: "label", "content")
    let title = view.element["title"]
    let label = slots["label"].flatMap { $0.isDrawn ? $0 : nil }
    let tag = NativeTag(.details, view.name, of: view.element, HTMLAttributes(isOpen: view.isOpen)) {
      NativeTag(
        .summary, "summary", of: nil,
        HTMLAttributes(label: title == nil && label == nil ? view.unnamed : nil, choice: "")
      ) {
        if let title { Text(title) }
        if let label { label }
      }
      NativeTag(.div, "disclosed") {
        if let content = slots["content"] { content }
        slots.content
      }
    }
    type(of: tag)._expand(tag, into: &expansion)
  }
}

/// `TabView`: each `Tab` below its title, with one tab open. Other children are drawn below the
/// tabs.
struct NativeTabs: PageView {
  @ObservedElement(observeChildren: true) private var element
  @Attribute("selection") private var selection: String?
  @State private var chosen = ChosenTab()
  @Disabled private var isDisabled: Bool

  fileprivate struct Tab: Identifiable {
    let id: ElementID
    let child: ElementNode.ChildElement
    let title: String
    let value: String?
    var choice: String { value ?? title }
  }

  var body: some View {
    let tabs = tabs
    let _ = chosen.follow(selection, among: tabs.map(\.child.node))
    NativeTag(.div, "tabs", of: element) {
      ForEach(tabs) { tab in
        NativeTab(
          tab: tab, group: "tabs-\(element.node.number)",
          isSelected: selection.map { $0 == tab.value } ?? (tab.id == tabs.first?.id), chosen: chosen)
      }
      others(than: tabs)
    }
    .controls(
      "selection", isDisabled: isDisabled,
      where: { input in input.isOnControl || tabs.contains { $0.child.node == input.node } },
      decide: ControlInput.deciding(among: tabs.map { ($0.child.node, $0.choice) })
    ) { [chosen] in if case .choice(_, let node) = $0 { chosen.node = node } }
  }

  private var tabs: [Tab] {
    element.childElements.enumerated().compactMap { place, child in
      guard child.tag == "Tab" else { return nil }
      let value = child["value"]
      let title = child["title"] ?? value ?? "Tab \(place + 1)"
      return Tab(id: child.id, child: child, title: title, value: value)
    }
  }

  private func others(than tabs: [Tab]) -> Slot {
    let shown = Set(tabs.map(\.child.node))
    return Slot(
      children: element.children.filter { child in
        if case .element(let node) = child { !shown.contains(node) } else { true }
      })
  }
}

/// The title of a tab and its content. The content is always written, and a browser shows it if the
/// tab is open.
private struct NativeTab: PageView {
  let tab: NativeTabs.Tab
  /// The tabs of one `TabView` have the same group: if one `details` element is opened, a browser
  /// closes the others with the same name. The name is generated, not taken from the markup.
  let group: String
  /// Whether the server has selected the tab. Without a selection, the first tab counts as
  /// selected.
  let isSelected: Bool
  let chosen: ChosenTab

  var body: some View {
    let isOpen = chosen.node.map { $0 == tab.child.node } ?? isSelected
    NativeTag(.details, "tab", of: nil, HTMLAttributes(name: group, isOpen: isOpen)) {
      NativeTag(.summary, "summary", of: nil, HTMLAttributes(choice: tab.choice)) { Text(tab.title) }
      ElementView(tab.child)
    }
  }
}

/// The tab of a `TabView` that a person has chosen. The views of the tabs share it. Only an
/// evaluation of the `TabView` uses `selection`, so it needs no lock.
private final class ChosenTab {
  /// The node of the tab; `nil` if the server's selection applies.
  @Shared(value: nil, name: "ChosenTab.node") var node: NodeRef?
  private var selection: String?

  /// Forgets the chosen tab if the server has changed the selection or removed the tab.
  func follow(_ selection: String?, among tabs: [NodeRef]) {
    let isOther = self.selection != selection
    self.selection = selection
    // The read is not tracked: the body of the `TabView` is the same for each chosen tab, so
    // another choice need not evaluate it again.
    if let node = Reader.untracked({ node }), isOther || !tabs.contains(node) {
      // The value is set at once, not after the publication, because the views of the tabs are
      // evaluated next and read it.
      $node.link.current.apply { $0 = nil }
    }
  }
}

extension ElementNode.ChildElement {
  fileprivate var tag: String? { source.reading { $0.content(of: node)?.element?.tag } ?? nil }
}

/// `GridRow`: each child element in a cell of its own, so that the cells of all rows form columns.
/// All texts are in one last cell.
struct NativeGridRow: PageView {
  @ObservedElement private var element

  var body: some View {
    NativeTag(.div, "grid-row", of: element) {
      ForEach(element.childElements) { child in NativeTag(.div, "grid-cell") { ElementView(child) } }
      if !element.text.isEmpty { NativeTag(.div, "grid-cell") { Text(element.text) } }
    }
  }
}
