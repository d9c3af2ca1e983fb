package import MarkupDocument

/// What selective publication saved for one change set: how many it called, and how many other ways would have called.
///
/// Four listen, one to each node. Two texts in node 2 change, and an attribute of node 3:
///
/// | way | coalesced | uncoalesced |
/// |---|---|---|
/// | ``selective`` | 2 | 3 |
/// | ``filtered`` | 2 × 4 = 8 | 3 × 4 = 12 |
/// | ``whole`` | 4 | 3 × 4 = 12 |
///
/// ``everybody`` are those who listen afterwards. Who came with the change set is among them, and so in ``filtered`` and
/// ``whole``, but no signal goes to it: it has just read what it shows. Who went is told that it ended, and is not among
/// them.
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

  /// How many listen to any node after the change set, whether or not it changed anything: the observers that are mounted,
  /// those that came with it included, and the clients.
  public var everybody: Int
  /// One publisher for each node: only its own observers are called.
  public var selective: Calls
  /// One subject for all: it calls everybody for every node, and everybody asks whether that is theirs. This is what
  /// LiveView Native's client did until its pull request 1138.
  public var filtered: Calls
  /// One object for the whole document: every view is evaluated again, if anything changed.
  public var whole: Calls
  /// The views that were evaluated again; `nil` where no page is drawn.
  public var views: Views?

  /// What became of the page's views.
  public struct Views: Sendable, Hashable {
    /// The bodies that were evaluated again, in their order.
    public var evaluations: [Evaluation]

    /// Those whose body came to what it was before.
    ///
    /// - Complexity: O(*evaluations*).
    public var forNothing: Int { evaluations.reduce(0) { $0 + ($1.isForNothing ? 1 : 0) } }

    /// What was evaluated, in its order.
    public init(evaluations: [Evaluation]) { self.evaluations = evaluations }
  }

  /// - Parameters:
  ///   - notified: as ``ChangeSet/notified(in:)`` gives it.
  ///   - selective: how many listen to these nodes.
  ///   - everybody: how many there are.
  ///   - publishers: knows how many listen to each node.
  /// - Complexity: O(*changes*).
  package init(
    of changeSet: ChangeSet, notified: [NodeRef], selective: Int, everybody: Int, publishers: NodePublishers
  ) {
    let (signals, calls) = changeSet.uncoalesced(notified: notified, coalesced: selective, publishers: publishers)
    self.everybody = everybody
    self.selective = Calls(coalesced: selective, uncoalesced: calls)
    filtered = Calls(coalesced: notified.count * everybody, uncoalesced: signals * everybody)
    whole = Calls(coalesced: changeSet.isEmpty ? 0 : everybody, uncoalesced: signals * everybody)
  }
}

extension ChangeSet {
  /// How many signals there are if each change tells by itself, and how many they reach.
  fileprivate func uncoalesced(
    notified: [NodeRef], coalesced: Int, publishers: NodePublishers
  ) -> (signals: Int, calls: Int) {
    if changes.count == 1, notified.count == changes[0].told.count { return (notified.count, coalesced) }
    var told = changes.flatMap(\.told)
    if mayTellOthers {
      let known = Set(notified)
      told.removeAll { !known.contains($0) }
    }
    return (told.count, publishers.total(of: told))
  }

  /// Whether a change may name a parent that is not told: what moves may come from one that is gone, and go to one that
  /// is new.
  private var mayTellOthers: Bool {
    changes.contains { change in
      switch change {
      case .move, .remove: true
      case .text, .attributes, .add: false
      }
    }
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
