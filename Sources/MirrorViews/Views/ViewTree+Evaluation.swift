internal import MarkupDocument
internal import MirrorSupport
public import NodeObservation

/// Evaluates bodies: in a flush, in a drawing, and at the end of an update of a mirror. All three
/// run within ``work(_:)``, so only one thread at a time evaluates views of a tree.
extension ViewTree {
  /// The maximum number of evaluations that are kept for ``takeEvaluations()``.
  public static let maximumRecent = EvaluationHistory.maximumRecent

  /// Evaluates all invalid views, and all views that become invalid meanwhile. Views that were
  /// never drawn are not evaluated.
  ///
  /// At the end of a publication that has made views invalid, the tree calls this function itself.
  ///
  /// - Returns: the evaluations.
  @discardableResult
  public func flush() -> [Evaluation] {
    work {
      var done: [Evaluation] = []
      evaluateInvalid(into: &done)
      if mirrorUpdate.isRunning { mirrorUpdate.add(done) } else { history.add(done) }
      return done
    }
  }

  /// Evaluates all invalid views in the order of their depths. When a view is evaluated, the
  /// enclosing views have already given it its new inputs, so one evaluation is enough.
  func evaluateInvalid(into done: inout [Evaluation]) {
    guard !isEvaluating, isOnItsThread else { return }
    isSchedulerAsked = false
    queue.beginFlush()
    while true {
      while let view = queue.takeOnly() { evaluateAgain(view, into: &done) }
      for view in queue.takeTopmost() { evaluateAgain(view, into: &done) }
      guard queue.isEmpty else { continue }
      // Only now, when all bodies are up to date, it is known which view shows each element.
      guard elementViews.hasOrphans else { return }
      endOrphans()
    }
  }

  private func evaluateAgain(_ view: ViewNode, into done: inout [Evaluation]) {
    let reasons = view.reasons
    guard view.isAlive, !reasons.isEmpty else { return }
    view.reasons = []
    guard view.drawing != nil else { return }
    if queue.countEvaluation(of: view) {
      done.appendOrBegin(with: evaluate(view, because: reasons))
    } else {
      noteCycle(of: view, because: reasons)
    }
  }

  /// Records the problem that views invalidate each other without end, and empties the queue. The
  /// views in the queue keep their last drawings.
  private func noteCycle(of view: ViewNode, because reasons: [EvaluationReason]) {
    let others = queue.abandonAll().filter { $0.view !== view }
    let names = ([(view, reasons)] + others).map { view, reasons in
      "\(describe(view)) (\(reasons.map(\.description).joined(separator: ", ")))"
    }
    note(
      ViewProblem(
        node: view.elementView.observer?.node,
        message: "views invalidated each other \(EvaluationQueue.maximumRepeats) times and keep their last drawings: "
          + names.joined(separator: " → ") + ". A body must not change what it, or a view around it, reads"))
  }

  func describe(_ view: ViewNode) -> String {
    "\(view.elementView.title) \(typeName(of: view))"
  }

  /// Evaluates one body, and ends the views that the body no longer contains.
  func evaluate(_ view: ViewNode, because reasons: [EvaluationReason]) -> Evaluation {
    let host = view.elementView
    let node = host.observer?.node
    let unchangedElement = view.isElementView ? node.flatMap { showElement($0, in: view) } : nil
    let (old, outer) = (view.drawing, evaluatedBecause)
    evaluatedBecause = reasons
    defer { evaluatedBecause = outer }
    let environments = view.environments
    if !environments.isEmpty { view.environments = [:] }
    if !view.environmentReads.isEmpty { view.environmentReads = [] }
    if !view.controls.isEmpty { view.controls = [] }
    view.setsEnvironment = false
    view.lacksObject = false
    view.observesChildren = false
    view.gaveOtherInputs = false
    host.owners = nil
    let drawing =
      if let unchangedElement { Drawing(of: unchangedElement) } else if let content = view.view {
        draw(content, in: view)
      } else {
        Drawing()
      }
    let drawsSame = old.map { isSame($0, drawing, in: view) } ?? false
    view.drawing = drawing
    if let old, !drawsSame { follow(drawing, of: view, after: old) }
    let hasEnvironments = !environments.isEmpty || !view.environments.isEmpty
    if old != nil, hasEnvironments || reasons.contains(.environment) {
      passOnEnvironment(of: view)
      if hasEnvironments, environments != view.environments { view.gaveOtherInputs = true }
    }
    view.evaluations += 1
    history.countEvaluation()
    return report(of: view, because: reasons, isForNothing: drawsSame && !view.gaveOtherInputs)
  }

