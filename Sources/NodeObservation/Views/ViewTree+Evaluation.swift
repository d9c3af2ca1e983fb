internal import MarkupDocument

extension ViewTree {
  /// How many evaluations wait for ``takeEvaluations()``.
  public static let maximumRecent = 1000

  /// How often one view may be evaluated in one flush before that is taken for a circle.
  static let maximumRepeats = 100

  /// Evaluates what is invalid, from the top down, until nothing is. Views that were never drawn wait until they are.
  ///
  /// It runs by itself when a publication has ended.
  ///
  /// - Returns: what was evaluated.
  @discardableResult
  public func flush() -> [Evaluation] {
    work {
      var done: [Evaluation] = []
      evaluateInvalid(into: &done)
      if isSettling {
        settled += done
      } else {
        recent += done
        if recent.count > Self.maximumRecent { recent.removeFirst(recent.count - Self.maximumRecent) }
      }
      return done
    }
  }

  /// A view is evaluated when all above it are what they are to be: it is made with what holds now, and once.
  func evaluateInvalid(into done: inout [Evaluation]) {
    guard !isEvaluating else { return }
    isSchedulerAsked = false
    flushes += 1
    while true {
      while invalid.count == 1, let view = invalid.popLast() { evaluateAgain(view, into: &done) }
      for view in takeTopmost() { evaluateAgain(view, into: &done) }
      guard invalid.isEmpty else { continue }
      // Only when all bodies are what they are to be it is certain who shows what.
      if gone.isEmpty { return }
      endGone()
    }
  }

  private func evaluateAgain(_ view: ViewNode, into done: inout [Evaluation]) {
    let reasons = view.reasons
    guard view.isAlive, !reasons.isEmpty else { return }
    view.reasons = []
    guard view.drawing != nil else { return }
    let count = view.repeats.flush == flushes ? view.repeats.count + 1 : 1
    view.repeats = (flushes, count)
    if count > Self.maximumRepeats {
      noteCircle(of: view, because: reasons)
    } else {
      done.appendOrBegin(with: evaluate(view, because: reasons))
    }
  }

  /// Those of the invalid views around which none is invalid.
  private func takeTopmost() -> [ViewNode] {
    guard let depth = invalid.lazy.map(\.depth).min() else { return [] }
    let topmost = invalid.filter { $0.depth == depth }
    invalid = invalid.count == topmost.count ? [] : invalid.filter { $0.depth != depth }
    return topmost.sorted { $0.number < $1.number }
  }

  /// Leaves the views as they are that make each other invalid.
  private func noteCircle(of view: ViewNode, because reasons: [EvaluationReason]) {
    let others = invalid.filter { $0 !== view && !$0.reasons.isEmpty }
    let names = ([(view, reasons)] + others.map { ($0, $0.reasons) }).map { view, reasons in
      "\(describe(view)) (\(reasons.map(\.description).joined(separator: ", ")))"
    }
    note(
      ViewProblem(
        node: view.elementView.observer?.node,
        message: "views made each other invalid \(Self.maximumRepeats) times and were left as they are: "
          + names.joined(separator: " → ") + ". A body must not change what it, or a view around it, reads"))
    for other in invalid { other.reasons = [] }
    invalid = []
  }

  func describe(_ view: ViewNode) -> String {
    "\(view.elementView.title) \(typeName(of: view))"
  }

  /// Evaluates one body, and lets those views go that it has no more.
  func evaluate(_ view: ViewNode, because reasons: [EvaluationReason]) -> Evaluation {
    let host = view.elementView
    let node = host.observer?.node
    let standing = view.isHost ? node.flatMap { showElement($0, in: view) } : nil
    let (old, wasEvaluating) = (view.drawing, isEvaluating)
    isEvaluating = true
    defer { isEvaluating = wasEvaluating }
    let hadEnvironments = !view.environments.isEmpty
    if hadEnvironments { view.environments = [:] }
    view.observesChildren = false
    host.showers = nil
    let drawing =
      if let standing { Drawing(of: standing) } else if let content = view.view { draw(content, in: view) } else {
        Drawing()
      }
    let isForNothing = old.map { isSame($0, drawing, in: view) } ?? false
    view.drawing = drawing
    if let old, !isForNothing { follow(drawing, of: view, after: old) }
    if old != nil, reasons.contains(.environment) || hadEnvironments || !view.environments.isEmpty {
      passOnEnvironment(of: view)
    }
    view.evaluations += 1
    total += 1
    return Evaluation(
      view: view.number, type: typeName(of: view), node: node ?? NodeRef(epoch: 0, number: 0), element: host.title,
      reasons: reasons, isForNothing: isForNothing)
  }

  private func typeName(of view: ViewNode) -> String {
    if let known = view.typeName { return known }
    let found = view.type.map(name(of:)) ?? ""
    view.typeName = found
    return found
  }

