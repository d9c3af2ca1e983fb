internal import MarkupDocument

/// An HTML element that a native view writes, with classes for the style sheet. All native views
/// write their elements with this type.
///
/// LiveView's event attributes are copied under names that LiveView's client ignores: `phx-click`
/// becomes `data-phx-click`.
struct NativeTag<Content: View>: PrimitiveView {
  private let tag: HTMLTag
  private let classes: String?
  private let element: ElementNode?
  private let attributes: HTMLAttributes
  private let content: Content

  /// Creates an HTML element.
  ///
  /// - Parameter element: the element that the tag represents; `nil` if the tag is only a part of
  ///   the native view.
  init(
    _ tag: HTMLTag, _ classes: String? = nil, of element: ElementNode? = nil,
    _ attributes: HTMLAttributes = HTMLAttributes(),
    @ViewBuilder content: () -> Content
  ) {
    self.tag = tag
    self.classes = classes
    self.element = element
    self.attributes = attributes
    self.content = content()
  }

  static func _expand(_ view: Self, into expansion: inout Expansion) {
    let (element, attributes) = (view.element, view.attributes)
    // Only these attributes can be written. No attribute name comes from the markup of the
    // LiveView.
    expansion.element(
      view.tag.rawValue,
      [
        "id": element?.element?.id,
        "class": view.classes,
        "style": attributes.style.text,
        "role": attributes.role,
        "aria-label": attributes.label,
        "tabindex": attributes.isFocusable ? "0" : nil,
        "title": attributes.title,
        "href": attributes.href?.text,
        // A browser loads the URL when it shows the page. Without a referrer the foreign server
        // does not learn the page's address.
        "src": attributes.src?.text,
        "referrerpolicy": attributes.src.map { _ in "no-referrer" },
        "alt": attributes.alt,
        "type": attributes.type,
        "name": attributes.name,
        "min": attributes.min?.shortest,
        "max": attributes.max?.shortest,
        "step": attributes.step?.shortest,
        "value": attributes.value,
        "placeholder": attributes.placeholder,
        "checked": attributes.isChecked ? "" : nil,
        "disabled": attributes.isDisabled && view.tag.hasDisabled ? "" : nil,
        "aria-disabled": attributes.isDisabled && !view.tag.hasDisabled ? "true" : nil,
        "aria-selected": attributes.isSelected.map { $0 ? "true" : "false" },
        "data-mirror-choice": attributes.choice,
        "readonly": attributes.isReadOnly ? "" : nil,
        "open": attributes.isOpen ? "" : nil,
        "data-phx-click": element?["phx-click"],
        "data-phx-change": element?["phx-change"],
        "data-phx-submit": element?["phx-submit"],
        "data-phx-focus": element?["phx-focus"],
        "data-phx-blur": element?["phx-blur"],
        "data-phx-target": element?["phx-target"],
        "data-phx-debounce": element?["phx-debounce"],
        "data-phx-throttle": element?["phx-throttle"],
        "data-phx-update": element?["phx-update"],
        "data-phx-values": element?.eventValues,
      ]
    ) { Content._expand(view.content, into: &$0) }
  }
}

extension NativeTag where Content == EmptyView {
  init(
    _ tag: HTMLTag, _ classes: String? = nil, of element: ElementNode? = nil,
    _ attributes: HTMLAttributes = HTMLAttributes()
  ) {
    self.init(tag, classes, of: element, attributes) { EmptyView() }
  }
}

extension ElementNode {
  /// The `phx-value-…` attributes as one text: `id=6 x=y` for `phx-value-id="6" phx-value-x="y"`.
  /// The names of these attributes come from the server, so they are written inside an attribute
  /// value and never as attribute names.
  fileprivate var eventValues: String? {
    let prefix = "phx-value-"
    let values = attributes.filter { $0.name.hasPrefix(prefix) }
    return values.isEmpty ? nil : values.map { "\($0.name.dropFirst(prefix.count))=\($0.value)" }.joined(separator: " ")
  }
}
