/// Combines the views of a `body`: several views in order, the branches of `if` and `switch`, or no
/// view. The compiler inserts calls of these functions into each ``View/body``, and into the
/// content of views such as ``Tag``.
@resultBuilder public enum ViewBuilder {
  /// An empty block.
  public static func buildBlock() -> EmptyView { EmptyView() }

  /// A block of one view, which is returned unchanged.
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

  /// A block of several views, in order.
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<repeat each Content> {
    TupleView(repeat each content)
  }

  /// The first branch of an `if` with `else`, or of a `switch`.
  public static func buildEither<First: View, Second: View>(first: First) -> _ConditionalContent<First, Second> {
    .first(first)
  }

  /// The second branch of an `if` with `else`, or of a `switch`.
  public static func buildEither<First: View, Second: View>(second: Second) -> _ConditionalContent<First, Second> {
    .second(second)
  }

  /// The branch of an `if` without `else`; `nil` if the condition is false.
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

  /// The branch of an `if #available`. Its type is erased, because an older system may not have the
  /// type.
  public static func buildLimitedAvailability(_ content: some View) -> AnyView { AnyView(content) }
}

/// A view without content.
public struct EmptyView: PrimitiveView {
  /// Creates an empty view.
  public init() {}

  /// Writes nothing.
  public static func _expand(_ view: Self, into expansion: inout Expansion) {}
}

/// Several views in order. Each view is identified by its position.
public struct TupleView<each Content: View>: PrimitiveView {
  let content: (repeat each Content)

  init(_ content: repeat each Content) { self.content = (repeat each content) }

  /// Writes the views in order.
  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    var position = 0
    for part in repeat each view.content {
      expansion.at(.position(position)) { expansion in type(of: part)._expand(part, into: &expansion) }
      position += 1
    }
  }
}

/// The view of one of two branches. When the condition changes, the view of the old branch ends and
/// the other branch gets a new view.
public enum _ConditionalContent<First: View, Second: View>: PrimitiveView {
  /// The view of the `if` branch.
  case first(First)
  /// The view of the `else` branch.
  case second(Second)

  /// Writes the view of the branch.
  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    switch view {
    case .first(let view): expansion.at(.branch(true)) { First._expand(view, into: &$0) }
    case .second(let view): expansion.at(.branch(false)) { Second._expand(view, into: &$0) }
    }
  }
}

nonisolated extension Optional: View, PageView, PrimitiveView where Wrapped: View {
  /// An optional view is a ``PrimitiveView``.
  public typealias Body = Never

  /// Writes the view, unless it is `nil`.
  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    if let view { Wrapped._expand(view, into: &expansion) }
  }
}

/// A view of any type. If the type changes, the old view ends and a new view is created.
public struct AnyView: PrimitiveView {
  let view: any View

  /// Erases the type of a view.
  public init(_ view: any View) { self.view = view }

  /// Writes the view. Its type is part of its identity.
  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    func open<Content: View>(_ content: Content) {
      expansion.at(.type(ObjectIdentifier(Content.self))) { Content._expand(content, into: &$0) }
    }
    open(view.view)
  }
}

/// Combines several views into one view, without markup of its own.
public struct Group<Content: View>: PrimitiveView {
  let content: Content

  /// Groups the views of a builder.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  /// Writes the views of the group.
  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    Content._expand(view.content, into: &expansion)
  }
}
