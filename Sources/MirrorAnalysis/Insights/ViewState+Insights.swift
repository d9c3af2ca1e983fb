package import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport

extension ViewState {
  /// What can be improved about the view: lists and values that were sent again, lost identities,
  /// and the findings. Insights with the most bytes come first. Of insights with equal bytes, the
  /// one that was shown by the latest version comes first. `GET /views/{view}/insights` and the tab
  /// *Cost* of `ViewPage` list them.
  ///
  /// - Complexity: O(*entries* × *slots of each* + *bytes of the diffs* + *changes*), and that of
  ///   ``findings``.
  package var insights: [Insight] {
    let costs = RepeatedCosts(of: self)
    // The insight about a shifted list replaces the finding about it, because it also has the
    // bytes.
    let findings = self.findings(withoutLists: costs.shiftedLists)
    let shown = versionsOfDiagnostics
    let insights = costs.insights + findings.map { Insight($0, shown, in: self) }
    return insights.enumerated().sorted { a, b in
      if a.element.savesBytes != b.element.savesBytes { return a.element.savesBytes > b.element.savesBytes }
      let (left, right) = (a.element.versions.last ?? -1, b.element.versions.last ?? -1)
      return left == right ? a.offset < b.offset : left > right
    }.map(\.element)
  }

  /// For each diagnostic of the log, by its code and message, the versions that have it.
  ///
  /// - Complexity: O(*diagnostics*).
  private var versionsOfDiagnostics: [[String]: Set<Int>] {
    var versions: [[String]: Set<Int>] = [:]
    for record in log.records {
      for diagnostic in record.diagnostics + record.unknownKeys.map(\.diagnostic) {
        versions[Finding.words(of: diagnostic), default: []].insert(record.version)
      }
    }
    return versions
  }
}

extension Finding {
  /// The code and the message of a finding about a diagnostic.
  fileprivate static func words(of diagnostic: DocumentDiagnostic) -> [String] {
    [diagnostic.code.beginning(longestPath), diagnostic.findingMessage.beginning(longestMessage)]
  }
}

extension Insight {
  /// - Parameter shown: the versions of each diagnostic, by its code and message.
  fileprivate init(_ finding: Finding, _ shown: [[String]: Set<Int>], in view: ViewState) {
    let versions: Set<Int> =
      switch finding.code {
      // The view has no version of an input that it has rejected.
      case "rejected-diff": []
      case "component-not-removed": Set(view.unremovedComponents.values)
      // A finding keeps its first and last version. The versions between them are those whose
      // diagnostics equal the finding.
      default: (shown[[finding.code, finding.message]] ?? []).union([finding.firstVersion, finding.lastVersion])
      }
    self.init(
      code: finding.code, message: finding.message,
      advice: finding.ownRemedy ?? DiagnosticCode[finding.code]?.remedy(in: view.document.dialect), savesBytes: 0,
      share: 0, source: TemplateSource(),
      versions: versions.filter { view.log.record(of: $0) != nil }.sorted())
  }
}

/// The bytes of a view's diffs that the page had already, by the list, line or slot that sent them,
/// and the elements that lost their identity.
private struct RepeatedCosts {
  fileprivate struct Sums {
    var bytes = 0
    /// The size of all diffs that contain these bytes.
    var diffBytes = 0
    var versions: [Int] = []
    /// The slots outside of lists.
    var slots: Set<SlotTree.Node> = []
    /// The values of these slots as JSON; `nil` for those that are long or not known.
    var values: Set<String?> = []
    /// The number of elements with an id that were removed and added again.
    var recreated = 0

    mutating func add(_ bytes: Int, of record: ChangeRecord) {
      self.bytes += bytes
      diffBytes += record.bytes
      versions.append(record.version)
    }

    var share: Double { diffBytes == 0 ? 0 : Double(bytes) / Double(diffBytes) }
    /// `1.9 kB for each insertion (85 %)`.
    func bytes(forEach diff: String) -> String {
      let mean = bytes / max(1, versions.count)
      return "\(Formatted.size(mean)) for each \(diff) (\(Formatted.wholePercent(share)))"
    }
  }

