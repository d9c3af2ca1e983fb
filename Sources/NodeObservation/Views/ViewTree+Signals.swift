package import MarkupDocument

/// What makes views invalid, and when they are evaluated again.
extension ViewTree: ObserverDelegate {
  package func observerChanged(node: NodeRef, changed: NodeRef) {
    locked {
      guard let host = hosts[node] else { return }
      let reasons: [EvaluationReason]
      if changed == node {
        // Resolved anew before any view is told.
        let element = ElementNode(node, of: coordinator)
        reasons = host.element.map { element.differences(from: $0) } ?? [.signal]
        host.element = element
      } else {
        reasons = [.child(changed)]
      }
      for reason in reasons.isEmpty ? [.signal] : reasons {
        invalidate(host, because: reason)
        for reader in host.readers { if let node = reader.node { invalidate(node, because: reason) } }
      }
    }
  }

  package func observerFinished(node: NodeRef) {
    locked {
      if root?.observer?.node == node { return mount() }
      // The view of its parent is told too, and lets it go; it may go on as the view of another node until then.
      if let host = hosts[node] { gone.append(host) }
      scheduleFlush()
    }
  }

  /// - Parameter later: what changes is announced before it has: it must not be read on this call.
  func invalidate(_ node: ViewNode, because reason: EvaluationReason, later: Bool = false) {
    locked {
      guard node.isAlive else { return }
      if node.reasons.isEmpty { invalid.append(node) }
      if !node.reasons.contains(reason) { node.reasons.append(reason) }
      if later, !Publication.isRunning { return scheduler { [weak self] in _ = self?.flush() } }
      scheduleFlush()
    }
  }

  private func scheduleFlush() {
    if isWorking { return }
    do throws(PublicationCycle) {
      try Publication.afterwards(once: ObjectIdentifier(self), "views") { [weak self] in _ = self?.flush() }
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
