public import MarkupDocument
public import NodeObservation

/// Draws pages, and looks up the views of elements. The inspector draws a page with
/// ``numberedMarkup``, and programs draw with ``markup``. Views are evaluated within ``work(_:)``,
/// so only one thread at a time evaluates views of a tree.
extension ViewTree {
  /// The markup of the whole page. Invalid views, and views that were never drawn, are evaluated
  /// first.
  ///
  /// - Complexity: O(*characters*). The first drawing also evaluates every body.
  public var markup: String { settled { root.map { settledMarkup(of: $0) } ?? "" } }

  /// The same as ``markup``, with an ``ElementNumber`` in the first tag of each element's view.
  package var numberedMarkup: String { settled { root.map { settledMarkup(of: $0, isNumbered: true) } ?? "" } }

  /// The markup of an element's view with all views inside it; `nil` if no view shows the element.
  public func markup(of node: NodeRef) -> String? {
    settled {
      flush()
      return elementView(of: node).map { settledMarkup(of: $0) }
    }
  }

  /// The current markup of an evaluated view, without the views inside it; `nil` if the view has
  /// ended.
  ///
  /// A client that already shows the page only has to replace this markup. Each view inside it is
  /// replaced by a placeholder: `<!--view:12-->` with the number `Evaluation/view`, or
  /// `<!--node:7-->` for an element whose view does not exist yet.
  public func piece(of evaluation: Evaluation) -> String? {
    locked {
      guard let view = elementViews[evaluation.node]?.find(evaluation.view), let drawing = view.drawing else {
        return nil
      }
      var output: [UInt8] = []
      for piece in pieces(of: drawing, in: view) {
        switch piece {
        case .markup(let markup): output += markup
        case .view(let view): output += "<!--view:\(view.number)-->".utf8
        case .element(let node):
          output += (elementViews[node].map { "<!--view:\($0.number)-->" } ?? "<!--node:\(node)-->").utf8
        }
      }
      return String(decoding: output, as: UTF8.self)
    }
  }

  /// Draws a page. Actions of the page's bodies, such as those of `onAppear`, run after the drawing
  /// and may change values that the bodies read. If an action has run, the page is drawn again, at
  /// most ``EvaluationQueue/maximumRepeats`` times.
  private func settled<Markup>(_ draw: () -> Markup) -> Markup {
    var repeats = 0
    while true {
      let count = locked { actionCount }
      let markup = work(draw)
      repeats += 1
      if repeats > EvaluationQueue.maximumRepeats || locked({ actionCount == count }) { return markup }
    }
  }

  /// Flushes, and draws a view. A body that is evaluated for the first time during the drawing may
  /// invalidate other views. Then the flush and the drawing are repeated, at most
  /// ``EvaluationQueue/maximumRepeats`` times.
  private func settledMarkup(of view: ViewNode, isNumbered: Bool = false) -> String {
    flush()
    var markup = draw(view, isNumbered)
    var repeats = 0
    // Inside a body, and on a thread on which the tree evaluates no views, a flush would evaluate
    // nothing.
    while !queue.isEmpty, !isEvaluating, isOnItsThread, repeats < EvaluationQueue.maximumRepeats {
      flush()
      markup = draw(view, isNumbered)
      repeats += 1
    }
    return markup
  }

