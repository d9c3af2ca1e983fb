internal import LiveViewMirror
internal import MarkupDocument
internal import NodeObservation

/// A subscriber of a node that somebody asked for by `POST`: it is counted, it counts what it is told, and it hears
/// nothing else.
///
/// With children it is a subscriber of every direct child that is an element too, and follows them as they come and go.
final class Subscription: Sendable {
  let id: Int
  let view: String
  let node: NodeRef
  let label: String?
  let hasChildren: Bool
  let createdAt: Int64
  private let state = Guarded(State())

  private struct State {
    var own: NodeSubscription?
    var family: [NodeRef: NodeSubscription] = [:]
    var told = 0
    var lastVersion: Int?
    var isOver = false
  }

  init(id: Int, of node: NodeRef, in view: String, hasChildren: Bool, label: String?) {
    self.id = id
    self.view = view
    self.node = node
    self.hasChildren = hasChildren
    self.label = label
    createdAt = wallClock()
  }

  /// How often it was told, and of which version last.
  var told: (count: Int, lastVersion: Int?) { state.withLock { ($0.told, $0.lastVersion) } }

  /// How many nodes count it.
  var nodes: Int { state.withLock { ($0.own == nil ? 0 : 1) + $0.family.count } }

  /// Begins to listen.
  ///
  /// - Parameter whenOver: called once, when the node is gone.
  /// - Returns: whether the node is there, and its view.
  func begin(in view: LiveViewCoordinator, whenOver: @escaping @Sendable () -> Void) -> Bool {
    let own = view.publishers.subscribe(to: node, as: .subscription) { [weak self, weak view] signal in
      switch signal {
      case .changed:
        guard let self, let view else { return }
        wasTold(in: view)
        followChildren(in: view)
      case .finished:
        self?.end()
        whenOver()
      }
    }
    keep(own) { state in
      state.own = own
      return true
    }
    // Looked for when it would be told already, so that it cannot go unseen in between.
    guard !view.isRemoved, view.reading({ $0.contains(node) }) == true else {
      end()
      return false
    }
    followChildren(in: view)
    return true
  }

  /// Listens no more. A second time changes nothing.
  func end() {
    let gone = state.withLock { state in
      defer { (state.own, state.family, state.isOver) = (nil, [:], true) }
      return [state.own].compactMap { $0 } + state.family.values
    }
    for subscription in gone { subscription.cancel() }
  }

  private func wasTold(in view: LiveViewCoordinator) {
    let version = view.view?.version
    state.withLock { state in
      state.told += 1
      state.lastVersion = version
    }
  }

  /// - Parameter take: whether it is needed still; not called when all is over.
  private func keep(_ subscription: NodeSubscription, _ take: (inout State) -> Bool) {
    let isKept = state.withLock { state in !state.isOver && take(&state) }
    if !isKept { subscription.cancel() }
  }

  // MARK: - Children

  /// - Complexity: O(*children*).
  private func followChildren(in view: LiveViewCoordinator) {
    guard hasChildren else { return }
    var children: Set<NodeRef>?
    // Children may come and go on another thread, which follows them first: then this one has followed others since.
    while let now = self.children(in: view), now != children {
      follow(now, in: view)
      children = now
    }
  }

  private func children(in view: LiveViewCoordinator) -> Set<NodeRef>? {
    view.reading { document in
      Set(document.children(of: node).filter { document.content(of: $0)?.element != nil })
    }
  }

  private func follow(_ children: Set<NodeRef>, in view: LiveViewCoordinator) {
    let (strangers, known) = state.withLock { state in
      let strangers = state.family.filter { !children.contains($0.key) }
      for stranger in strangers.keys { state.family[stranger] = nil }
      return (strangers, Set(state.family.keys))
    }
    for stranger in strangers.values { stranger.cancel() }
    for child in children.subtracting(known).sorted() {
      let subscription = view.publishers.subscribe(to: child, as: .subscription) { [weak self, weak view] signal in
        switch signal {
        case .changed:
          if let self, let view { wasTold(in: view) }
        case .finished: self?.forget(child)
        }
      }
      keep(subscription) { state in
        if state.family[child] != nil { return false }
        state.family[child] = subscription
        return true
      }
    }
  }

  private func forget(_ child: NodeRef) {
    let gone = state.withLock { $0.family.removeValue(forKey: child) }
    withExtendedLifetime(gone) {}
  }
}
