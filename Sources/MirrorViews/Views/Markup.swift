/// A text. Programs use it in their views, and so do the views of ``ViewRegistry/native``.
public struct Text: PrimitiveView {
  let text: String

  /// Creates a view of a text. The text is escaped when it is written.
  public init(_ text: String) { self.text = text }

  /// Creates a view of a text.
  public init(verbatim text: String) { self.init(text) }

  /// Creates a view of a text, such as a part of a string.
  @_disfavoredOverload public init(_ text: some StringProtocol) { self.init(String(text)) }

  /// Writes the escaped text.
  public static func _expand(_ view: Self, into expansion: inout Expansion) { expansion.write(text: view.text) }
}

/// An HTML element with its tag, attributes and content. Programs use it in their views. The views
/// of ``ViewRegistry/native`` use `NativeTag` instead.
///
/// ```swift
/// Tag("a", ["href": link, "class": isActive ? "on" : nil]) { Text(title) }
/// ```
public struct Tag<Content: View>: PrimitiveView {
  let name: String
  let attributes: KeyValuePairs<String, String?>
  let content: Content

  /// Creates an element. The names of the tag and of the attributes are not escaped, so they must
  /// come from your code.
  ///
  /// - Parameters:
  ///   - name: the tag.
  ///   - attributes: the attributes in order. Their values are escaped. An attribute whose value is
  ///     `nil` is not written.
  ///   - content: the content of the element.
  public init(_ name: String, _ attributes: KeyValuePairs<String, String?> = [:], @ViewBuilder content: () -> Content) {
    self.name = name
    self.attributes = attributes
    self.content = content()
  }

  /// Writes the start tag, the content and the end tag.
  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    expansion.element(view.name, view.attributes) { Content._expand(view.content, into: &$0) }
  }
}

extension Tag where Content == EmptyView {
  /// Creates an element without content.
  public init(_ name: String, _ attributes: KeyValuePairs<String, String?> = [:]) {
    self.init(name, attributes) { EmptyView() }
  }
}
