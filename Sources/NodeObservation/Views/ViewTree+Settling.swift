package import MarkupDocument

/// The page of a mirror: nobody may have drawn it, and still every element has a view that is told.
extension ViewTree {
  /// Makes the views invalid that are going to be told of a version. To be called under the lock that was taken before
  /// the version was put in place: so nobody draws a page of two versions, and who draws before everybody was told sees
  /// the new one.
  package func expect(_ notified: [NodeRef]) {
    locked {
      isSettling = true
      for node in notified { if let host = hosts[node] { elementChanged(of: host) } }
    }
  }

  /// Evaluates what a published change set made invalid. Views that nobody had drawn are made first, with those around
  /// them: on a screen they would have stood.
  ///
  /// - Parameter notified: the nodes that were told, after the change set.
  /// - Returns: the bodies that were evaluated again since ``expect(_:)``.
  /// - Complexity: O(*nodes told*), where they were drawn before.
  package func settle(_ changeSet: ChangeSet, notified: [NodeRef]) -> [Evaluation] {
    work {
      var reasons: [NodeRef: [EvaluationReason]]?
      for node in notified where hosts[node]?.drawing == nil {
        guard let host = host(of: node), host.drawing == nil else { continue }
        let known = reasons ?? changeSet.reasons
        reasons = known
        host.reasons = []
        settled.append(evaluate(host, because: known[node] ?? [.signal]))
      }
      defer { (settled, isSettling) = ([], false) }
      return settled + evaluateInvalid()
    }
  }
}

extension ChangeSet {
  /// Why each node was told.
  fileprivate var reasons: [NodeRef: [EvaluationReason]] {
    var reasons: [NodeRef: [EvaluationReason]] = [:]
    func add(_ reason: EvaluationReason, to node: NodeRef) {
      if reasons[node]?.contains(reason) != true { reasons[node, default: []].append(reason) }
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
