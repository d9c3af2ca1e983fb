public import MarkupDocument
public import NodeObservation
package import RenderedTree

/// The result of one update: the change set, the causes of each change, the nodes that were
/// notified, and the costs.
///
/// An update returns its record, the log keeps it, and responses, events and texts show it. All
/// lists and counts of changes are derived from the one ``changeSet``.
public struct ChangeRecord: Sendable {
  /// The part of a record that is complete at the commit. Copies of the record share it.
  ///
  /// Only the counts of subscribers and the time are replaced later: when the publication has ended
  /// (``recount(everybody:)``), and when the update is applied again from a journal
  /// (``restore(_:at:)``). Then the record gets its own copy.
  struct Facts: Sendable {
    var view: String
    var epoch: Int
    var version: Int
    var at: Int64
    var nodeCount: Int
    var changeSet: ChangeSet
    /// Bounded by ``slotBytes``.
    var slots: [[String]]
    /// The number of changes whose causes are not in ``slots`` because of the bound.
    var unnamedChangeCount = 0
    var displayNames: DisplayNames
    var notified: [NodeRef]
    var observerCount: Int
    var allObserverCount: Int
    var finished: Int
    var waste: Waste
    var slotCosts: [SlotCost] = []
    /// Empty for most records, otherwise one value. An array, because it takes only one word.
    var extras: [UpdateExtras]
    var input: String
    /// What the input does to the merged tree.
    var effect: TreeEffect
    /// Whether the whole page was parsed, so that the diagnostics list every repair that the page's
    /// markup needs.
    var readsWholePage = false

    /// The maximum number of bytes of all paths in ``slots``. The paths of later changes are left
    /// out.
    static let slotBytes = 1 << 20

    /// Leaves out the paths that are beyond ``slotBytes``.
    mutating func boundSlots() {
      if slots.reduce(0, { $0 + Self.size(of: $1) }) > Self.slotBytes { dropSlots() }
    }

    /// Never inlined: before a loop that may write to an array, the compiler makes the array
    /// unique. Inlined into ``boundSlots()``, it would copy ``slots`` even for records within the
    /// bound.
    @inline(never)
    private mutating func dropSlots() {
      var left = Self.slotBytes
      for position in slots.indices where !slots[position].isEmpty {
        left -= Self.size(of: slots[position])
        guard left < 0 else { continue }
        slots[position] = []
        unnamedChangeCount += 1
      }
    }

    private static func size(of slotPaths: [String]) -> Int { slotPaths.reduce(0) { $0 + $1.utf8.count + 3 } }
  }

  private final class Storage: Sendable {
    let facts: Facts
    init(_ facts: Facts) { self.facts = facts }
  }

  private var shared: Storage
  /// How many subscribers other designs of publishers would have called, and which views of
  /// elements were evaluated.
  public var isolation: IsolationReport
  /// How the update was computed.
  public var path: UpdatePath
  /// The time of each stage.
  public var timings: Timings
  /// Notes about the update.
  public var diagnostics: [DocumentDiagnostic]
  /// The client's event that the update answers; `nil` if the server pushed the update by itself.
  public internal(set) var cause: UpdateCause?

  init(
    _ facts: Facts, isolation: IsolationReport, path: UpdatePath, timings: Timings, diagnostics: [DocumentDiagnostic]
  ) {
    assert(facts.slots.count == facts.changeSet.changes.count, "Each change needs a list of causes")
    var facts = facts
    facts.boundSlots()
    shared = Storage(facts)
    self.isolation = isolation
    self.path = path
    self.timings = timings
    self.diagnostics = diagnostics
  }

