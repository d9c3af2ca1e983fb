/// Text, escaped.
public struct Text: PrimitiveView {
  let text: String

  public init(_ text: String) { self.text = text }

  public static func _expand(_ view: Self, into expansion: inout Expansion) { expansion.write(text: view.text) }
}

/// An HTML element: its tag, its attributes, and what is in it.
///
/// ```swift
/// Tag("a", ["href": link, "class": isActive ? "on" : nil]) { Text(title) }
/// ```
public struct Tag<Content: View>: PrimitiveView {
  let name: String
  let attributes: KeyValuePairs<String, String?>
  let content: Content

  /// - Parameter attributes: one without a value is left out.
  public init(_ name: String, _ attributes: KeyValuePairs<String, String?> = [:], @ViewBuilder content: () -> Content) {
    self.name = name
    self.attributes = attributes
    self.content = content()
  }

  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    expansion.open(view.name, view.attributes)
    Content._expand(view.content, into: &expansion)
    expansion.close(view.name)
  }
}

extension Tag where Content == EmptyView {
  public init(_ name: String, _ attributes: KeyValuePairs<String, String?> = [:]) {
    self.init(name, attributes) { EmptyView() }
  }
}
