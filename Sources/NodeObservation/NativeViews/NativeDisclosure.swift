internal import MarkupDocument

/// `DisclosureGroup` and `Menu`: a label, and content that it opens.
struct NativeDisclosure: View {
  let name: String
  @ObservedElement(observeChildren: true) private var element
  @Attribute("isExpanded") private var isExpanded: Bool
  @Attribute("title") private var title: String?

  init(_ name: String) { self.name = name }

  var body: some View {
    let slots = Slots(of: element, named: "label", "content")
    NativeTag(.details, name, of: element, HTMLAttributes(isOpen: isExpanded)) {
      NativeTag(.summary, "summary") {
        if let title { Text(title) }
        if let label = slots["label"] { label }
      }
      NativeTag(.div, "disclosed") {
        if let content = slots["content"] { content }
        slots.content
      }
    }
  }
}

/// `TabView`: each `Tab` under its name, one of them open. What is no `Tab` stands below them.
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
        // Those of one name close each other. The name is the mirror's own.
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

/// `GridRow`: each child in a cell, so that the columns of all rows are as wide.
struct NativeGridRow: View {
  @ObservedElement private var element

  var body: some View {
    NativeTag(.div, "grid-row", of: element) {
      ForEach(element.childElements) { child in NativeTag(.div, "grid-cell") { ElementView(child) } }
      if !element.text.isEmpty { NativeTag(.div, "grid-cell") { Text(element.text) } }
    }
  }
}
