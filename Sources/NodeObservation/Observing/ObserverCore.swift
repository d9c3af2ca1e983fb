internal import MarkupDocument

/// The receiver of an ``Observer`` in the subscriber table. The table retains only this object, so
/// the observer itself can be released while it is subscribed.
///
/// There may be such an object for every node of a page, so rarely needed state is allocated on
/// demand. The lock of the table, ``subscribers``, guards all mutable state.
class ObserverCore: Receiver<NodeRef, NodeSignal>, @unchecked Sendable {
  let coordinator: any NodeCoordinator
  /// The rarely needed state; `nil` until it is needed.
  private var extras: Extras?
  /// The result of the last look-up; `nil` until the first access.
  private var resolution: Resolution?

  private var isConstant: Bool { flags.contains(.constant) }
  private var isOver: Bool { flags.contains(.over) }

  /// The element and the children of a node in one version. A class, so that an observer that has
  /// not looked up its node stores only one word.
  final class Resolution: Sendable {
    let element: Element?
    let children: [NodeRef]

    init(element: Element? = nil, children: [NodeRef] = []) {
      self.element = element
      self.children = children
    }
  }

  private final class Extras {
    /// Feeds the subscribers of ``Observer/changes``.
    var relay: Relay<NodeRef>?
    /// The receivers of the observed children; `nil` unless children are observed.
    var family: [NodeRef: ChildReceiver]?
    /// The number of signals from children.
    var events: Int32 = 0
    /// The number of notifications minus the number of the node's own signals.
    var extraNotifications: Int32 = 0
  }

  init(of node: NodeRef, in coordinator: any NodeCoordinator, isCountedByMirror: Bool = false, isConstant: Bool = false)
  {
    self.coordinator = coordinator
    super.init(
      key: node, flags: isConstant ? .constant : .init(.observer, isCountedByMirror: isCountedByMirror))
  }

  /// Called under the lock.
  private func makeExtras() -> Extras {
    if let extras { return extras }
    let new = Extras()
    extras = new
    flags.insert(.hasExtras)
    return new
  }

  // MARK: - Notifying the listener

  /// Notifies the listener that a node changed. Called outside of every lock.
  func notify(_ node: NodeRef) {}

  /// Notifies the listener that the observed node has been removed. Called outside of every lock.
  func notifyOfEnd() {}

  /// Releases the listener. Called when no more notifications begin.
  func letGoOfListener() {}

  // MARK: - Subscribing

  final var subscribers: NodePublishers.Table { coordinator.publishers.subscribers }

  final func subscribe() { subscribers.subscribe(self) }

  /// Ends the observer if its node is not in the document.
  final func finishIfGone() {
    guard coordinator.reading({ $0.contains(key) }) != true else { return }
    subscribers.cancel(self, waits: false)
    end()
  }

  final func cancel(waits: Bool) {
    let subscribers = subscribers
    // Read under the lock, because a look-up on another thread may be setting another flag.
    guard subscribers.withLock({ _ in !isConstant }) else { return }
    subscribers.cancel(self, waits: waits)
    for child in takeFamily() { subscribers.cancel(child, waits: waits) }
    letGoOfListener()
  }

  /// Removes and returns the receivers of observed children.
  private func takeFamily() -> [ChildReceiver] {
    subscribers.withLock { _ in
      defer { if extras?.family != nil { extras?.family = [:] } }
      return extras?.family.map { Array($0.values) } ?? []
    }
  }

  // MARK: - Signals

  final override func receive(_ signal: NodeSignal, flags: Flags) {
    switch signal {
    case .changed(let node):
      // Fast path: most observers have neither a look-up to refresh nor subscribers of `changes`.
      guard flags.contains(.hasExtras) else { return notify(node) }
      refresh()
      notifyListener(of: node, asOwn: true)
    case .finished: end()
    }
  }

  /// Called when an observed child has changed.
  final func childChanged(_ child: NodeRef) {
    subscribers.withLock { _ in makeExtras().events &+= 1 }
    refresh()
    // If the child has moved to another parent, it is no longer in `family`, and the listener is
    // not notified: this node receives a signal of its own for the move.
    if subscribers.withLock({ _ in extras?.family?[child] != nil }) { notifyListener(of: child, asOwn: false) }
  }

  /// Called when an observed child has been removed. Releases its receiver.
  final func childFinished(_ child: NodeRef) {
    let released = subscribers.withLock { _ in extras?.family?.removeValue(forKey: child) }
    withExtendedLifetime(released) {}
  }

  /// Notifies the listener and the subscribers of ``Observer/changes``, unless the observer was
  /// cancelled.
  ///
  /// - Parameter isOwn: whether this is a signal of the observed node itself and not of a child.
  ///   The subscriber table has already counted a signal of the node itself in `calls`.
  private func notifyListener(of node: NodeRef, asOwn isOwn: Bool) {
    let (isWanted, relay) = subscribers.withLock { _ in
      let isWanted = !flags.contains(.cancelled)
      if isWanted != isOwn { makeExtras().extraNotifications &+= isWanted ? 1 : -1 }
      return (isWanted, extras?.relay)
    }
    guard isWanted else { return }
    notify(node)
    relay?.send(node)
  }

  /// Ends the observer because its node is not, or no longer, in the document: cancels the
  /// receivers of children, notifies the listener and completes ``Observer/changes``.
  private func end() {
    let relay = subscribers.withLock { _ in
      flags.insert(.over)
      resolution = Resolution()
      return extras?.relay
    }
    for child in takeFamily() { subscribers.cancel(child, waits: false) }
    notifyOfEnd()
    relay?.finish()
    letGoOfListener()
  }

