/// A piece of a page: what it shows follows from its properties alone, so it is made anew as often as anybody likes.
///
/// ```swift
/// struct Greeting: View {
///   @Attribute("name") var name = "nobody"
///   var body: some View { Tag("p") { Text("Hello, \(name)") } }
/// }
/// ```
///
/// Making one does no work: its ``body`` is asked for when it is drawn, and again when something that it reads has
/// changed. There is no other way to change what it shows.
public protocol View {
  /// What the view is made of; `Never` for those that are written as they stand.
  associatedtype Body: View

  /// What the view is made of. It must follow from the view's properties, and change nothing.
  @ViewBuilder var body: Body { get }

  /// For the views of this library: how the view is written into the body that holds it.
  static func _expand(_ view: Self, into expansion: inout Expansion)
}

extension View {
  /// A view with a body is one of its own in the tree: it is evaluated by itself.
  public static func _expand(_ view: Self, into expansion: inout Expansion) { expansion.add(view) }
}

/// A view that has no body: it is written straight into the body that holds it.
public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
  /// There is none, and nobody asks for it.
  public var body: Never { preconditionFailure("\(Self.self) has no body; it is drawn as it stands") }
}

extension Never: View {
  /// There is none, as there is no such value.
  public var body: Never { preconditionFailure("there is no value of this type") }
}
