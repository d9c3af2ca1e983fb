public import MarkupDocument

/// The reason why a body was evaluated. An ``Evaluation`` lists its reasons.
public enum EvaluationReason: Sendable, Hashable, CustomStringConvertible {
  /// The view had not been drawn before.
  case first
  /// The attributes with these names differ in the element of the view.
  case attributes([String])
  /// The element has other children than before, or the same children in another order.
  case children
  /// A direct text or comment of the element differs.
  case text
  /// The element received a signal, but its attributes, children and texts are the same as when the
  /// view last read them, or the earlier ones are not known.
  case signal
  /// A child that the view observes has changed.
  case child(NodeRef)
  /// The enclosing view created the view with other property values.
  case inputs
  /// A value of the environment differs.
  case environment
  /// A state that the view reads has changed. The value is the name of the property.
  case state(String)
  /// An object that the view observes has changed. The value is the name of the property that holds
  /// the object, such as `cart`, or `Observable` for an `@Observable` object.
  case object(String)
  /// A shared value that the view reads has changed. The value is the name of its key.
  case shared(String)

  /// The text that follows the view in ``Evaluation/description``.
  public var description: String {
    switch self {
    case .first: "drawn for the first time"
    case .attributes(let names): "attribute\(names.count == 1 ? "" : "s") `\(names.joined(separator: "`, `"))`"
    case .children: "children"
    case .text: "text"
    case .signal: "a signal"
    case .child(let node): "child \(node)"
    case .inputs: "other inputs"
    case .environment: "environment"
    case .state(let name): "state `\(name)`"
    case .object(let name): "object `\(name)`"
    case .shared(let key): "shared `\(key)`"
    }
  }
}

extension EvaluationReason {
  /// An array of this reason only. Logs keep every evaluation, so the array of a frequent reason is
  /// allocated once and shared.
  package var alone: [EvaluationReason] {
    switch self {
    case .text: Self.onlyText
    case .children: Self.onlyChildren
    case .signal: Self.onlySignal
    default: [self]
    }
  }

  private static let onlyText = [EvaluationReason.text]
  private static let onlyChildren = [EvaluationReason.children]
  private static let onlySignal = [EvaluationReason.signal]
}

/// One evaluation of one body: the view, the reasons, and whether the result differs. A `ViewTree`
/// creates it, and the record of an update keeps it in ``IsolationReport/Views``.
public struct Evaluation: Sendable, Hashable, CustomStringConvertible {
  /// The number of the view in its tree. In the markup of the enclosing view, the placeholder
  /// `<!--view:12-->` is view 12.
  public let view: Int
  /// The type of the view.
  public let type: String
  /// The element that the view shows, or the element whose view contains this view.
  public let node: NodeRef
  /// The name of that element, such as `<li#row-9>`.
  public let element: String
  /// The reasons for the evaluation, in the order in which they arose.
  public let reasons: [EvaluationReason]
  /// Whether the body returned the same result as before, and gave the views in it the same inputs
  /// and environment, so that the evaluation was not necessary.
  public let isForNothing: Bool

  /// An evaluation with these properties.
  package init(
    view: Int, type: String, node: NodeRef, element: String, reasons: [EvaluationReason], isForNothing: Bool
  ) {
    self.view = view
    self.type = type
    self.node = node
    self.element = element
    self.reasons = reasons
    self.isForNothing = isForNothing
  }

  /// The view and the reasons for the evaluation:
  ///
  ///     body of <li#row-9> (Row): attribute `class`
  public var description: String {
    "body of \(element) (\(type)): \(reasons.map(\.description).joined(separator: ", "))"
      + (isForNothing ? " — idle" : "")
  }
}
