internal import MarkupDocument

/// What stands in an element, by the places that its children ask for with `template`.
///
/// ```swift
/// struct Card: View {
///   @ObservedElement(observeChildren: true) var element     // a child may change its mind
///   var body: some View {
///     let slots = Slots(of: element, named: "title")
///     if let title = slots["title"] { Tag("header") { title } }
///     slots.content
///   }
/// }
/// ```
///
/// A child that asks for a place which is not named is content: nothing gets lost.
public struct Slots {
  /// All that asks for none of the places.
  public private(set) var content = Slot()
  private var named: [String: Slot] = [:]

  /// - Complexity: O(*children*).
  public init(of element: ElementNode, named names: String...) { self.init(of: element, names: names) }

  init(of element: ElementNode, names: [String]) {
    let templates = element.attributesOfChildren("template")
    for (child, template) in zip(element.children, templates) {
      if let template, names.contains(template) {
        named[template, default: Slot()].children.append(child)
      } else {
        content.children.append(child)
      }
    }
  }

  /// What asks for a place; `nil` where nothing does.
  public subscript(name: String) -> Slot? { named[name] }
}

/// Some of what stands in an element: texts, and the views of elements.
public struct Slot: PrimitiveView {
  var children: [ElementNode.Child] = []

  /// Whether nothing stands in it.
  public var isEmpty: Bool { children.isEmpty }

  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    for child in view.children {
      switch child {
      case .element(let node): expansion.add(node)
      case .text(let text): expansion.write(text: text)
      case .comment, .processingInstruction: break
      }
    }
  }
}

extension ElementNode {
  /// The value of an attribute for every child, in their order; `nil` where there is none.
  func attributesOfChildren(_ name: String) -> [String?] {
    let values = source?.reading { document in
      children.map { child -> String? in
        guard case .element(let node) = child else { return nil }
        return document.content(of: node)?.element?[name]
      }
    }
    return values ?? Array(repeating: nil, count: children.count)
  }
}
