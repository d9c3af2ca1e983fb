package import MarkupDocument

/// What makes views invalid, and when they are evaluated again.
extension ViewTree: ObserverDelegate {
  package func observerChanged(node: NodeRef, changed: NodeRef) {
    locked {
      guard let host = hosts[node] else { return }
      if changed != node {
        for view in [host] + host.readers.compactMap(\.node) where view.observesChildren {
          mark(view, because: .child(changed))
        }
      } else if !isSettling {
        elementChanged(of: host)
      }
    }
    scheduleFlush()
  }

  package func observerFinished(node: NodeRef) {
    locked {
      if root?.observer?.node == node { return mount() }
      // The view of its parent is told too, and lets it go; it may go on as the view of another node until then.
      if let host = hosts[node] { gone.append(host) }
    }
    scheduleFlush()
  }

  /// Looks the element up anew, before any view is told; later, where the view was not drawn yet. Under the lock.
  func elementChanged(of host: ViewNode) {
    guard let node = host.observer?.node else { return }
    if host.drawing == nil {
      host.element = nil
      return
    }
    let element = ElementNode(node, of: coordinator)
    let reasons = host.element.map { element.differences(from: $0) } ?? []
    host.element = element
    for reason in reasons.isEmpty ? [.signal] : reasons {
      mark(host, because: reason)
      for reader in host.readers { if let view = reader.node { mark(view, because: reason) } }
    }
  }

  /// - Parameter later: what changes is announced before it has: it must not be read on this call.
  func invalidate(_ view: ViewNode, because reason: EvaluationReason, later: Bool = false) {
    locked { mark(view, because: reason) }
    scheduleFlush(later: later)
  }

  /// Under the lock.
  func mark(_ view: ViewNode, because reason: EvaluationReason) {
    guard view.isAlive else { return }
    if view.reasons.isEmpty { invalid.append(view) }
    if !view.reasons.contains(reason) { view.reasons.append(reason) }
  }

  /// Outside of the lock, unless bodies are evaluated anyway: whoever is asked may ask the tree.
  private func scheduleFlush(later: Bool = false) {
    let asksScheduler = later && !Publication.isRunning
    let isNeeded = locked {
      if isWorking || isSettling || (invalid.isEmpty && gone.isEmpty) { return false }
      if !asksScheduler { return true }
      defer { isSchedulerAsked = true }
      return !isSchedulerAsked
    }
    guard isNeeded else { return }
    if asksScheduler { return scheduler { [weak self] in _ = self?.flush() } }
    do throws(PublicationCycle) {
      // It keeps the tree, so that no other one can have this name meanwhile.
      try Publication.afterwards(once: ObjectIdentifier(self), "views") { self.flush() }
    } catch {
      note(ViewProblem(node: nil, message: "\(error)"))
    }
  }
}

extension ElementNode {
  /// Why a view that showed another moment of the element would show something else now.
  func differences(from old: ElementNode) -> [EvaluationReason] {
    var reasons: [EvaluationReason] = []
    if let element, let before = old.element {
      let changes = before.changes(to: element)
      if !changes.isEmpty { reasons.append(.attributes(changes.map(\.name))) }
    }
    if children == old.children { return reasons }
    let isSameShape =
      children.count == old.children.count
      && zip(children, old.children).allSatisfy { pair in
        switch pair {
        case (.text, .text), (.comment, .comment): true
        case (.element(let a), .element(let b)): a == b
        default: false
        }
      }
    reasons.append(isSameShape ? .text : .children)
    return reasons
  }
}
