/// Text, escaped.
public struct Text: PrimitiveView {
  let text: String

  /// A text, as it is to be read: it is escaped where it is written.
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

  /// - Parameters:
  ///   - name: the tag, written as it is given: take it from your code.
  ///   - attributes: written in this order, values escaped; one without a value is left out.
  ///   - content: what stands in it.
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
  /// An element with nothing in it.
  public init(_ name: String, _ attributes: KeyValuePairs<String, String?> = [:]) {
    self.init(name, attributes) { EmptyView() }
  }
}
