package import MarkupDocument

/// What selective publication saved for one change set: how many it called, and how many other ways would have called.
public struct IsolationReport: Sendable, Hashable {
  /// One way of telling observers.
  public struct Calls: Sendable, Hashable {
    /// Each node is told once for the whole change set.
    public var coalesced: Int
    /// Each change tells by itself: a parent that gains five children is told five times.
    public var uncoalesced: Int

    /// Two counts of calls.
    public init(coalesced: Int, uncoalesced: Int) {
      self.coalesced = coalesced
      self.uncoalesced = uncoalesced
    }
  }

  /// One publisher for each node: only its own observers are called.
  public var selective: Calls
  /// One subject for all: it calls everybody for every node, and everybody asks whether that is theirs. This is what
  /// LiveView Native's client did until its pull request 1138.
  public var filtered: Calls
  /// One object for the whole document: every view is evaluated again.
  public var whole: Calls
  /// The views that were evaluated again; `nil` where no page is drawn.
  public var views: Views?

  /// What became of the page's views.
  public struct Views: Sendable, Hashable {
    /// The bodies that were evaluated again, in their order.
    public var evaluations: [Evaluation]

    /// Those whose body came to what it was before.
    public var forNothing: Int { evaluations.reduce(0) { $0 + ($1.isForNothing ? 1 : 0) } }

    /// What was evaluated, in its order.
    public init(evaluations: [Evaluation]) { self.evaluations = evaluations }
  }

  /// - Parameters:
  ///   - selective: how many the publishers of the nodes in `notified` reached.
  ///   - everybody: how many there are.
  ///   - publishers: knows how many listen to each node.
  /// - Complexity: O(*changes*).
  package init(
    of changeSet: ChangeSet, notified: Int, selective: Int, everybody: Int, publishers: NodePublishers
  ) {
    let signals = changeSet.changes.reduce(0) { $0 + $1.told.count }
    let calls = publishers.total(of: changeSet.changes.lazy.flatMap(\.told))
    self.selective = Calls(coalesced: selective, uncoalesced: calls)
    filtered = Calls(coalesced: notified * everybody, uncoalesced: signals * everybody)
    whole = Calls(coalesced: changeSet.isEmpty ? 0 : everybody, uncoalesced: signals * everybody)
  }
}

extension Change {
  /// Who is told of this change, if it is the only one.
  fileprivate var told: Told {
    switch self {
    case .text(_, let parent, _, _): Told(first: parent)
    case .attributes(let node, _, _): Told(first: node)
    case .add(_, let position), .remove(_, let position, _): Told(first: position.parent)
    case .move(_, _, let from, let to):
      from.parent == to.parent ? Told(first: to.parent) : Told(first: from.parent, second: to.parent)
    }
  }
}

/// One node or two, without an allocation.
private struct Told: Sequence, IteratorProtocol {
  var first: NodeRef?
  var second: NodeRef?

  var count: Int { (first == nil ? 0 : 1) + (second == nil ? 0 : 1) }

  mutating func next() -> NodeRef? {
    defer { (first, second) = (second, nil) }
    return first
  }
}
