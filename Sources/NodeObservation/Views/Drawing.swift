internal import MarkupDocument

/// What a body came to: markup, with holes where other views stand.
struct Drawing {
  enum Piece {
    case markup([UInt8])
    /// A view with a body of its own.
    case view(ViewNode)
    /// The view of an element; it is made when it is drawn.
    case element(NodeRef)
  }

  var pieces: [Piece] = []

  /// Whether two bodies came to the same: then there was nothing to do.
  func isSame(as other: Drawing) -> Bool {
    pieces.count == other.pieces.count
      && zip(pieces, other.pieces).allSatisfy { pair in
        switch pair {
        case (.markup(let a), .markup(let b)): a == b
        case (.view(let a), .view(let b)): a === b
        case (.element(let a), .element(let b)): a == b
        default: false
        }
      }
  }

  var elements: some Sequence<NodeRef> {
    pieces.lazy.compactMap { if case .element(let node) = $0 { node } else { nil } }
  }

  var views: some Sequence<ViewNode> {
    pieces.lazy.compactMap { if case .view(let view) = $0 { view } else { nil } }
  }
}
