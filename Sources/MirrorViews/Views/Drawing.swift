internal import MarkupDocument

/// The result of a body: markup, with placeholders for other views. Each evaluation makes a
/// drawing, and the ``ViewNode`` keeps the drawing until the next evaluation. ``ViewTree`` writes
/// the markup of a page from the drawings of its views.
struct Drawing {
  /// A part of the drawing.
  enum Piece {
    case markup([UInt8])
    /// A placeholder for a view that has a body of its own.
    case view(ViewNode)
    /// A placeholder for the view of an element. The view is created when it is drawn.
    case element(NodeRef)
  }

  /// The element that the view writes unchanged; `nil` if the view has a body. For such an element,
  /// ``pieces`` is filled only when it is needed.
  let unchangedElement: ElementNode?
  /// The markup and the placeholders in order; empty if there is an ``unchangedElement`` whose
  /// pieces have not been needed yet.
  var pieces: [Piece] = []

  init(of unchangedElement: ElementNode? = nil) { self.unchangedElement = unchangedElement }

  /// The elements that have a placeholder in the drawing, in order.
  var elements: Elements {
    Elements(
      children: (unchangedElement?.children ?? []).makeIterator(),
      pieces: (unchangedElement == nil ? pieces : []).makeIterator())
  }

  struct Elements: Sequence, IteratorProtocol {
    fileprivate var children: IndexingIterator<[ElementNode.Child]>
    fileprivate var pieces: IndexingIterator<[Piece]>

    mutating func next() -> NodeRef? {
      while let child = children.next() { if case .element(let node) = child { return node } }
      while let piece = pieces.next() { if case .element(let node) = piece { return node } }
      return nil
    }
  }

  /// The views with bodies of their own that have a placeholder in the drawing.
  var views: some Sequence<ViewNode> {
    pieces.lazy.compactMap { if case .view(let view) = $0 { view } else { nil } }
  }
}

extension Drawing.Piece {
  func isSame(as other: Self) -> Bool {
    switch (self, other) {
    case (.markup(let a), .markup(let b)): a == b
    case (.view(let a), .view(let b)): a === b
    case (.element(let a), .element(let b)): a == b
    default: false
    }
  }
}
