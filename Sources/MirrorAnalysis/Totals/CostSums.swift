internal import LiveViewMirror
internal import MarkupDocument
internal import RenderedTree

/// Adds the diffs of views to the rows of ``CostTotals``. ``CostTotals`` adds each view once, and
/// then takes the ``rows``.
struct CostSums {
  let grouping: CostTotals.Grouping
  private(set) var sizes: [Int] = []
  private(set) var wastedBytes = 0
  private var unsorted: [CostTotals.Row] = []
  /// The position of each row in ``unsorted``.
  private var positions: [Name: Int] = [:]

  private struct Name: Hashable {
    var key: String?
    var view: String?
  }

  init(by grouping: CostTotals.Grouping) { self.grouping = grouping }

  /// The rows, whose latencies are ascending.
  var rows: [CostTotals.Row] {
    unsorted.map { row in
      var row = row
      row.latencies.sort()
      return row
    }
  }

  /// Adds the diffs of a view that the log keeps.
  ///
  /// - Parameter isOfPage: whether the totals are those of a page load, so that the rows of lists
  ///   and slots name their view.
  /// - Complexity: O(*entries* × *slots of each* + *changes*), for events O(*entries*).
  mutating func add(_ view: ViewState, in versions: ClosedRange<Int>, isOfPage: Bool) {
    var places = Places(of: view, by: grouping)
    for record in view.log.records where record.version > 0 && versions.contains(record.version) {
      sizes.append(record.bytes)
      wastedBytes += record.waste.bytes
      if grouping == .event {
        let row = row(key: record.cause?.event, view: nil, TemplateSource())
        unsorted[row].diffs += 1
        unsorted[row].add(record.bytes, wasted: record.waste.bytes)
        unsorted[row].nodes += record.changeSet.changes.count
        if let latency = record.cause?.latency { unsorted[row].latencies.append(latency) }
      } else {
        add(record, by: &places, view: isOfPage && grouping != .source ? view.id : nil)
      }
    }
  }

  private mutating func add(_ record: ChangeRecord, by places: inout Places, view: String?) {
    /// The rows of this diff.
    var met: Set<Int> = []
    for cost in record.slotCosts {
      let place = places.place(of: cost.slot)
      let row = row(key: place.key, view: view, place.source)
      met.insert(row)
      unsorted[row].add(cost.bytes, wasted: cost.wastedBytes)
    }
    /// The rows of the current change, each once. An array, because most changes have one slot.
    var rows: [Int] = []
    for names in record.slots {
      rows.removeAll(keepingCapacity: true)
      for name in names {
        let place = places.place(named: name)
        if let row = positions[Name(key: place.key, view: view)], !rows.contains(row) { rows.append(row) }
      }
      // A change can name the common path of several slots. This path need not be a slot that was
      // sent, so its row counts only if it is one of the diff's rows.
      for row in rows where met.contains(row) { unsorted[row].nodes += 1 }
    }
    for row in met {
      unsorted[row].diffs += 1
      if let latency = record.cause?.latency { unsorted[row].latencies.append(latency) }
    }
  }

  private mutating func row(key: String?, view: String?, _ source: TemplateSource) -> Int {
    let name = Name(key: key, view: view)
    if let known = positions[name] {
      // One slot of a line can be in the start tag of an element, and another one in its content.
      // Then the row names no element.
      if unsorted[known].source.element != source.element { unsorted[known].source.element = nil }
      return known
    }
    positions[name] = unsorted.count
    unsorted.append(CostTotals.Row(key: key, view: view, source: source))
    return unsorted.count - 1
  }
}

extension CostTotals.Row {
  fileprivate mutating func add(_ bytes: Int, wasted: Int) {
    self.bytes += bytes
    wastedBytes += wasted
  }
}

/// The key and the template source of each slot of a view, found once for each slot.
private struct Places {
  typealias Place = (key: String?, source: TemplateSource)

  /// The maximum number of remembered paths. Remembering pays off because diffs repeat paths.
  private static let maximumNames = 50_000

  private let tree: SlotTree
  private let grouping: CostTotals.Grouping
  private var sources: TemplateSources
  private var known: [SlotTree.Node: Place] = [:]
  private var nodes: [String: SlotTree.Node] = [:]

  init(of view: ViewState, by grouping: CostTotals.Grouping) {
    tree = view.totals.tree
    self.grouping = grouping
    sources = TemplateSources(of: tree)
  }

  mutating func place(named name: String) -> Place {
    if let node = nodes[name] { return place(of: node) }
    let node = tree.node(named: name)
    if nodes.count < Self.maximumNames { nodes[name] = node }
    return place(of: node)
  }

  mutating func place(of slot: SlotTree.Node) -> Place {
    if let place = known[slot] { return place }
    let place = newPlace(of: slot)
    known[slot] = place
    return place
  }

  private mutating func newPlace(of slot: SlotTree.Node) -> Place {
    let nowhere = (key: String?.none, source: TemplateSource())
    if slot == SlotTree.none { return nowhere }
    switch grouping {
    case .event: return nowhere
    case .slot: return (tree.name(of: slot), sources.source(of: slot))
    case .list:
      guard let list = tree.list(around: slot) else { return nowhere }
      return (tree.name(of: list), sources.list(list))
    case .source:
      let source = sources.source(of: slot)
      return (source.location.map { "\($0.file):\($0.line)" } ?? source.function, source)
    }
  }
}
