/// Views below each other. In markup, `<div class="vstack">`.
public struct VStack<Content: View>: PrimitiveView {
  let content: Content

  /// Creates a stack.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  /// Writes the stack.
  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    expansion.box("div", "vstack", view.content)
  }
}

/// Views beside each other. In markup, `<div class="hstack">`.
public struct HStack<Content: View>: PrimitiveView {
  let content: Content

  /// Creates a stack.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  /// Writes the stack.
  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    expansion.box("div", "hstack", view.content)
  }
}

/// Controls that belong together. In markup, `<div class="form" role="form">`.
public struct Form<Content: View>: PrimitiveView {
  let content: Content

  /// Creates a form.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  /// Writes the form.
  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    expansion.box("div", "form", role: "form", view.content)
  }
}

extension Expansion {
  fileprivate mutating func box<Content: View>(
    _ tag: String, _ name: String, role: String? = nil, _ content: Content
  ) {
    open(tag, ["class": name, "role": role])
    Content._expand(content, into: &self)
    close(tag)
  }
}
