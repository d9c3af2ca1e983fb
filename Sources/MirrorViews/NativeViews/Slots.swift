internal import MarkupDocument
internal import NodeObservation

/// The children of an element, grouped by their `template` attributes. Native views with templates
/// use this type, such as the views of `Label` and `Picker`.
///
/// ```swift
/// struct Card: View {
///   @ObservedElement(observeChildren: true) var element     // a child may change its template
///   var body: some View {
///     let slots = Slots(of: element, named: "title")
///     if let title = slots["title"] { Tag("header") { title } }
///     slots.content
///   }
/// }
/// ```
///
/// A child with an unknown template is a part of the content, so such a child is drawn too. Reading
/// the templates of the children is not tracked. The view must therefore observe the children of
/// its element, so that it is evaluated again when a template changes.
public struct Slots {
  /// The children without a template, and the children with a template that is not among the given
  /// names.
  public private(set) var content = Slot()
  private var named: [String: Slot] = [:]

  /// Groups the children of an element.
  ///
  /// - Parameters:
  ///   - element: the element.
  ///   - names: the names of the templates.
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

  /// The children with a template; `nil` if the element has no such child.
  public subscript(name: String) -> Slot? { named[name] }
}

/// A view of some children of an element: their texts, and the views of their elements.
public struct Slot: PrimitiveView {
  var children: [ElementNode.Child] = []

  /// Whether there are no children.
  public var isEmpty: Bool { children.isEmpty }

  /// Writes the texts, and adds placeholders for the views of the elements.
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
  /// The value of an attribute of each child, in order; `nil` for a child without the attribute.
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
