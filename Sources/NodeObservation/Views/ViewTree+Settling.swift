package import MarkupDocument

/// The page of a mirror: nobody may have drawn it, and still every element has a view that is told.
extension ViewTree {
  /// Makes the views invalid that are going to be told of a version. To be called under the lock that was taken before
  /// the version was put in place: so nobody draws a page of two versions, and who draws before everybody was told sees
  /// the new one.
  ///
  /// - Parameter document: that version.
  package func expect(_ notified: [NodeRef], in document: Document) {
    isSettling = true
    for node in notified {
      let host = hosts[node]
      if let host, host.drawing != nil {
        elementChanged(of: host, to: document.element(node, of: coordinator))
      } else {
        host?.show(nil)
        undrawn.append(node)
      }
    }
  }

  /// Evaluates what a published change set made invalid. Views that nobody had drawn are made first, with those around
  /// them: on a screen they would have stood.
  ///
  /// - Returns: the bodies that were evaluated again since ``expect(_:in:)``.
  /// - Complexity: O(*nodes told*), where they were drawn before.
  package func settle(_ changeSet: ChangeSet) -> [Evaluation] {
    work {
      if !undrawn.isEmpty { drawTold(by: changeSet) }
      var done = settled
      evaluateInvalid(into: &done)
      if !settled.isEmpty { settled = [] }
      isSettling = false
      return done
    }
  }

  /// Draws the views that were told, and that nobody has drawn.
  private func drawTold(by changeSet: ChangeSet) {
    let reasons = changeSet.reasons
    for node in undrawn {
      guard let host = host(of: node), host.drawing == nil else { continue }
      host.reasons = []
      settled.append(evaluate(host, because: reasons[node] ?? EvaluationReason.signal.alone))
    }
    undrawn = []
  }
}

extension ChangeSet {
  /// Why each node was told.
  fileprivate var reasons: [NodeRef: [EvaluationReason]] {
    var reasons: [NodeRef: [EvaluationReason]] = [:]
    func add(_ reason: EvaluationReason, to node: NodeRef) {
      guard let known = reasons[node] else {
        reasons[node] = reason.alone
        return
      }
      if !known.contains(reason) { reasons[node]?.append(reason) }
    }
    for change in changes {
      switch change {
      case .text(_, let parent, _, _): add(.text, to: parent)
      case .attributes(let node, _, let changes): add(.attributes(changes.map(\.name)), to: node)
      case .add(_, let position), .remove(_, let position, _): add(.children, to: position.parent)
      case .move(_, _, let from, let to):
        add(.children, to: from.parent)
        add(.children, to: to.parent)
      }
    }
    return reasons
  }
}
