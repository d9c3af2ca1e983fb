/// Makes one view of several: one after the other, one or the other, or none.
@resultBuilder public enum ViewBuilder {
  /// No view.
  public static func buildBlock() -> EmptyView { EmptyView() }

  /// One view, as it is.
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

  /// Views one after the other.
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<repeat each Content> {
    TupleView(repeat each content)
  }

  /// The view of an `if` whose condition holds.
  public static func buildEither<First: View, Second: View>(first: First) -> ConditionalContent<First, Second> {
    .first(first)
  }

  /// The view of an `else`.
  public static func buildEither<First: View, Second: View>(second: Second) -> ConditionalContent<First, Second> {
    .second(second)
  }

  /// The view of an `if` without `else`.
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

  /// A view of a type that older systems have not.
  public static func buildLimitedAvailability(_ content: some View) -> AnyView { AnyView(content) }
}

/// Nothing.
public struct EmptyView: PrimitiveView {
  /// Nothing.
  public init() {}

  public static func _expand(_ view: Self, into expansion: inout Expansion) {}
}

/// Views one after the other, told apart by their positions.
public struct TupleView<each Content: View>: PrimitiveView {
  let content: (repeat each Content)

  init(_ content: repeat each Content) { self.content = (repeat each content) }

  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    var position = 0
    for part in repeat each view.content {
      expansion.at(.position(position)) { expansion in type(of: part)._expand(part, into: &expansion) }
      position += 1
    }
  }
}

/// One of two views: going from one to the other ends the one and begins the other.
public enum ConditionalContent<First: View, Second: View>: PrimitiveView {
  /// The one.
  case first(First)
  /// The other.
  case second(Second)

  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    switch view {
    case .first(let view): expansion.at(.branch(true)) { First._expand(view, into: &$0) }
    case .second(let view): expansion.at(.branch(false)) { Second._expand(view, into: &$0) }
    }
  }
}

extension Optional: View, PrimitiveView where Wrapped: View {
  public typealias Body = Never

  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    if let view { Wrapped._expand(view, into: &expansion) }
  }
}

/// A view of any type; another type is another view.
public struct AnyView: PrimitiveView {
  let view: any View

  /// Hides the type of a view.
  public init(_ view: any View) { self.view = view }

  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    func open<Content: View>(_ content: Content) {
      expansion.at(.type(ObjectIdentifier(Content.self))) { Content._expand(content, into: &$0) }
    }
    open(view.view)
  }
}

/// Several views as one.
public struct Group<Content: View>: PrimitiveView {
  let content: Content

  /// Puts views together.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    Content._expand(view.content, into: &expansion)
  }
}
