public import MarkupDocument

/// Why a body was evaluated.
public enum EvaluationReason: Sendable, Hashable, CustomStringConvertible {
  /// Nobody had drawn it before.
  case first
  /// These attributes of its element differ.
  case attributes([String])
  /// Other nodes stand in its element, or in another order.
  case children
  /// A text in its element differs.
  case text
  /// Its element was told to have changed, and what it shows of it has not.
  case signal
  /// A child that it observes changed.
  case child(NodeRef)
  /// The view that holds it made it with other values.
  case inputs
  /// A value of the environment differs.
  case environment
  /// Its own state, by the property's name.
  case state(String)
  /// An object that it observes.
  case object(String)
  /// A shared value, by its key.
  case shared(String)

  /// As it stands behind the view in ``Evaluation/description``.
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
  /// The one reason that there is. Logs keep every evaluation: the usual reasons stand in memory once.
  var alone: [EvaluationReason] {
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

/// One evaluation of one body: which view, why, and whether anything came of it.
public struct Evaluation: Sendable, Hashable, CustomStringConvertible {
  /// The view's number in its tree: it names a hole in the markup of the view that holds it.
  public let view: Int
  /// The type of the view.
  public let type: String
  /// The element whose view it is, or stands in.
  public let node: NodeRef
  /// How that element is called.
  public let element: String
  /// Everything that made it necessary, in the order in which it came.
  public let reasons: [EvaluationReason]
  /// The body came to what it was before: what it reads had not changed.
  public let isForNothing: Bool

  init(
    view: Int, type: String, node: NodeRef, element: String, reasons: [EvaluationReason], isForNothing: Bool
  ) {
    self.view = view
    self.type = type
    self.node = node
    self.element = element
    self.reasons = reasons
    self.isForNothing = isForNothing
  }

  /// The view and why it was evaluated:
  ///
  ///     body of <li#row-9> (Row): attribute `class`
  public var description: String {
    "body of \(element) (\(type)): \(reasons.map(\.description).joined(separator: ", "))"
      + (isForNothing ? " — for nothing" : "")
  }
}
