package import MarkupDocument
package import NodeObservation

/// The state of a tree during an update of its mirror, from the commit of the new version to the
/// end of the publication. The lock of the tree guards it.
struct MirrorUpdate {
  fileprivate(set) var isRunning = false
  /// The evaluations that inputs of a person have caused since the end of the last update.
  private var ofInputs: [Evaluation] = []
  /// The evaluations during the update.
  private var evaluations: [Evaluation] = []
  /// The notified nodes whose views have not been drawn yet. At the end of the update, the views of
  /// those nodes that a body shows are evaluated.
  fileprivate var undrawn: [NodeRef] = []

  mutating func add(_ more: [Evaluation]) { evaluations += more }

  /// Adds evaluations that inputs have caused. They are kept until the next update ends. Possibly
  /// no update follows, so their number is bounded, and evaluations beyond
  /// ``EvaluationHistory/maximumRecent`` are dropped.
  mutating func add(ofInput more: [Evaluation]) {
    ofInputs += more.prefix(EvaluationHistory.maximumRecent - ofInputs.count)
  }

  mutating func takeOfInputs() -> [Evaluation] {
    if ofInputs.isEmpty { return [] }
    defer { ofInputs = [] }
    return ofInputs
  }

  fileprivate mutating func takeEvaluations() -> [Evaluation] {
    if evaluations.isEmpty { return [] }
    defer { evaluations = [] }
    return evaluations
  }
}

/// Evaluates the views of a mirrored page at each update. Every element counts as having a view
/// that is notified, even if the page was never drawn: the evaluations are those of a client with a
/// screen. `LiveViewCoordinator` calls ``beginUpdate(of:in:)`` when it commits a diff, and
/// `PageDrawing` calls ``endUpdate(_:)`` when the diff is published.
extension ViewTree {
  /// Begins an update: gives the views of the notified nodes their elements of the new version, and
  /// marks them as invalid.
  ///
  /// The caller must take the lock of the tree (``locked(_:)``) before it commits the new version,
  /// and must hold it during this call. Therefore no thread draws a page that mixes two versions. A
  /// thread that draws after this call draws the new version, even if not all subscribers have been
  /// notified yet.
  ///
  /// - Parameters:
  ///   - notified: the nodes that the update notifies.
  ///   - document: the new version.
  package func beginUpdate(of notified: [NodeRef], in document: Document) {
    mirrorUpdate.isRunning = true
    for node in notified {
      let host = elementViews[node]
      if let host, host.drawing != nil {
        elementChanged(of: host, to: document.element(node, of: coordinator))
      } else {
        host?.show(nil)
        mirrorUpdate.undrawn.append(node)
      }
    }
  }

  /// Ends an update: evaluates the views that the published change set has made invalid.
  ///
  /// Views of notified nodes that were never drawn are created and evaluated too, with their
  /// enclosing views, because a client with a screen would show them.
  ///
  /// - Parameter changeSet: the published change set.
  /// - Returns: the evaluations since the last update. The evaluations that inputs of a person have
  ///   caused between the two updates come last.
  /// - Complexity: O(*notified nodes*) if their views were drawn before.
  package func endUpdate(_ changeSet: ChangeSet) -> [Evaluation] {
    work {
      let reasons = mirrorUpdate.undrawn.isEmpty ? [:] : changeSet.reasons
      drawUndrawn(because: reasons)
      var done = mirrorUpdate.takeEvaluations()
      evaluateInvalid(into: &done)
      if !mirrorUpdate.undrawn.isEmpty {
        // The remaining nodes are elements that have moved into views which were evaluated only
        // now.
        drawUndrawn(because: reasons)
        done += mirrorUpdate.takeEvaluations()
        evaluateInvalid(into: &done)
        mirrorUpdate.undrawn = []
      }
      mirrorUpdate.isRunning = false
      return done + mirrorUpdate.takeOfInputs()
    }
  }

  /// Evaluates the views of the undrawn nodes that a body shows. Nodes that no body shows remain in
  /// `undrawn`.
  private func drawUndrawn(because reasons: [NodeRef: [EvaluationReason]]) {
    var left: [NodeRef] = []
    for node in mirrorUpdate.undrawn {
      guard let host = elementView(of: node) else {
        left.append(node)
        continue
      }
      host.reasons = []
      let reasons = reasons[node] ?? EvaluationReason.signal.alone
      // The look-up of the view of a descendant may already have evaluated this view.
      let evaluation =
        host.drawing == nil ? evaluate(host, because: reasons) : report(of: host, because: reasons, isForNothing: false)
      mirrorUpdate.add([evaluation])
    }
    mirrorUpdate.undrawn = left
  }
}

extension ChangeSet {
  /// The reasons to notify each node, in the order of the changes.
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
