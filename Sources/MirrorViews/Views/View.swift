/// A value that describes a part of a page.
///
/// ```swift
/// struct Greeting: View {
///   @Attribute("name") var name = "nobody"
///   var body: some View { Tag("p") { Text("Hello, \(name)") } }
/// }
/// ```
///
/// Creating a view value does no work, so it can be created any number of times. The tree evaluates its ``body`` when the
/// view is first drawn. It evaluates the body again when a value that the body has read changes, or when the enclosing
/// view creates the view with different properties. There is no other way to change the markup of the view.
public protocol View {
  /// The type of the body; `Never` for a ``PrimitiveView``.
  associatedtype Body: View

  /// The content of the view. It must depend only on the view's properties, and must have no side effects.
  @ViewBuilder var body: Body { get }

  /// Writes the view into the result of the enclosing body. Only the primitive views of this library implement it.
  static func _expand(_ view: Self, into expansion: inout Expansion)
}

extension View {
  /// Adds the view to the tree as a node of its own, which is evaluated separately from the enclosing body.
  public static func _expand(_ view: Self, into expansion: inout Expansion) { expansion.add(view) }
}

/// A view without a body. It writes its markup directly into the result of the enclosing body.
public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
  /// Traps: a primitive view has no body, and the tree never evaluates one.
  public var body: Never { preconditionFailure("\(Self.self) is a primitive view and has no body") }
}

extension Never: View {
  /// Traps. It cannot be called, because `Never` has no values.
  public var body: Never { preconditionFailure("there is no value of this type") }
}
