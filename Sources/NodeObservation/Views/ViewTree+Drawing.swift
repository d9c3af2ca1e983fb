public import MarkupDocument

extension ViewTree {
  /// The whole page, as markup. What was never drawn is evaluated now.
  ///
  /// - Complexity: O(*characters*), and the first time every body once.
  public var markup: String { work { root.map(settledMarkup) ?? "" } }

  /// The markup of an element's view, with all views in it; `nil` where no view shows the element.
  public func markup(of node: NodeRef) -> String? {
    work {
      flush()
      return host(of: node).map(settledMarkup)
    }
  }

  /// What an evaluation came to, and no more: each view that stands in it is a hole, `<!--view:12-->`, named by
  /// ``Evaluation/view`` or, for an element's view that was not drawn, `<!--node:7-->`.
  ///
  /// This is the one piece of the page that has to be replaced. `nil` where the view is gone.
  public func piece(of evaluation: Evaluation) -> String? {
    locked {
      guard let view = hosts[evaluation.node]?.find(evaluation.view), let drawing = view.drawing else { return nil }
      var output: [UInt8] = []
      for piece in pieces(of: drawing, in: view) {
        switch piece {
        case .markup(let markup): output += markup
        case .view(let view): output += "<!--view:\(view.number)-->".utf8
        case .element(let node):
          output += (hosts[node].map { "<!--view:\($0.number)-->" } ?? "<!--node:\(node)-->").utf8
        }
      }
      return String(decoding: output, as: UTF8.self)
    }
  }

  /// What a body makes invalid while it is drawn is drawn again.
  private func settledMarkup(of view: ViewNode) -> String {
    flush()
    var markup = draw(view)
    if !invalid.isEmpty {
      flush()
      markup = draw(view)
    }
    return markup
  }

  /// Without recursion: pages are deep.
  private func draw(_ top: ViewNode) -> String {
    var output: [UInt8] = []
    var open: [(view: ViewNode, pieces: ArraySlice<Drawing.Piece>)] = [(top, pieces(of: top)[...])]
    while let (view, pieces) = open.last {
      guard let piece = pieces.first else {
        open.removeLast()
        continue
      }
      open[open.count - 1].pieces = pieces.dropFirst()
      switch piece {
      case .markup(let markup): output += markup
      case .view(let inner): open.append((inner, self.pieces(of: inner)[...]))
      case .element(let node):
        let host = hosts[node] ?? makeHost(of: node, in: view)
        open.append((host, self.pieces(of: host)[...]))
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private func pieces(of view: ViewNode) -> [Drawing.Piece] {
    draw(ifNeeded: view)
    guard let drawing = view.drawing else { return [] }
    let pieces = pieces(of: drawing, in: view)
    // Many pages are drawn for each that changes.
    if drawing.pieces.isEmpty { view.drawing?.pieces = pieces }
    return pieces
  }

  /// What a drawing is made of, which is written now if it was not yet.
  func pieces(of drawing: Drawing, in view: ViewNode) -> [Drawing.Piece] {
    guard drawing.pieces.isEmpty, let standing = drawing.standing else { return drawing.pieces }
    var expansion = Expansion(of: view, in: self)
    expansion.write(standing)
    return expansion.finish().pieces
  }

  func draw(ifNeeded view: ViewNode) {
    if view.drawing == nil { _ = evaluate(view, because: [.first]) }
  }

  private func makeHost(of node: NodeRef, in view: ViewNode) -> ViewNode {
    makeHost(of: node, under: view, environment: view.environment(of: node))
  }

  // MARK: - Finding

  /// The view of an element, made with those around it where it was never drawn.
  ///
  /// - Complexity: O(*depth*) where those around it are drawn.
  func host(of node: NodeRef) -> ViewNode? {
    if let known = hosts[node] { return known }
    guard let shower = shower(of: node) else { return nil }
    return makeHost(of: node, in: shower)
  }

  /// The view that has an element's view in its body, made with those around it where it was never drawn.
  func shower(of node: NodeRef) -> ViewNode? {
    guard let root, let way = coordinator.reading({ self.way(to: node, in: $0) }) ?? nil else { return nil }
    var view = way.host ?? root
    for step in way.undrawn {
      if let shower = shower(of: step, in: view) { view = makeHost(of: step, in: shower) }
    }
    return shower(of: node, in: view)
  }

  /// The nearest view around an element, and the elements between the two, outermost first; `nil` for a node that is not in the
  /// document.
  ///
  /// - Complexity: O(*elements between*): of many elements in each other, each is passed once.
  private func way(to node: NodeRef, in document: Document) -> (host: ViewNode?, undrawn: [NodeRef])? {
    guard document.contains(node) else { return nil }
    var undrawn: [NodeRef] = []
    var step = document.parent(of: node)
    while let above = step, above != document.root {
      if let host = hosts[above] { return (host, undrawn.reversed()) }
      undrawn.append(above)
      step = document.parent(of: above)
    }
    return (nil, undrawn.reversed())
  }

  /// The view that shows an element in that of another one: this, or one that stands in it.
  private func shower(of node: NodeRef, in host: ViewNode) -> ViewNode? {
    draw(ifNeeded: host)
    // An element as it stands shows all that is in it.
    return host.type == ElementMarkup.self ? host : showers(in: host)[node]
  }

  private func showers(in host: ViewNode) -> [NodeRef: ViewNode] {
    if let known = host.showers { return known }
    var showers: [NodeRef: ViewNode] = [:]
    var views = [host]
    while let view = views.popLast() {
      draw(ifNeeded: view)
      guard let drawing = view.drawing else { continue }
      for element in drawing.elements { showers[element] = view }
      views += drawing.views
    }
    host.showers = showers
    return showers
  }
}

extension ViewNode {
  /// The views in it that have bodies of their own, itself included; not those of elements.
  var subtreeCount: Int { 1 + children.values.reduce(0) { $0 + $1.subtreeCount } }

  /// What the view of an element in it finds.
  func environment(of node: NodeRef) -> EnvironmentValues { environments[node] ?? environment }

  func find(_ number: Int) -> ViewNode? {
    if self.number == number { return self }
    for child in children.values { if let found = child.find(number) { return found } }
    return nil
  }

  /// The elements that its body shows, and those of the views in it.
  var shownElements: [NodeRef] {
    (drawing?.elements.map { $0 } ?? []) + children.values.flatMap(\.shownElements)
  }
}