  /// Creates the record of an evaluation that has ended.
  func report(of view: ViewNode, because reasons: [EvaluationReason], isForNothing: Bool) -> Evaluation {
    let host = view.elementView
    return Evaluation(
      view: view.number, type: typeName(of: view), node: host.observer?.node ?? NodeRef(epoch: 0, number: 0),
      element: host.title, reasons: reasons, isForNothing: isForNothing)
  }

  private func typeName(of view: ViewNode) -> String {
    if let known = view.typeName { return known }
    let found = view.type.map(name(of:)) ?? ""
    view.typeName = found
    return found
  }

  /// Whether two results of a body have the same markup and the same placeholders.
  private func isSame(_ old: Drawing, _ new: Drawing, in view: ViewNode) -> Bool {
    if let old = old.unchangedElement, let new = new.unchangedElement { return new.isWritten(as: old) }
    let (old, new) = (pieces(of: old, in: view), pieces(of: new, in: view))
    return old.count == new.count && zip(old, new).allSatisfy { $0.isSame(as: $1) }
  }

  private func draw<Content: View>(_ content: Content, in view: ViewNode) -> Drawing {
    var expansion = Expansion(of: view, in: self)
    if Content.Body.self == Never.self {
      Content._expand(content, into: &expansion)
    } else {
      binder.bind(content, to: view)
      if !view.lacksObject {
        // The view value stays in this tree, which evaluates on one thread at a time.
        nonisolated(unsafe) let content = content
        view.tracking { Content.Body._expand(ViewTree.isolated { content.body }, into: &expansion) }
      }
    }
    let drawing = expansion.finish()
    if !view.children.isEmpty {
      for (key, child) in view.children where expansion.children[key] !== child { end(child) }
    }
    view.children = expansion.children
    if !view.effects.isEmpty {
      for (key, effect) in view.effects where expansion.effects[key] !== effect { view.end(effect) }
    }
    view.effects = expansion.effects
    return drawing
  }

  /// Asks the registry for the view of an element, and stores the view and its type in `host`. The
  /// root of a tree without a document has the view ``rootView``.
  ///
  /// - Returns: the element if it is written unchanged; `nil` if `host` now has a view that shows
  ///   it.
  private func showElement(_ node: NodeRef, in host: ViewNode) -> ElementNode? {
    let element = host.element ?? ElementNode(node, of: coordinator)
    if host.element == nil { host.show(element) }
    guard let view = element.element == nil ? rootView : registry.view(for: element) else {
      setType(ElementMarkup.self, of: host)
      return element
    }
    setType(type(of: view), of: host)
    host.view = view
    return nil
  }

  /// Sets the type of an element view. If the type changes, the view loses its storage and the
  /// views inside it.
  private func setType(_ kind: any View.Type, of host: ViewNode) {
    if let old = host.type, old != kind {
      host.children.values.forEach(end)
      host.children = [:]
      host.storage = [:]
      host.endEffects()
      host.readers = []
      host.stopReading()
      (host.view, host.typeName) = (nil, nil)
    }
    host.type = kind
  }

  /// Ends a view inside an element view. The views of the child elements that the ended view showed
  /// become orphans.
  private func end(_ view: ViewNode) {
    elementViews.orphan(view.shownElements.compactMap { elementViews[$0] })
    view.end()
  }

  // MARK: - Element views

