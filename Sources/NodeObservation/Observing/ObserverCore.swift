internal import MarkupDocument

/// What stands in the registry for an ``Observer``, which can so be dropped while it is registered.
///
/// There may be one for every node of a page, so what few need is made when it is needed. State is guarded by the lock
/// of the switchboard.
class ObserverCore: Receiver<NodeKey, NodeSignal>, @unchecked Sendable {
  let coordinator: any NodeCoordinator
  /// `nil` until it is needed.
  private var extras: Extras?
  /// What was looked up; `nil` until somebody asks.
  private var resolution: Resolution?

  private var isConstant: Bool { flags.contains(.constant) }
  private var isOver: Bool { flags.contains(.over) }

  /// What a node is at one moment. An object, so that it takes one word until it is needed.
  final class Resolution: Sendable {
    let element: Element?
    let children: [NodeRef]

    init(element: Element? = nil, children: [NodeRef] = []) {
      self.element = element
      self.children = children
    }
  }

  private final class Extras {
    /// For whoever subscribed to ``Observer/changes``.
    var relay: Relay<NodeRef>?
    /// The children that are observed; `nil` unless they are to be.
    var family: [NodeRef: ChildReceiver]?
    /// How many signals of children have come.
    var events: Int32 = 0
    /// How many more were told than its own signals.
    var told: Int32 = 0
  }

  init(of node: NodeRef, in coordinator: any NodeCoordinator, standingIn: Bool = false, isConstant: Bool = false) {
    self.coordinator = coordinator
    super.init(key: NodeKey(node), flags: isConstant ? .constant : .init(.observer, standingIn: standingIn))
  }

  /// Under the lock.
  private func makeExtras() -> Extras {
    if let extras { return extras }
    let new = Extras()
    extras = new
    flags.insert(.keepsMore)
    return new
  }

  // MARK: - For those that are told

  /// A node changed. Called outside of every lock.
  func notify(_ node: NodeRef) {}

  /// The observed node is gone. Called outside of every lock.
  func notifyOfEnd() {}

  /// Nobody is told any more: the place to let go of whoever was.
  func letGoOfListener() {}

  // MARK: - Subscribing

  final var switchboard: NodePublishers.Board { coordinator.publishers.switchboard }

  final func subscribe() { switchboard.subscribe(self) }

  /// Ends an observer of a node that is not in the document.
  final func finishIfGone() {
    guard coordinator.reading({ $0.contains(key.node) }) != true else { return }
    switchboard.cancel(self, waits: false)
    end()
  }

  final func cancel(waits: Bool) {
    guard !isConstant else { return }
    let switchboard = switchboard
    switchboard.cancel(self, waits: waits)
    for child in takeFamily() { switchboard.cancel(child, waits: waits) }
    letGoOfListener()
  }

  private func takeFamily() -> [ChildReceiver] {
    switchboard.withLock { _ in
      defer { if extras?.family != nil { extras?.family = [:] } }
      return extras?.family.map { Array($0.values) } ?? []
    }
  }

  // MARK: - Signals

  final override func receive(_ signal: NodeSignal, flags: Flags) {
    switch signal {
    case .changed(let node):
      // Most have nothing to look up again: nobody has asked.
      guard flags.contains(.keepsMore) else { return notify(node) }
      refresh()
      tell(node, asOwn: true)
    case .finished: end()
    }
  }

  /// A child that is observed changed.
  final func childChanged(_ child: NodeRef) {
    switchboard.withLock { _ in makeExtras().events &+= 1 }
    refresh()
    // It may have moved elsewhere, and this node will be told of that by itself.
    if switchboard.withLock({ _ in extras?.family?[child] != nil }) { tell(child, asOwn: false) }
  }

  final func childFinished(_ child: NodeRef) {
    let gone = switchboard.withLock { _ in extras?.family?.removeValue(forKey: child) }
    withExtendedLifetime(gone) {}
  }

  /// - Parameter isOwn: whether the switchboard has counted it.
  private func tell(_ node: NodeRef, asOwn isOwn: Bool) {
    let (isWanted, relay) = switchboard.withLock { _ in
      let isWanted = !flags.contains(.cancelled)
      if isWanted != isOwn { makeExtras().told &+= isWanted ? 1 : -1 }
      return (isWanted, extras?.relay)
    }
    guard isWanted else { return }
    notify(node)
    relay?.send(node)
  }

  private func end() {
    let relay = switchboard.withLock { _ in
      flags.insert(.over)
      resolution = Resolution()
      return extras?.relay
    }
    for child in takeFamily() { switchboard.cancel(child, waits: false) }
    notifyOfEnd()
    relay?.finish()
    letGoOfListener()
  }

  // MARK: - Looking up

