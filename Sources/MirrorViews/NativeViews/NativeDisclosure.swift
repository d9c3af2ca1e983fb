internal import MarkupDocument
internal import NodeObservation

/// `DisclosureGroup` and `Menu`: a label, and content that opens and closes.
struct NativeDisclosure: View {
  let name: String
  @ObservedElement(observeChildren: true) private var element
  @Attribute("isExpanded") private var isExpanded: Bool
  @Attribute("title") private var title: String?

  init(_ name: String) { self.name = name }

  var body: some View {
    let slots = Slots(of: element, named: "label", "content")
    NativeTag(.details, name, of: element, HTMLAttributes(isOpen: isExpanded)) {
      let label = slots["label"].flatMap { $0.isDrawn ? $0 : nil }
      let unnamed =
        title == nil && label == nil ? HTMLAttributes(label: name == "menu" ? "Menu" : "Details") : HTMLAttributes()
      NativeTag(.summary, "summary", of: nil, unnamed) {
        if let title { Text(title) }
        if let label { label }
      }
      NativeTag(.div, "disclosed") {
        if let content = slots["content"] { content }
        slots.content
      }
    }
  }
}

/// `TabView`: each `Tab` below its title, with one tab open. Other children are drawn below the tabs.
struct NativeTabs: View {
  @ObservedElement(observeChildren: true) private var element
  @Attribute("selection") private var selection: String?

  private struct Page: Identifiable {
    let id: ElementID
    let child: ElementNode.ChildElement
    let title: String
    let value: String?
  }

  var body: some View {
    let pages = pages
    NativeTag(.div, "tabs", of: element) {
      ForEach(pages) { page in
        // If one `details` element is opened, a browser closes the others with the same name. The name is generated, not taken
        // from the markup.
        let isOpen = selection.map { $0 == page.value } ?? (page.id == pages.first?.id)
        NativeTag(.details, "tab", of: nil, HTMLAttributes(name: "tabs-\(element.node.number)", isOpen: isOpen)) {
          NativeTag(.summary, "summary") { Text(page.title) }
          ElementView(page.child)
        }
      }
      others(than: pages)
    }
  }

  private var pages: [Page] {
    element.childElements.enumerated().compactMap { place, child in
      guard child.tag == "Tab" else { return nil }
      let value = child["value"]
      let title = child["title"] ?? value ?? "Tab \(place + 1)"
      return Page(id: child.id, child: child, title: title, value: value)
    }
  }

  private func others(than pages: [Page]) -> Slot {
    let shown = Set(pages.map(\.child.node))
    return Slot(
      children: element.children.filter { child in
        if case .element(let node) = child { !shown.contains(node) } else { true }
      })
  }
}

extension ElementNode.ChildElement {
  fileprivate var tag: String? { source.reading { $0.content(of: node)?.element?.tag } ?? nil }
}

/// `GridRow`: each child element in a cell of its own, so that the cells of all rows form columns. All texts are in one last
/// cell.
struct NativeGridRow: View {
  @ObservedElement private var element

  var body: some View {
    NativeTag(.div, "grid-row", of: element) {
      ForEach(element.childElements) { child in NativeTag(.div, "grid-cell") { ElementView(child) } }
      if !element.text.isEmpty { NativeTag(.div, "grid-cell") { Text(element.text) } }
    }
  }
}