  /// Whether two bodies came to the same: then there was nothing to do.
  private func isSame(_ old: Drawing, _ new: Drawing, in view: ViewNode) -> Bool {
    if let old = old.standing, let new = new.standing { return new.isWritten(as: old) }
    let (old, new) = (pieces(of: old, in: view), pieces(of: new, in: view))
    return old.count == new.count && zip(old, new).allSatisfy { $0.isSame(as: $1) }
  }

  private func draw<Content: View>(_ content: Content, in view: ViewNode) -> Drawing {
    var expansion = Expansion(of: view, in: self)
    if Content.Body.self == Never.self {
      Content._expand(content, into: &expansion)
    } else {
      binder.bind(content, to: view)
      view.tracking { Content.Body._expand(content.body, into: &expansion) }
    }
    let drawing = expansion.finish()
    if !view.children.isEmpty {
      for (key, child) in view.children where expansion.children[key] !== child { end(child) }
    }
    view.children = expansion.children
    return drawing
  }

  /// Finds the view of an element.
  ///
  /// - Returns: the element, if it stands as it is.
  private func showElement(_ node: NodeRef, in host: ViewNode) -> ElementNode? {
    let element = host.element ?? ElementNode(node, of: coordinator)
    if host.element == nil { host.show(element) }
    guard let view = registry.view(for: element) else {
      become(ElementMarkup.self, host)
      return element
    }
    become(type(of: view), host)
    host.view = view
    return nil
  }

  /// Another kind of view keeps nothing of the one before.
  private func become(_ kind: any View.Type, _ host: ViewNode) {
    if let old = host.type, old != kind {
      host.children.values.forEach(end)
      host.children = [:]
      host.storage = [:]
      host.readers = []
      host.stopReading()
      (host.view, host.typeName) = (nil, nil)
    }
    host.type = kind
  }

  /// Ends a view that stood in another one. Nothing may show the elements any more that it showed.
  private func end(_ view: ViewNode) {
    gone += view.shownElements.compactMap { hosts[$0] }
    view.end()
  }

  // MARK: - The views of elements

  /// Lets the views go of elements that are no longer shown, or lets them go on as views of the same thing: an element
  /// with the same identity.
  private func follow(_ drawing: Drawing, of view: ViewNode, after old: Drawing) {
    if old.elements.elementsEqual(drawing.elements) { return }
    // Marked, and not put into sets: most have no view yet, and a look-up says so.
    for node in drawing.elements { hosts[node]?.shown = (view.number, view.evaluations) }
    var left: [ElementID: ViewNode] = [:]
    for node in old.elements {
      guard let host = hosts[node], host.shown != (view.number, view.evaluations) else { continue }
      // One whose node is still there may only stand elsewhere.
      if host.observer?.isFinished == true, let id = host.element?.id, left[id] == nil {
        left[id] = host
      } else {
        gone.append(host)
      }
    }
    if left.isEmpty { return }
    for node in drawing.elements where hosts[node] == nil && !left.isEmpty {
      guard let id = coordinator.reading({ $0.elementID(of: node) }), let host = left.removeValue(forKey: id) else {
        continue
      }
      rename(host, to: node)
    }
    gone += left.values
  }

  /// The views of elements that stand in a view find there what they are to find now.
  private func passOnEnvironment(of view: ViewNode) {
    for node in view.drawing?.elements.map({ $0 }) ?? [] {
      if let host = hosts[node] { set(view.environment(of: node), of: host) }
    }
  }

  private func set(_ environment: EnvironmentValues, of host: ViewNode) {
    guard host.environment != environment else { return }
    host.environment = environment
    mark(host, because: [.environment])
  }

  /// The view goes on, with what it keeps, as that of another node.
  private func rename(_ host: ViewNode, to node: NodeRef) {
    if let old = host.observer?.node, hosts[old] === host { hosts[old] = nil }
    host.observer?.cancel()
    observe(node, by: host)
    host.show(ElementNode(node, of: coordinator))
    mark(host, because: EvaluationReason.children.alone)
  }

  private func drop(_ host: ViewNode, of node: NodeRef) {
    if hosts[node] === host { hosts[node] = nil }
    // What stood in it had views that nothing shows any more.
    var dropped = [host]
    while let next = dropped.popLast() {
      for child in next.shownElements {
        guard let below = hosts[child], below.parentHost === next.elementView else { continue }
        if below.observer?.isFinished == true {
          hosts[child] = nil
          dropped.append(below)
        } else {
          gone.append(below)
        }
      }
      next.end()
    }
  }

  /// Lets the views go of elements that nothing shows any more. An element that only stands elsewhere keeps its view.
  func endGone() {
    while let host = gone.popLast() {
      guard host.isAlive, let node = host.observer?.node, hosts[node] === host else { continue }
      hosts[node] = nil
      guard host.observer?.isFinished == false, let shower = shower(of: node) else {
        drop(host, of: node)
        continue
      }
      hosts[node] = host
      host.move(into: shower)
      set(shower.environment(of: node), of: host)
    }
  }
}

extension ElementNode {
  /// `<li#row-9>`, or the document.
  var title: String {
    guard let element else { return "the document" }
    return "<\(element.tag)\(element.id.map { "#\($0)" } ?? "")>"
  }
}