  /// Looked up now, if nobody has asked before.
  final var resolved: Resolution {
    switchboard.withLock { _ in resolution } ?? resolve()
  }

  /// How much has happened: what was looked up before something did is not kept after it.
  private var generation: Int32 { calls &+ (extras?.events ?? 0) }

  /// What was looked up is old. What nobody has asked for stays so.
  private func refresh() {
    if switchboard.withLock({ _ in resolution != nil || extras?.family != nil }) { resolve(anew: true) }
  }

  /// Looks the node up and keeps what it finds, and its children with it, unless a signal came meanwhile: then it looks
  /// again.
  @discardableResult
  private func resolve(anew: Bool = false) -> Resolution {
    let switchboard = switchboard
    while true {
      let (before, hasFamily) = switchboard.withLock { _ in (generation, extras?.family != nil) }
      let look = lookUp(withFamily: hasFamily)
      let (kept, strangers) = switchboard.withLock { state in
        keep(look, since: before, anew: anew, withFamily: hasFamily, in: &state)
      }
      for stranger in strangers { switchboard.cancel(stranger, waits: false) }
      if let kept { return kept }
    }
  }

  private struct Look {
    var resolution = Resolution()
    var isThere = false
    /// The children that can be told of: a text has nobody who is.
    var family: [NodeRef] = []
  }

  private func lookUp(withFamily: Bool) -> Look {
    let node = key.node
    let look = coordinator.reading { document in
      guard let content = document.content(of: node) else { return Look() }
      let children = document.children(of: node)
      return Look(
        resolution: Resolution(element: content.element, children: children), isThere: true,
        family: withFamily ? children.filter { document.content(of: $0)?.element != nil } : [])
    }
    return look ?? Look()
  }

  /// Under the lock.
  ///
  /// - Returns: what holds now, `nil` if the look came too late; and receivers of nodes that are no children any more.
  private func keep(
    _ look: Look, since before: Int32, anew: Bool, withFamily hadFamily: Bool,
    in state: inout NodePublishers.Board.State
  ) -> (Resolution?, [ChildReceiver]) {
    if isOver { return (resolution ?? look.resolution, []) }
    guard generation == before, hadFamily == (extras?.family != nil) else { return (nil, []) }
    if !look.isThere, !isConstant { flags.insert(.over) }
    if let resolution, !anew { return (resolution, []) }
    resolution = look.resolution
    flags.insert(.keepsMore)
    return (look.resolution, hadFamily ? follow(look.family, in: &state) : [])
  }
}

// MARK: - Children

extension ObserverCore {
  final func observeChildren() {
    let isNew = switchboard.withLock { _ in
      guard !isConstant, !isOver, !flags.contains(.cancelled) else { return false }
      let extras = makeExtras()
      guard extras.family == nil else { return false }
      extras.family = [:]
      return true
    }
    if isNew { resolve(anew: true) }
  }

  /// Under the lock: subscribes to children that are new.
  ///
  /// - Returns: those that are none any more.
  private func follow(_ children: [NodeRef], in state: inout NodePublishers.Board.State) -> [ChildReceiver] {
    guard let extras, var family = extras.family, !flags.contains(.cancelled) else { return [] }
    extras.family = nil
    var strangers: [ChildReceiver] = []
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
        strangers.append(receiver)
        family[child] = nil
      }
    }
    extras.family = family
    return strangers
  }

  /// Tells the observer of a node what its child is told.
  final class ChildReceiver: Receiver<NodeKey, NodeSignal>, @unchecked Sendable {
    private let parent: ObserverCore

    /// Under the lock. What the parent stands in for at its node, this does at the child's.
    init(of node: NodeRef, for parent: ObserverCore) {
      self.parent = parent
      super.init(key: NodeKey(node), flags: .init(.observer, standingIn: parent.flags.contains(.standsIn)))
    }

    override func receive(_ signal: NodeSignal, flags: Flags) {
      switch signal {
      case .changed(let child): parent.childChanged(child)
      case .finished(let child): parent.childFinished(child)
      }
    }
  }
}

// MARK: - What is asked

extension ObserverCore {
  final var signals: Int { switchboard.withLock { _ in Int(calls &+ (extras?.told ?? 0)) } }

  final var isFinished: Bool { switchboard.withLock { _ in isOver } }

  /// Made when somebody asks for it first.
  final var relay: Relay<NodeRef> {
    let (relay, hasEnded) = switchboard.withLock { _ in
      let extras = makeExtras()
      let relay = extras.relay ?? Relay(keeping: Backlogs.distinct)
      extras.relay = relay
      return (relay, isOver || isConstant)
    }
    if hasEnded { relay.finish() }
    return relay
  }
}