  /// The id of the view.
  public var view: String { shared.facts.view }
  /// The epoch of the view.
  public var epoch: Int { shared.facts.epoch }
  /// The version after the update: 0 for the mount, then one more for each diff.
  public var version: Int { shared.facts.version }
  /// The time of the update, in milliseconds since 1970.
  public var at: Int64 { shared.facts.at }
  /// The size of the update as JSON.
  public var bytes: Int { shared.facts.input.utf8.count }
  /// The number of nodes in the document after the update, including the root.
  public var nodeCount: Int { shared.facts.nodeCount }
  /// The changes of the document.
  public var changeSet: ChangeSet { shared.facts.changeSet }
  /// For each change, the slots of the diff that caused it, as dotted paths such as `2.k.4`. Empty
  /// if no single slot can be named, and for a mount. The paths of one record take at most 1 MiB.
  public var slots: [[String]] { shared.facts.slots }
  /// The number of changes without ``slots`` because the paths for other changes take all the
  /// space.
  public var unnamedChangeCount: Int { shared.facts.unnamedChangeCount }
  /// The display names of the parents in the changes and of the notified nodes, without the root.
  public var displayNames: DisplayNames { shared.facts.displayNames }
  /// The display name of a notified node, or of a parent in the changes, at this version; `nil` for
  /// the root and for other nodes.
  ///
  /// - Complexity: O(log *names*).
  public func displayName(of node: NodeRef) -> DisplayName? { shared.facts.displayNames[node] }
  /// The nodes whose publishers sent a signal, in document order.
  public var notified: [NodeRef] { shared.facts.notified }
  /// The number of subscribers of the notified nodes.
  public var observerCount: Int { shared.facts.observerCount }
  /// The number of subscribers of all nodes, including the notified ones. A single publisher for
  /// the whole document would have notified all of them.
  public var allObserverCount: Int { shared.facts.allObserverCount }
  /// The number of publishers that finished because their node was removed.
  public var finished: Int { shared.facts.finished }
  /// The slots of the diff that changed nothing.
  public var waste: Waste { shared.facts.waste }
  /// The costs of the diff by slot of the templates, each slot once. Empty for a mount, and if the
  /// analysis `SlotTotals` is off.
  package var slotCosts: [SlotCost] { shared.facts.slotCosts }
  /// The lists whose shifted entries the diff sent again.
  package var shiftedLists: ShiftedLists { extras?.shiftedLists ?? ShiftedLists() }
  /// The lists with entries that the diff sent again although their values are unchanged.
  package var resentLists: [ResentList] { extras?.resentLists ?? [] }
  /// The events of `push_event`, as JSON.
  public var events: String? { extras?.events }
  /// The new page title, if the update sets one.
  public var title: String? { extras?.title }
  /// The answer to the client's event, as JSON.
  public var reply: String? { extras?.reply }
  /// The update itself, as JSON: a Rendered at version 0, else a diff.
  public var input: String { shared.facts.input }

  /// Whether markup was rendered. No markup is rendered for a diff that sets one slot to a text, or
  /// for a diff at which the client stops with an error.
  package var hasRendered: Bool { if case .merged = effect { true } else { false } }

  /// The subscribers that the update has reached.
  var audience: Audience { Audience(notified: observerCount, all: allObserverCount, finished: finished) }

  /// Counts all subscribers again after the publication: subscribers of removed nodes have ended,
  /// and views may have subscribed.
  mutating func recount(everybody count: Int) {
    isolation.recount(everybody: count)
    restore(Audience(notified: observerCount, all: isolation.everybody, finished: finished), at: at)
  }

  /// Replaces the counts and the time, because both differ when the same update is applied again
  /// from a journal.
  mutating func restore(_ audience: Audience, at time: Int64) {
    if audience == self.audience, time == at { return }
    var facts = shared.facts
    (facts.observerCount, facts.allObserverCount, facts.finished) = (audience.notified, audience.all, audience.finished)
    facts.at = time
    shared = Storage(facts)
  }

  var extras: UpdateExtras? { shared.facts.extras.first }
  var effect: TreeEffect { shared.facts.effect }
  package var unknownKeys: [UnknownKey] { extras?.unknownKeys ?? [] }
  package var shiftedNodes: Set<Int32> { extras?.shiftedNodes ?? [] }
  package var readsWholePage: Bool { shared.facts.readsWholePage }

  /// Slots of a diff that changed nothing.
  public struct Waste: Sendable, Hashable {
    /// The size in bytes of the values in these slots.
    public var bytes: Int
    /// The first 100 of these slots, as dotted paths.
    public var slots: [String]
    /// The number of these slots that are not in ``slots``.
    public var more = 0
    /// The number of all these slots.
    public var count: Int { slots.count + more }
  }

  /// Microseconds spent in each stage.
  public struct Timings: Sendable, Hashable {
    /// Decoding the message.
    public var decode = 0
    /// Merging the diff into the tree.
    public var merge = 0
    /// Rendering the tree; for a scoped update, the parts of it that the diff concerns.
    public var render = 0
    /// Parsing the markup; 0 for a text without markup.
    public var parse = 0
    /// Comparing the page with the document. For a full update, also linking; for a scoped update,
    /// also finding the parts.
    public var morph = 0
    /// Finding the causes of the changes. For a scoped update, also changing the document and
    /// linking.
    public var trace = 0
    /// Notifying the subscribers.
    public var publish = 0
    /// Evaluating the views of the page; 0 if none is drawn.
    public var views = 0

    /// The sum of all stages.
    public var total: Int { decode + merge + render + parse + morph + trace + publish + views }

    /// All stages at 0.
    public init() {}
  }
}
