// Re-exported, because a program with views also uses `observe`, evaluations, and the elements of a
// document.
@_exported public import NodeObservation

/// A value that describes a part of a page.
///
/// ```swift
/// struct Greeting: View {
///   @State var name = "nobody"
///   var body: some View { Text("Hello, \(name)") }
/// }
/// ```
///
/// Creating a view value does no work, so views can be created any number of times. The tree
/// evaluates the ``body`` of a view when the view is first drawn. It evaluates the body again when
/// a value that the body has read changes, or when the enclosing view creates the view with
/// different properties. The markup of the view changes in no other way.
///
/// As in SwiftUI, a view belongs to the main actor, so it can use models of the main actor. See
/// ``ViewTree`` for the thread on which bodies run. The views of elements of a document must be of
/// the kind ``PageView``.
@MainActor public protocol View {
  /// The type of the body; `Never` for a ``PrimitiveView``.
  associatedtype Body: View

  /// The content of the view. It must depend only on the view's properties, and must have no side
  /// effects.
  @ViewBuilder var body: Body { get }

  /// Writes the view into the result of the enclosing body. Only the primitive views of this
  /// library implement it.
  nonisolated static func _expand(_ view: Self, into expansion: inout Expansion)
}

nonisolated extension View {
  /// Adds the view to the tree as a node of its own, which is evaluated separately from the
  /// enclosing body.
  public static func _expand(_ view: Self, into expansion: inout Expansion) { expansion.add(view) }

  /// Prints the type of the view and the reasons for the running evaluation of its body. Call this
  /// function in a body.
  ///
  /// The same reasons are in ``ViewTree/takeEvaluations()`` and in the inspector.
  public static func _printChanges() {
    guard let view = ThreadContext.current.pointee.owner as? ViewNode, let reasons = view.tree?.evaluatedBecause else {
      return
    }
    print("\(Self.self): \(reasons.map(\.description).joined(separator: ", "))")
  }
}

/// A view that belongs to no actor. The views of a document are evaluated on the thread that
/// updates the document, so these views and all views in their bodies must be of this kind. In such
/// a body, the compiler rejects code that belongs to the main actor.
///
/// ```swift
/// struct Badge: PageView {
///   @Attribute("count") var count = 0
///   var body: some View { Tag("b") { Text("\(count)") } }
/// }
/// registry.register("Badge") { _ in Badge() }
/// ```
public nonisolated protocol PageView: View {}

/// A view without a body. It writes its markup directly into the result of the enclosing body.
public nonisolated protocol PrimitiveView: PageView where Body == Never {}

nonisolated extension PrimitiveView {
  /// Traps: a primitive view has no body, and the tree never evaluates one.
  public var body: Never { preconditionFailure("\(Self.self) is a primitive view and has no body") }
}

nonisolated extension Never: View {
  /// Traps. It cannot be called, because `Never` has no values.
  public var body: Never { preconditionFailure("there is no value of this type") }
}
