package import MarkupDocument
internal import NodeObservation

/// Invalidation of views, and scheduling of their evaluation. The tree is the delegate of the
/// observers of its elements. When a state, an object or another source of a view changes,
/// ``invalidate(_:because:later:)`` is called.
extension ViewTree: ObserverDelegate {
  /// Invalidates the view of an observed node, and the views inside it that read the element.
  ///
  /// - Parameters:
  ///   - node: the observed node.
  ///   - changed: the node that has changed: the observed node, or a child of it.
  package func observerChanged(node: NodeRef, changed: NodeRef) {
    let isDue = locked {
      // During an update of a mirror, `beginUpdate(of:in:)` has already given the view its new
      // element.
      if mirrorUpdate.isRunning, changed == node { return false }
      guard let host = elementViews[node] else { return hasWork }
      if changed != node {
        for view in [host] + host.readers.compactMap(\.node) where view.observesChildren {
          mark(view, because: [.child(changed)])
        }
      } else if host.drawing == nil {
        // The element is looked up when the view is drawn.
        host.show(nil)
      } else {
        elementChanged(of: host, to: ElementNode(node, of: coordinator))
      }
      return hasWork
    }
    if isDue { flushAfterwards() }
  }

  /// Makes the view of a removed node an orphan. If the node was the root, the document was
  /// replaced, so all views end and the new document is mounted.
  package func observerFinished(node: NodeRef) {
    locked {
      if root?.observer?.node == node { return mount() }
      // The view does not end yet. When the view of the parent element is evaluated, the orphan may
      // continue as the view of another node.
      if let host = elementViews[node] { elementViews.orphan(host) }
    }
    scheduleFlush()
  }

  /// Gives an element view its new element, and marks this view, and the views inside it that read
  /// the element, as invalid. Called under the lock.
  func elementChanged(of host: ViewNode, to element: ElementNode) {
    let reasons = host.element.map { element.differences(from: $0) } ?? EvaluationReason.signal.alone
    let isSameElement = if case .attributes? = reasons.first { false } else { host.element != nil }
    host.show(element, titleMayDiffer: !isSameElement)
    mark(host, because: reasons)
    for reader in host.readers { if let view = reader.node { mark(view, because: reasons) } }
  }

  /// Marks a view as invalid, and schedules a flush.
  ///
  /// - Parameter later: whether the source has only announced the change, and will store the new
  ///   value after this call has returned. The flush then runs later.
  func invalidate(_ view: ViewNode, because reason: EvaluationReason, later: Bool = false) {
    locked { mark(view, because: reason.alone) }
    scheduleFlush(later: later)
  }

  /// Marks a view as invalid. Called under the lock. The reasons must be distinct.
  func mark(_ view: ViewNode, because reasons: [EvaluationReason]) { queue.add(view, because: reasons) }

  /// Whether a flush must be scheduled: there are invalid views or orphans, and neither a working
  /// thread nor the end of a mirror's update will handle them. Called under the lock.
  private var hasWork: Bool { !isWorking && !mirrorUpdate.isRunning && !(queue.isEmpty && !elementViews.hasOrphans) }

  /// Schedules a flush if there is work.
  ///
  /// The scheduler is foreign code, so it must not be called under the lock. During the evaluation
  /// of a body this thread holds the lock, but ``hasWork`` is false then, so the scheduler is not
  /// called.
  private func scheduleFlush(later: Bool = false) {
    let asksScheduler = ThreadContext.current.pointee.isAnnouncing || later && !Publication.isRunning || !isOnItsThread
    let isNeeded = locked {
      guard hasWork else { return false }
      if !asksScheduler { return true }
      defer { isSchedulerAsked = true }
      return !isSchedulerAsked
    }
    guard isNeeded else { return }
    if !isOnItsThread { return run { [weak self] in _ = self?.flush() } }
    if asksScheduler { return scheduler { [weak self] in _ = self?.flush() } }
    flushAfterwards()
  }

  private func flushAfterwards() {
    do throws(PublicationCycle) {
      // The closure retains the tree, so no other object can get the same identity, and thus the
      // same key, while the closure is waiting.
      try Publication.afterwards(once: ObjectIdentifier(self), "views") { self.flush() }
    } catch {
      note(ViewProblem(node: nil, message: "\(error)"))
    }
  }

  // MARK: - Actions

  /// Runs an action of a view when the tree is unlocked, and counts it in ``actionCount``. Actions
  /// that cause each other without end are stopped and reported.
  func afterwards(_ label: String, _ action: @escaping () -> Void) {
    do throws(PublicationCycle) {
      try Publication.afterwards(label) {
        action()
        self.locked { self.actionCount += 1 }
      }
    } catch {
      note(ViewProblem(node: nil, message: "\(error)"))
    }
  }

  /// Runs an action for a value that a publisher sends before it stores the value. While the action
  /// runs, the thread is marked as announcing, so the views that the action invalidates are
  /// evaluated later.
  func announcing(_ action: @escaping () -> Void) {
    run {
      let context = ThreadContext.current
      let isOutermost = !context.pointee.isAnnouncing && !Publication.isRunning
      if isOutermost { context.pointee.isAnnouncing = true }
      defer { if isOutermost { context.pointee.isAnnouncing = false } }
      action()
    }
  }

  /// Runs an action on this thread, or on the main actor if the tree belongs to it and this is
  /// another thread.
  func run(_ action: @escaping () -> Void) {
    if isOnItsThread { return action() }
    let action = UncheckedSendable(value: action)
    Task { @MainActor in action.value() }
  }
}

extension ElementNode {
  /// The reasons to evaluate a view that has shown an earlier state of the element: the
  /// differences, or `.signal` if the two states do not differ in what a view shows.
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
