/// Views below each other, written as `<div class="vstack">`. Programs use it in their own views.
/// The view of a `VStack` element is of another type, `NativeBoxView`.
public struct VStack<Content: View>: PrimitiveView {
  let content: Content
  let style: String?

  /// Creates a stack. The alignment and the spacing in pixels are written as described for
  /// ``View/drawn(_:)``.
  public init(alignment: Alignment? = nil, spacing: Double? = nil, @ViewBuilder content: () -> Content) {
    self.content = content()
    style = .call("vstack", ("alignment", alignment?.rawValue), ("spacing", spacing?.shortest))
  }

  /// Writes the stack.
  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    expansion.box("vstack", style: view.style, view.content)
  }
}

/// Views beside each other, written as `<div class="hstack">`.
public struct HStack<Content: View>: PrimitiveView {
  let content: Content
  let style: String?

  /// Creates a stack. The alignment and the spacing in pixels are written as described for
  /// ``View/drawn(_:)``.
  public init(alignment: Alignment? = nil, spacing: Double? = nil, @ViewBuilder content: () -> Content) {
    self.content = content()
    style = .call("hstack", ("alignment", alignment?.rawValue), ("spacing", spacing?.shortest))
  }

  /// Writes the stack.
  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    expansion.box("hstack", style: view.style, view.content)
  }
}

/// Views on top of each other, written as `<div class="zstack">`.
public struct ZStack<Content: View>: PrimitiveView {
  let content: Content
  let style: String?

  /// Creates a stack. The alignment is written as described for ``View/drawn(_:)``.
  public init(alignment: Alignment? = nil, @ViewBuilder content: () -> Content) {
    self.content = content()
    style = .call("zstack", ("alignment", alignment?.rawValue))
  }

  /// Writes the stack.
  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    expansion.box("zstack", style: view.style, view.content)
  }
}

/// The free space between the views of a stack, written as `<div class="spacer">`.
public struct Spacer: PrimitiveView {
  /// Creates a space. The length has no effect on the markup.
  public init(minLength: Double? = nil) {}

  /// Writes the space.
  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    expansion.element("div", ["class": "spacer"])
  }
}

/// A line between views, written as `<hr>`.
public struct Divider: PrimitiveView {
  /// Creates a line.
  public init() {}

  /// Writes the line.
  public static func _expand(_ view: Self, into expansion: inout Expansion) { expansion.element("hr", [:]) }
}

/// Controls that belong together, written as `<div class="form" role="form">`.
public struct Form<Content: View>: PrimitiveView {
  let content: Content

  /// Creates a form.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  /// Writes the form.
  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    expansion.box("form", role: "form", view.content)
  }
}

extension Expansion {
  fileprivate mutating func box<Content: View>(
    _ name: String, role: String? = nil, style: String? = nil, _ content: Content
  ) {
    let write = { (expansion: inout Expansion) in
      expansion.element("div", ["class": name, "role": role]) { Content._expand(content, into: &$0) }
    }
    if let style { styled(style, write) } else { write(&self) }
  }
}