  private let totals: SlotTotals
  private var sources: TemplateSources
  private var lists: [SlotTree.Node: Sums] = [:]
  /// As ``lists``, but only for the diffs that shifted entries of the list.
  private var shifts: [SlotTree.Node: Sums] = [:]
  /// By the line of the template, or by the slot if its line is not known.
  private var values: [Place: Sums] = [:]
  /// By the list; ``SlotTree/none`` outside of lists.
  private var identities: [SlotTree.Node: Sums] = [:]

  private struct Place: Hashable {
    var source: TemplateSource
    var slot: SlotTree.Node?
  }

  init(of view: ViewState) {
    totals = view.totals
    sources = TemplateSources(of: totals.tree)
    for record in view.log.records where record.version > 0 { add(record) }
  }

  private mutating func add(_ record: ChangeRecord) {
    var (lists, values) = ([SlotTree.Node: Int](), [Place: Int]())
    for cost in record.slotCosts where cost.wastedBytes > 0 {
      if cost.slot != SlotTree.none, let list = totals.tree.list(around: cost.slot) {
        lists[list, default: 0] += cost.wastedBytes
      } else {
        values[place(of: cost.slot), default: 0] += cost.wastedBytes
      }
    }
    var shifted: [SlotTree.Node: Int] = [:]
    for list in record.shiftedLists.lists {
      let node = totals.tree.node(named: list.slot)
      if totals.lists[node]?.isUnkeyed == true { shifted[node, default: 0] += list.bytes }
    }
    // Inner lists come first, because a node has a larger number than the nodes above it.
    for list in Set(lists.keys).union(shifted.keys).sorted(by: >) {
      // `lists` has the values that did not change, `shifted` the shifted entries. A shifted entry
      // with a value that did not change is in both sums, so they are not added: the larger sum is
      // what the list has cost for certain. The bytes of a list in a shifted entry are part of that
      // entry, so they count for the list around it.
      let bytes = max(lists[list] ?? 0, shifted[list] ?? 0)
      var outer = totals.tree.list(around: list)
      while let node = outer, shifted[node] == nil { outer = totals.tree.list(around: node) }
      lists[list] = outer == nil ? bytes : nil
      if let outer { lists[outer, default: 0] += bytes }
    }
    for (list, bytes) in lists {
      self.lists[list, default: Sums()].add(bytes, of: record)
      if shifted[list] != nil { shifts[list, default: Sums()].add(bytes, of: record) }
    }
    for (place, bytes) in values { self.values[place, default: Sums()].add(bytes, of: record) }
    if !values.isEmpty { addValues(record, to: values.keys) }
    addIdentities(record)
  }

  /// The lists whose insights have the bytes of shifted entries.
  var shiftedLists: Set<SlotTree.Node> { Set(shifts.keys) }

  /// The maximum number of bytes of a value that is named.
  private static let longestValue = 24

  /// Notes what a diff sent to the places outside of lists.
  ///
  /// - Complexity: O(*bytes of the diff*).
  private mutating func addValues(_ record: ChangeRecord, to places: some Sequence<Place>) {
    let json = JSONPositions(record.input)
    for name in record.waste.slots {
      let slot = totals.tree.node(named: name)
      guard slot != SlotTree.none, totals.tree.list(around: slot) == nil else { continue }
      let value = json.value(at: name.split(separator: "."), in: json.top)
      let isShort = value.map { json.range(of: $0).count <= Self.longestValue } ?? false
      let place = place(of: slot)
      self.values[place]?.slots.insert(slot)
      self.values[place]?.values.insert(value.flatMap { isShort ? json.text(of: $0) : nil })
    }
    // The record does not name all slots, so their values are not known.
    if record.waste.more > 0 { for place in places { self.values[place]?.values.insert(nil) } }
  }

  private mutating func place(of slot: SlotTree.Node) -> Place {
    if slot == SlotTree.none { return Place(source: TemplateSource(), slot: slot) }
    let source = sources.source(of: slot)
    return Place(source: source, slot: source.location == nil ? slot : nil)
  }

