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

  /// The element that stands there as it is, if that is all there is: it is written when somebody wants to see it.
  let standing: ElementNode?
  /// Empty while a ``standing`` element was not written.
  var pieces: [Piece] = []

  init(of standing: ElementNode? = nil) { self.standing = standing }

  /// The views of elements in it.
  var elements: Elements {
    Elements(
      children: (standing?.children ?? []).makeIterator(), pieces: (standing == nil ? pieces : []).makeIterator())
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

  /// The views with bodies of their own in it.
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
