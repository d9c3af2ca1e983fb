package import MarkupDocument

/// What selective publication saved for one change set: the calls that it made, and the calls of
/// two other strategies. The record of each update has a report.
///
/// Example: there are four subscribers, each of a different node. Two texts in node 2 change, and
/// an attribute of node 3:
///
/// | strategy | coalesced | uncoalesced |
/// |---|---|---|
/// | ``selective`` | 2 | 3 |
/// | ``filtered`` | 2 × 4 = 8 | 3 × 4 = 12 |
/// | ``whole`` | 4 | 3 × 4 = 12 |
///
/// ``everybody`` counts subscribers *after* the publication. The observers of added elements are
/// included, so they also count in ``filtered`` and ``whole``. These observers receive no signal,
/// because they have just read their elements. The subscribers of removed nodes are not included.
/// They receive only the signal that the node has ended.
public struct IsolationReport: Sendable, Hashable {
  /// The number of calls that one strategy needs.
  public struct Calls: Sendable, Hashable {
    /// The calls if each node is notified once for the whole change set.
    public var coalesced: Int
    /// The calls if each change notifies separately: a parent that gains five children is notified
    /// five times.
    public var uncoalesced: Int

    /// Creates a pair of counts.
    public init(coalesced: Int, uncoalesced: Int) {
      self.coalesced = coalesced
      self.uncoalesced = uncoalesced
    }
  }

  /// The number of subscribers of all nodes after the publication: mounted observers, including
  /// those of added elements, and all other subscribers.
  public var everybody: Int
  /// One publisher for each node: only the subscribers of that node are called.
  public var selective: Calls
  /// One subject for all nodes: it calls every subscriber for every node, and each subscriber
  /// compares the node with its own. LiveView Native's client worked like this until its pull
  /// request 1138.
  public var filtered: Calls
  /// One object for the whole document: every view is evaluated again if anything changed.
  public var whole: Calls
  /// The views that were evaluated again; `nil` if no page is drawn.
  public var views: Views?

  /// The evaluations of the page's views.
  public struct Views: Sendable, Hashable {
    /// The bodies that were evaluated again, in the order of evaluation.
    public var evaluations: [Evaluation]

    /// The number of evaluations whose result was the same as before.
    ///
    /// - Complexity: O(*evaluations*).
    public var forNothing: Int { evaluations.reduce(0) { $0 + ($1.isForNothing ? 1 : 0) } }

    /// Creates the report from evaluations in the order in which they happened.
    public init(evaluations: [Evaluation]) { self.evaluations = evaluations }
  }

  /// A report with these properties.
  package init(everybody: Int, selective: Calls, filtered: Calls, whole: Calls, views: Views?) {
    (self.everybody, self.views) = (everybody, views)
    (self.selective, self.filtered, self.whole) = (selective, filtered, whole)
  }

  /// Counts the calls for a change set.
  ///
  /// - Parameters:
  ///   - changeSet: the change set.
  ///   - notified: the result of `ChangeSet/notified(in:)`.
  ///   - selective: the number of subscribers of these nodes.
  ///   - everybody: the number of subscribers of all nodes.
  ///   - publishers: the publishers, with the number of subscribers of each node.
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

  /// Replaces ``everybody`` by the number of subscribers at the end of the publication, but never
  /// by less than the number of selective calls. The calls of the two other strategies are
  /// multiples of ``everybody``, so they are replaced too.
  package mutating func recount(everybody count: Int) {
    let (old, new) = (everybody, max(count, selective.coalesced))
    if old == new || old == 0 { return }
    everybody = new
    for calls in [\Self.filtered, \Self.whole] {
      self[keyPath: calls].coalesced = self[keyPath: calls].coalesced / old * new
      self[keyPath: calls].uncoalesced = self[keyPath: calls].uncoalesced / old * new
    }
  }
}

extension ChangeSet {
  /// The number of signals if each change notifies separately, and the number of calls that these
  /// signals cause.
  fileprivate func uncoalesced(
    notified: [NodeRef], coalesced: Int, publishers: NodePublishers
  ) -> (signals: Int, calls: Int) {
    if changes.count == 1, notified.count == (changes[0].onlyNotified == nil ? 2 : 1) {
      return (notified.count, coalesced)
    }
    var separately: [NodeRef] = []
    for change in changes {
      let (first, second) = change.notified
      separately.append(first)
      if let second { separately.append(second) }
    }
    if mayNotifyOthers {
      let known = Set(notified)
      separately.removeAll { !known.contains($0) }
    }
    return (separately.count, publishers.total(of: separately))
  }

  /// Whether a change may name a parent that is not notified. The old parent of a removed or moved
  /// node may itself be removed, and the new parent of a moved node may be added by the same change
  /// set.
  private var mayNotifyOthers: Bool {
    changes.contains { change in
      switch change {
      case .move, .remove: true
      case .text, .attributes, .add: false
      }
    }
  }
}

extension IsolationReport: CustomStringConvertible {
  /// The coalesced calls of the three strategies on one line. The uncoalesced calls follow if they
  /// differ:
  ///
  ///     subscriber calls: 2 (one subject: 8, whole document: 4); change by change 3 (12, 12)
  public var description: String {
    let isSame = [selective, filtered, whole].allSatisfy { $0.coalesced == $0.uncoalesced }
    let each =
      isSame
      ? "" : "; change by change \(selective.uncoalesced) (\(filtered.uncoalesced), \(whole.uncoalesced))"
    return
      "subscriber calls: \(selective.coalesced) (one subject: \(filtered.coalesced), whole document: \(whole.coalesced))\(each)"
  }
}