  /// - Complexity: O(*changes*).
  private mutating func addIdentities(_ record: ChangeRecord) {
    var found: [SlotTree.Node: Int] = [:]
    for position in record.changeSet.changes.recreations {
      let node = record.slots[position].first.map { totals.tree.node(named: $0) } ?? SlotTree.none
      found[node == SlotTree.none ? node : totals.tree.list(around: node) ?? SlotTree.none, default: 0] += 1
    }
    for (list, count) in found {
      identities[list, default: Sums()].add(0, of: record)
      identities[list]?.recreated += count
    }
  }

  // MARK: - Insights

  /// Lists, values and lost identities. Lists and identities are in the order of the templates'
  /// slots, values in the order of their first versions.
  var insights: [Insight] {
    var sources = sources
    let lists = lists.sorted { $0.key < $1.key }.map { insight(list: $0.key, $0.value, &sources) }
    let values = values.map { insight(value: $0.key, $0.value) }
      .sorted { ($0.versions.first ?? 0, $0.message) < ($1.versions.first ?? 0, $1.message) }
    let identities = identities.sorted { $0.key < $1.key }.map { insight(identity: $0.key, $0.value, &sources) }
    return lists + values + identities
  }

  private func insight(list: SlotTree.Node, _ sums: Sums, _ sources: inout TemplateSources) -> Insight {
    let (kind, source) = (totals.lists[list]?.kind ?? .undecided, sources.list(list))
    let (place, costs) = (self.place(source, list), sums.bytes(forEach: "diff"))
    if kind == .byIndex, let shift = shifts[list] {
      let costs = shift.bytes(forEach: "insertion or removal")
      return Insight(.unkeyedList, "The list \(place) has no key: \(costs)", Advice.unkeyed, sums, source)
    }
    if kind == .stream {
      let message = "Operations of the stream \(place) changed nothing: \(costs)"
      return Insight(.resentList, message, Advice.stream, sums, source)
    }
    return Insight(
      .resentList, "Entries of the list \(place) were sent without a change: \(costs)",
      Advice.unchanged(isPositional: kind == .positional), sums, source)
  }

  private func insight(value place: Place, _ sums: Sums) -> Insight {
    let (source, costs) = (place.source, sums.bytes(forEach: "diff"))
    if place.slot == SlotTree.none {
      let message = "Values of further slots were sent without a change: \(costs)"
      return Insight(.resentValue, message, Advice.unchangedValue, sums, source)
    }
    let value = sums.values.count == 1 ? sums.values.first.flatMap(\.self) : nil
    let name = value.flatMap { $0.contains("`") ? nil : " `\($0)`" } ?? ""
    var words = self.place(source, place.slot ?? SlotTree.none)
    // A line can have several slots, so the message names the slot if only one was sent without
    // effect.
    if sums.slots.count == 1, let slot = sums.slots.first, let line = source.place {
      words = "\(self.place(TemplateSource(), slot)) (\(line))"
    }
    return Insight(
      .resentValue, "The value\(name) \(words) was sent without a change: \(costs)", Advice.unchangedValue, sums,
      source)
  }

  private func insight(identity list: SlotTree.Node, _ sums: Sums, _ sources: inout TemplateSources) -> Insight {
    let source = list == SlotTree.none ? TemplateSource() : sources.list(list)
    let elements = Formatted.count(sums.recreated, "element")
    let place = list == SlotTree.none ? "" : " of the list \(place(source, list))"
    return Insight(
      .lostIdentity,
      "\(elements)\(place) \(sums.recreated == 1 ? "was" : "were") removed and added again with the same id",
      Advice.recreated, sums, source)
  }

  /// ``TemplateSource/place``; without a line, `in slot 1.k.*.0`.
  private func place(_ source: TemplateSource, _ slot: SlotTree.Node) -> String {
    source.place ?? "in slot \(ChangeRecord.name(ofSlot: totals.tree.name(of: slot)))"
  }
}

extension Insight {
  fileprivate init(
    _ code: Code, _ message: String, _ advice: String, _ sums: RepeatedCosts.Sums, _ source: TemplateSource
  ) {
    self.init(
      code: code.rawValue, message: message + ".", advice: advice, savesBytes: sums.bytes, share: sums.share,
      source: source, versions: sums.versions)
  }
}