  // MARK: - Looking up

  /// The result of the last look-up. The first access looks the node up.
  final var resolved: Resolution {
    subscribers.withLock { _ in resolution } ?? resolve()
  }

  /// Counts all signals, of the node and of observed children. The result of a look-up is discarded
  /// if a signal arrived during the look-up.
  private var generation: Int32 { calls &+ (extras?.events ?? 0) }

  /// Looks the node up again if it was looked up before or if its children are observed.
  private func refresh() {
    if subscribers.withLock({ _ in resolution != nil || extras?.family != nil }) { resolve(anew: true) }
  }

  /// Looks the node up, stores the result and updates the receivers of the children. If a signal
  /// arrives meanwhile, the look-up is repeated.
  ///
  /// - Parameter anew: whether to replace the result of an earlier look-up.
  @discardableResult
  private func resolve(anew: Bool = false) -> Resolution {
    let subscribers = subscribers
    while true {
      let (before, hasFamily) = subscribers.withLock { _ in (generation, extras?.family != nil) }
      let look = lookUp(withFamily: hasFamily)
      let (kept, released) = subscribers.withLock { state in
        keep(look, since: before, anew: anew, withFamily: hasFamily, in: &state)
      }
      for receiver in released { subscribers.cancel(receiver, waits: false) }
      if let kept { return kept }
    }
  }

  private struct Look {
    var resolution = Resolution()
    var isThere = false
    /// The children that are elements. Only elements receive signals: a change of a text notifies
    /// its parent.
    var family: [NodeRef] = []
  }

  private func lookUp(withFamily: Bool) -> Look {
    let node = key
    let look = coordinator.reading { document in
      guard let content = document.content(of: node) else { return Look() }
      let children = document.children(of: node)
      return Look(
        resolution: Resolution(element: content.element, children: children), isThere: true,
        family: withFamily ? children.filter { document.content(of: $0)?.element != nil } : [])
    }
    return look ?? Look()
  }

  /// Stores the result of a look-up. Called under the lock.
  ///
  /// - Returns: the present result, or `nil` if the look-up must be repeated; and the receivers of
  ///   nodes that are no longer children.
  private func keep(
    _ look: Look, since before: Int32, anew: Bool, withFamily hadFamily: Bool,
    in state: inout NodePublishers.Table.State
  ) -> (Resolution?, [ChildReceiver]) {
    if isOver { return (resolution ?? look.resolution, []) }
    guard generation == before, hadFamily == (extras?.family != nil) else { return (nil, []) }
    if !look.isThere, !isConstant { flags.insert(.over) }
    if let resolution, !anew { return (resolution, []) }
    resolution = look.resolution
    flags.insert(.hasExtras)
    return (look.resolution, hadFamily ? follow(look.family, in: &state) : [])
  }
}

// MARK: - Children

extension ObserverCore {
  final func observeChildren() {
    let isNew = subscribers.withLock { _ in
      guard !isConstant, !isOver, !flags.contains(.cancelled) else { return false }
      let extras = makeExtras()
      guard extras.family == nil else { return false }
      extras.family = [:]
      return true
    }
    if isNew { resolve(anew: true) }
  }

  /// Subscribes to the children that are new, and forgets the receivers of nodes that are no longer
  /// children. Called under the lock. The caller cancels the returned receivers outside of the
  /// lock.
  ///
  /// - Returns: the receivers of nodes that are no longer children.
  private func follow(_ children: [NodeRef], in state: inout NodePublishers.Table.State) -> [ChildReceiver] {
    guard let extras, var family = extras.family, !flags.contains(.cancelled) else { return [] }
    extras.family = nil
    var released: [ChildReceiver] = []
    var kept = 0
    for child in children {
      if family[child] != nil {
        kept += 1
      } else {
        let receiver = ChildReceiver(of: child, for: self)
        state.subscribe(receiver)
        family[child] = receiver
        kept += 1
      }
    }
    if kept < family.count {
      let present = Set(children)
      for (child, receiver) in family where !present.contains(child) {
        released.append(receiver)
        family[child] = nil
      }
    }
    extras.family = family
    return released
  }

  /// Passes the signals of a child to the observer of its parent.
  final class ChildReceiver: Receiver<NodeRef, NodeSignal>, @unchecked Sendable {
    private let parent: ObserverCore

    /// Created under the lock. The receiver counts as a subscriber of the child, in addition to the
    /// observer for the view of the child.
    init(of node: NodeRef, for parent: ObserverCore) {
      self.parent = parent
      super.init(key: node, flags: .init(.observer))
    }

    override func receive(_ signal: NodeSignal, flags: Flags) {
      switch signal {
      case .changed(let child): parent.childChanged(child)
      case .finished(let child): parent.childFinished(child)
      }
    }
  }
}

// MARK: - State of the observer

extension ObserverCore {
  final var signalCount: Int { subscribers.withLock { _ in Int(calls &+ (extras?.extraNotifications ?? 0)) } }

  final var isFinished: Bool { subscribers.withLock { _ in isOver } }

  /// Feeds the subscribers of ``Observer/changes``. Created at the first access.
  final var relay: Relay<NodeRef> {
    let (relay, hasEnded) = subscribers.withLock { _ in
      let extras = makeExtras()
      let relay = extras.relay ?? Relay(keeping: Backlogs.distinct)
      extras.relay = relay
      return (relay, isOver || isConstant)
    }
    if hasEnded { relay.finish() }
    return relay
  }
}