  /// Compares the elements of the old and the new drawing of a body.
  ///
  /// The view of an element that the body no longer shows becomes an orphan (see ``ElementViews``).
  /// Exception: if the element was removed from the document and the body shows a new element with
  /// the same ``ElementID``, the view continues as the view of the new element.
  private func follow(_ drawing: Drawing, of view: ViewNode, after old: Drawing) {
    if old.elements.elementsEqual(drawing.elements) { return }
    // Marks in the views are cheaper than a set of the new elements: most elements have no view.
    for node in drawing.elements { elementViews[node]?.shown = (view.number, view.evaluations) }
    var left: [ElementID: ViewNode] = [:]
    for node in old.elements {
      guard let host = elementViews[node], host.shown != (view.number, view.evaluations) else { continue }
      // If the element is still in the document, another body may show it now, so the view of the
      // element becomes an orphan and does not continue here.
      if host.observer?.isFinished == true, let id = host.element?.id, left[id] == nil {
        left[id] = host
      } else {
        elementViews.orphan(host)
      }
    }
    if left.isEmpty { return }
    for node in drawing.elements where elementViews[node] == nil && !left.isEmpty {
      guard let id = coordinator.reading({ $0.elementID(of: node) }), let host = left.removeValue(forKey: id) else {
        continue
      }
      rename(host, to: node)
    }
    elementViews.orphan(left.values)
  }

  /// Passes the environment of a view to the views of the elements that its body shows.
  private func passOnEnvironment(of view: ViewNode) {
    for node in view.drawing?.elements.map({ $0 }) ?? [] {
      if let host = elementViews[node] { set(view.environment(of: node), of: host) }
    }
  }

  /// Gives a view another environment. The view is marked for evaluation if its body reads a value
  /// that differs, or sets environment values for a part of the body. Otherwise the environment is
  /// passed on to the views inside the view and to the views of its child elements.
  func set(_ environment: EnvironmentValues, of view: ViewNode) {
    var open = [(view, environment)]
    while let (view, environment) = open.popLast() {
      let old = view.environment
      guard old != environment else { continue }
      view.environment = environment
      if view.setsEnvironment || view.environmentReads.contains(where: { !$0(old, environment) }) {
        mark(view, because: [.environment])
      } else {
        open += view.children.values.map { ($0, environment) }
        for node in view.drawing?.elements.map({ $0 }) ?? [] {
          if let host = elementViews[node] { open.append((host, environment)) }
        }
      }
    }
  }

  /// Makes an element view the view of another node. The view keeps its storage, looks up its new
  /// element, and is marked for evaluation.
  private func rename(_ host: ViewNode, to node: NodeRef) {
    if let old = host.observer?.node, elementViews[old] === host { elementViews[old] = nil }
    host.observer?.cancel()
    observe(node, by: host)
    host.show(ElementNode(node, of: coordinator))
    mark(host, because: EvaluationReason.children.alone)
  }

  /// Ends an element view whose element was removed, or is no longer shown by any body.
  private func drop(_ host: ViewNode, of node: NodeRef) {
    if elementViews[node] === host { elementViews[node] = nil }
    // The views of removed child elements end too. The views of the other child elements become
    // orphans.
    var dropped = [host]
    while let next = dropped.popLast() {
      for child in next.shownElements {
        guard let below = elementViews[child], below.parentElementView === next.elementView else { continue }
        if below.observer?.isFinished == true {
          elementViews[child] = nil
          dropped.append(below)
        } else {
          elementViews.orphan(below)
        }
      }
      next.end()
    }
  }

  /// Ends all orphans. Exception: if another body now shows the element of an orphan, the orphan is
  /// moved into the view of that body.
  func endOrphans() {
    while let host = elementViews.nextOrphan() {
      guard host.isAlive, let node = host.observer?.node, elementViews[node] === host else { continue }
      elementViews[node] = nil
      guard host.observer?.isFinished == false, let owner = owner(of: node) else {
        drop(host, of: node)
        continue
      }
      elementViews[node] = host
      host.move(into: owner)
      set(owner.environment(of: node), of: host)
    }
  }
}

extension ElementNode {
  /// A name such as `<li#row-9>`, or `the document`.
  var title: String {
    guard let element else { return "the document" }
    return "<\(element.tag)\(element.id.map { "#\($0)" } ?? "")>"
  }
}
