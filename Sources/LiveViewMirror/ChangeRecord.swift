public import MarkupDocument
public import NodeObservation

/// Everything that one update did: the change set, what caused each change, who was told, and what it cost.
///
/// Every number and list in it derives from the one ``changeSet``.
public struct ChangeRecord: Sendable {
  /// What is known when the update is in place. It changes no more, and all copies share it.
  struct Facts: Sendable {
    var view: String
    var epoch: Int
    var version: Int
    var at: Int64
    var bytes: Int
    var nodes: Int
    var changeSet: ChangeSet
    /// Bounded by ``slotBytes``.
    var slots: [[String]]
    /// How many changes have causes that are not in ``slots``.
    var unnamedChanges = 0
    var parentNames: NodeNames
    var notified: [NodeRef]
    var observers: Int
    var allObservers: Int
    var finished: Int
    var waste: Waste
    var asides: Asides?
    var input: String

    /// How many bytes the names in ``slots`` have at the most; those of later changes are left out.
    static let slotBytes = 1 << 20

    /// Leaves out the names that are beyond ``slotBytes``.
    mutating func boundSlots() {
      if slots.reduce(0, { $0 + Self.size(of: $1) }) > Self.slotBytes { dropSlots() }
    }

    /// Never inlined: before a loop that may write to an array the compiler makes the array unique, which is a copy here.
    @inline(never)
    private mutating func dropSlots() {
      var left = Self.slotBytes
      for position in slots.indices where !slots[position].isEmpty {
        left -= Self.size(of: slots[position])
        guard left < 0 else { continue }
        slots[position] = []
        unnamedChanges += 1
      }
    }

    private static func size(of names: [String]) -> Int { names.reduce(0) { $0 + $1.utf8.count + 3 } }
  }

  private final class Shared: Sendable {
    let facts: Facts
    init(_ facts: Facts) { self.facts = facts }
  }

  private let shared: Shared
  /// How many other ways of telling would have reached, and what views came of it.
  public var isolation: IsolationReport
  public var path: UpdatePath
  public var timings: Timings
  public var diagnostics: [DocumentDiagnostic]

  init(
    _ facts: Facts, isolation: IsolationReport, path: UpdatePath, timings: Timings, diagnostics: [DocumentDiagnostic]
  ) {
    assert(facts.slots.count == facts.changeSet.changes.count, "Every change has its causes, if only none")
    var facts = facts
    facts.boundSlots()
    shared = Shared(facts)
    self.isolation = isolation
    self.path = path
    self.timings = timings
    self.diagnostics = diagnostics
  }

  public var view: String { shared.facts.view }
  public var epoch: Int { shared.facts.epoch }
  /// 0 for the mount, then one more for every diff that was applied.
  public var version: Int { shared.facts.version }
  /// Milliseconds since 1970.
  public var at: Int64 { shared.facts.at }
  /// The size of the update as JSON.
  public var bytes: Int { shared.facts.bytes }
  /// How many nodes the document has afterwards, the root among them.
  public var nodes: Int { shared.facts.nodes }
  public var changeSet: ChangeSet { shared.facts.changeSet }
  /// For every change, the places of the diff that caused it, dotted. Empty where no single place can be named, and at
  /// a mount. The names of one record have at most 1 MiB.
  public var slots: [[String]] { shared.facts.slots }
  /// How many changes have no ``slots`` because the names of others take all the room.
  public var unnamedChanges: Int { shared.facts.unnamedChanges }
  /// How the parents are called that the changes name; the root is not among them.
  public var parentNames: NodeNames { shared.facts.parentNames }
  /// The nodes whose publishers fired, in document order.
  public var notified: [NodeRef] { shared.facts.notified }
  /// How many subscribers that reached.
  public var observers: Int { shared.facts.observers }
  /// How many a single whole-document publisher would have reached.
  public var allObservers: Int { shared.facts.allObservers }
  /// How many publishers finished because their node is gone.
  public var finished: Int { shared.facts.finished }
  public var waste: Waste { shared.facts.waste }
  /// What `push_event` sent, as JSON.
  public var events: String? { shared.facts.asides?.events }
  public var title: String? { shared.facts.asides?.title }
  /// The answer to the client's event, as JSON.
  public var reply: String? { shared.facts.asides?.reply }
  /// The update itself, as JSON: a Rendered at version 0, else a diff.
  public var input: String { shared.facts.input }

  /// What was sent and changed nothing.
  public struct Waste: Sendable, Hashable {
    public var bytes: Int
    /// The first hundred places.
    public var slots: [String]
    /// How many places there are beyond ``slots``.
    public var more = 0
    /// How many places there are.
    public var count: Int { slots.count + more }
  }

  /// Microseconds spent in each stage.
  public struct Timings: Sendable, Hashable {
    public var decode = 0
    public var merge = 0
    public var render = 0
    public var parse = 0
    public var morph = 0
    /// Finding the cause of every change.
    public var trace = 0
    public var publish = 0
    /// Evaluating the views of the page, where one is drawn.
    public var views = 0

    public var total: Int { decode + merge + render + parse + morph + trace + publish + views }

    public init() {}
  }
}

/// An input that was JSON and did not fit: the view stayed as it was.
public struct Rejection: Sendable {
  public var view: String
  public var epoch: Int
  /// The version that the view kept.
  public var version: Int
  /// Milliseconds since 1970.
  public var at: Int64
  public var bytes: Int
  public var error: UpdateError
  /// The input itself, at most ``longestInput`` bytes of it.
  public var input: String

  public static let longestInput = 1 << 16
}