  /// Writes the markup of a view and of all views inside it. Iterative, because pages can be deep.
  private func draw(_ top: ViewNode, _ isNumbered: Bool) -> String {
    var output: [UInt8] = []
    var open: [(view: ViewNode, pieces: ArraySlice<Drawing.Piece>)] = [(top, pieces(of: top)[...])]
    /// The element whose view has written nothing yet.
    var unnumbered: NodeRef?
    while let (view, pieces) = open.last {
      guard let piece = pieces.first else {
        open.removeLast()
        unnumbered = nil
        continue
      }
      open[open.count - 1].pieces = pieces.dropFirst()
      switch piece {
      case .markup(let markup):
        let isWritten = unnumbered.map { ElementNumber.write($0, into: markup, at: &output) } ?? false
        if !isWritten { output += markup }
        unnumbered = nil
      case .view(let inner): open.append((inner, self.pieces(of: inner)[...]))
      case .element(let node):
        let host = elementViews[node] ?? makeElementView(of: node, in: view)
        open.append((host, self.pieces(of: host)[...]))
        unnumbered = isNumbered ? node : nil
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private func pieces(of view: ViewNode) -> [Drawing.Piece] {
    draw(ifNeeded: view)
    guard let drawing = view.drawing else { return [] }
    let pieces = pieces(of: drawing, in: view)
    // Cached, because a view is usually drawn several times between two evaluations.
    if drawing.pieces.isEmpty { view.drawing?.pieces = pieces }
    return pieces
  }

  /// The pieces of a drawing: markup, and the places of inner views and of child elements. If the
  /// drawing writes an element unchanged and has no pieces yet, this function creates the pieces,
  /// but does not store them in the drawing.
  func pieces(of drawing: Drawing, in view: ViewNode) -> [Drawing.Piece] {
    guard drawing.pieces.isEmpty, let unchangedElement = drawing.unchangedElement else { return drawing.pieces }
    var expansion = Expansion(of: view, in: self)
    expansion.write(unchangedElement)
    return expansion.finish().pieces
  }

  /// Evaluates a view that was never drawn. Has no effect for other views, and on a thread on which
  /// the tree evaluates no views.
  func draw(ifNeeded view: ViewNode) {
    if view.drawing == nil, isOnItsThread { _ = evaluate(view, because: [.first]) }
  }

  private func makeElementView(of node: NodeRef, in view: ViewNode) -> ViewNode {
    makeElementView(of: node, under: view, environment: view.environment(of: node))
  }

  // MARK: - Look-up

  /// The view of an element; `nil` if no body shows the element.
  ///
  /// If the view does not exist, it is created. Enclosing views that do not exist are created and
  /// evaluated.
  ///
  /// - Complexity: O(*depth*) if the enclosing views exist.
  func elementView(of node: NodeRef) -> ViewNode? {
    if let known = elementViews[node] { return known }
    guard let owner = owner(of: node) else { return nil }
    return makeElementView(of: node, in: owner)
  }

  /// The view whose body shows an element; `nil` if no body shows it. Enclosing views that do not
  /// exist are created and evaluated.
  func owner(of node: NodeRef) -> ViewNode? {
    guard let root, let path = coordinator.reading({ self.path(to: node, in: $0) }) ?? nil else { return nil }
    var view = path.host ?? root
    for step in path.undrawn {
      if let owner = owner(of: step, in: view) { view = makeElementView(of: step, in: owner) }
    }
    return owner(of: node, in: view)
  }

  /// The path from the nearest existing view down to an element; `nil` for a node that is not in
  /// the document.
  ///
  /// - Returns: `host`, the view of the nearest enclosing element that has a view, or `nil` if only
  ///   the root has one; and `undrawn`, the elements between that element and `node`, the outermost
  ///   first. These elements have no views yet.
  /// - Complexity: O(*elements between*). The caller creates the views of the undrawn elements, so
  ///   the calls for all elements of a page together visit each element about once.
  private func path(to node: NodeRef, in document: Document) -> (host: ViewNode?, undrawn: [NodeRef])? {
    guard document.contains(node) else { return nil }
    var undrawn: [NodeRef] = []
    var step = document.parent(of: node)
    while let above = step, above != document.root {
      if let host = elementViews[above] { return (host, undrawn.reversed()) }
      undrawn.append(above)
      step = document.parent(of: above)
    }
    return (nil, undrawn.reversed())
  }

  /// The view that shows a child element: `host` or a view inside it.
  private func owner(of node: NodeRef, in host: ViewNode) -> ViewNode? {
    draw(ifNeeded: host)
    // An element that is written unchanged shows all its children.
    return host.type == ElementMarkup.self ? host : owners(in: host)[node]
  }

  /// For each child element that `host` or a view inside `host` shows, the view that shows the
  /// child element. Views that were never drawn are evaluated first.
  func owners(in host: ViewNode) -> [NodeRef: ViewNode] {
    if let known = host.owners { return known }
    var owners: [NodeRef: ViewNode] = [:]
    var views = [host]
    while let view = views.popLast() {
      draw(ifNeeded: view)
      guard let drawing = view.drawing else { continue }
      for element in drawing.elements { owners[element] = view }
      views += drawing.views
    }
    host.owners = owners
    return owners
  }
}

extension ViewNode {
  /// The number of views in this part of the tree: this view and all views inside it, without the
  /// views of child elements.
  var subtreeCount: Int { 1 + children.values.reduce(0) { $0 + $1.subtreeCount } }

  /// The environment that this view passes to the view of a child element.
  func environment(of node: NodeRef) -> EnvironmentValues { environments[node] ?? environment }

  /// The view with a number: this view or one inside it. Views of child elements are not searched.
  func find(_ number: Int) -> ViewNode? {
    if self.number == number { return self }
    for child in children.values { if let found = child.find(number) { return found } }
    return nil
  }

  /// The child elements that the body of this view and the bodies of the views inside it show.
  var shownElements: [NodeRef] {
    (drawing?.elements.map { $0 } ?? []) + children.values.flatMap(\.shownElements)
  }
}
