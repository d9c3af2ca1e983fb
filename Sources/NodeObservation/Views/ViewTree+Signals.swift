package import MarkupDocument

/// What makes views invalid, and when they are evaluated again.
extension ViewTree: ObserverDelegate {
  package func observerChanged(node: NodeRef, changed: NodeRef) {
    let isDue = locked {
      // What an update is going to tell of an element itself stands already: see `expect(_:in:)`.
      if isSettling, changed == node { return false }
      guard let host = hosts[node] else { return hasWork }
      if changed != node {
        for view in [host] + host.readers.compactMap(\.node) where view.observesChildren {
          mark(view, because: [.child(changed)])
        }
      } else if host.drawing == nil {
        // It is looked up when it is drawn.
        host.show(nil)
      } else {
        elementChanged(of: host, to: ElementNode(node, of: coordinator))
      }
      return hasWork
    }
    if isDue { flushAfterwards() }
  }

  package func observerFinished(node: NodeRef) {
    locked {
      if root?.observer?.node == node { return mount() }
      // The view of its parent is told too, and lets it go; it may go on as the view of another node until then.
      if let host = hosts[node] { gone.append(host) }
    }
    scheduleFlush()
  }

  /// What an element is from now on, before any view is told. Under the lock.
  func elementChanged(of host: ViewNode, to element: ElementNode) {
    let reasons = host.element.map { element.differences(from: $0) } ?? EvaluationReason.signal.alone
    let isSameElement = if case .attributes? = reasons.first { false } else { host.element != nil }
    host.show(element, isCalledOtherwise: !isSameElement)
    mark(host, because: reasons)
    for reader in host.readers { if let view = reader.node { mark(view, because: reasons) } }
  }

  /// - Parameter later: what changes is announced before it has: it must not be read on this call.
  func invalidate(_ view: ViewNode, because reason: EvaluationReason, later: Bool = false) {
    locked { mark(view, because: reason.alone) }
    scheduleFlush(later: later)
  }

  /// Under the lock. The reasons are different ones.
  func mark(_ view: ViewNode, because reasons: [EvaluationReason]) {
    guard view.isAlive else { return }
    if view.reasons.isEmpty {
      invalid.append(view)
      view.reasons = reasons
    } else {
      for reason in reasons where !view.reasons.contains(reason) { view.reasons.append(reason) }
    }
  }

  /// Whether there is something to evaluate that nobody sees to. Under the lock.
  private var hasWork: Bool { !isWorking && !isSettling && !(invalid.isEmpty && gone.isEmpty) }

  /// Outside of the lock, unless bodies are evaluated anyway: whoever is asked may ask the tree.
  private func scheduleFlush(later: Bool = false) {
    let asksScheduler = later && !Publication.isRunning
    let isNeeded = locked {
      guard hasWork else { return false }
      if !asksScheduler { return true }
      defer { isSchedulerAsked = true }
      return !isSchedulerAsked
    }
    guard isNeeded else { return }
    if asksScheduler { return scheduler { [weak self] in _ = self?.flush() } }
    flushAfterwards()
  }

  private func flushAfterwards() {
    do throws(PublicationCycle) {
      // It keeps the tree, so that no other one can have this name meanwhile.
      try Publication.afterwards(once: ObjectIdentifier(self), "views") { self.flush() }
    } catch {
      note(ViewProblem(node: nil, message: "\(error)"))
    }
  }
}

extension ElementNode {
  /// Why a view that showed another moment of the element was told: what it would show otherwise now, if anything.
  func differences(from old: ElementNode) -> [EvaluationReason] {
    let below = differenceOfChildren(from: old)
    if let element, let before = old.element {
      let changes = before.changes(to: element)
      if !changes.isEmpty { return [.attributes(changes.map(\.name))] + (below?.alone ?? []) }
    }
    return (below ?? .signal).alone
  }

  private func differenceOfChildren(from old: ElementNode) -> EvaluationReason? {
    let (children, before) = (children, old.children)
    guard children.count == before.count else { return .children }
    var isSame = true
    for place in children.indices {
      switch (children[place], before[place]) {
      case (.element(let a), .element(let b)): if a != b { return .children }
      case (.text(let a), .text(let b)), (.comment(let a), .comment(let b)): if a != b { isSame = false }
      case (.processingInstruction(let a), .processingInstruction(let b)): if a != b { isSame = false }
      default: return .children
      }
    }
    return isSame ? nil : .text
  }
}
