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
      let done = evaluateInvalid()
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
  func evaluateInvalid() -> [Evaluation] {
    guard !isEvaluating else { return [] }
    isSchedulerAsked = false
    var done: [Evaluation] = []
    var repeats: [Int: Int] = [:]
    while true {
      guard let topmost = takeTopmost() else {
        // Only when all bodies are what they are to be it is certain who shows what.
        if gone.isEmpty { return done }
        endGone()
        continue
      }
      for view in topmost where view.isAlive && !view.reasons.isEmpty {
        let reasons = view.reasons
        view.reasons = []
        guard view.drawing != nil else { continue }
        repeats[view.number, default: 0] += 1
        if repeats[view.number, default: 0] > Self.maximumRepeats {
          noteCircle(of: view, because: reasons)
        } else {
          done.append(evaluate(view, because: reasons))
        }
      }
    }
  }

  /// Those of the invalid views around which none is invalid.
  private func takeTopmost() -> [ViewNode]? {
    guard let depth = invalid.lazy.map(\.depth).min() else { return nil }
    let topmost = invalid.filter { $0.depth == depth }
    invalid = invalid.count == topmost.count ? [] : invalid.filter { $0.depth != depth }
    return topmost.count == 1 ? topmost : topmost.sorted { $0.number < $1.number }
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
    "\(view.elementView.element?.title ?? "the document") \(view.view.map { name(of: type(of: $0)) } ?? "")"
  }

  /// Evaluates one body, and lets those views go that it has no more.
  func evaluate(_ view: ViewNode, because reasons: [EvaluationReason]) -> Evaluation {
    if view.isHost, let node = view.observer?.node {
      let element = view.element ?? ElementNode(node, of: coordinator)
      view.element = element
      show(registry.view(for: element), in: view)
    }
    let (old, wasEvaluating) = (view.drawing, isEvaluating)
    isEvaluating = true
    defer { isEvaluating = wasEvaluating }
    let hadEnvironments = !view.environments.isEmpty
    view.environments = [:]
    view.observesChildren = false
    view.elementView.showers = nil
    let drawing = view.view.map { draw($0, in: view) } ?? Drawing()
    let isForNothing = old.map { $0.isSame(as: drawing) } ?? false
    view.drawing = drawing
    if let old, !isForNothing { follow(drawing, of: view, after: old) }
    if old != nil, reasons.contains(.environment) || hadEnvironments || !view.environments.isEmpty {
      passOnEnvironment(of: view)
    }
    view.evaluations += 1
    total += 1
    let host = view.elementView
    return Evaluation(
      view: view.number, type: view.view.map { name(of: type(of: $0)) } ?? "",
      node: host.observer?.node ?? NodeRef(epoch: 0, number: 0), element: host.element?.title ?? "the document",
      reasons: reasons, isForNothing: isForNothing)
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
    for (key, child) in view.children where expansion.children[key] !== child { end(child) }
    view.children = expansion.children
    return drawing
  }

  /// Another kind of view keeps nothing of the one before.
  private func show(_ new: any View, in host: ViewNode) {
    if let old = host.view, type(of: old) != type(of: new) {
      host.children.values.forEach(end)
      host.children = [:]
      host.storage = [:]
      host.readers = []
      host.stopReading()
    }
    host.view = new
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
    mark(host, because: .environment)
  }

  /// The view goes on, with what it keeps, as that of another node.
  private func rename(_ host: ViewNode, to node: NodeRef) {
    if let old = host.observer?.node, hosts[old] === host { hosts[old] = nil }
    host.observer?.cancel()
    observe(node, by: host)
    host.element = ElementNode(node, of: coordinator)
    mark(host, because: .children)
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
