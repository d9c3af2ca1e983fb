internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

extension ViewState {
  /// The lists without keys whose shifted entries were sent again, each with the sums of the epoch,
  /// in the order in which they were first shifted. ``findings`` contains them.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of lists. One more finding counts the others.
  ///   - excluded: lists that get no finding.
  /// - Complexity: O(*n* log *n*) for *n* ≤ 1,000 lists, plus the size of the templates and paths
  ///   of the listed ones.
  func unkeyedLists(limit: Int, without excluded: Set<SlotTree.Node>) -> [Finding] {
    let totals = totals
    if totals.unkeyedListCount == 0 { return [] }
    var sources = TemplateSources(of: totals.tree)
    let lists = totals.lists.filter { $0.value.isUnkeyed && !excluded.contains($0.key) }
      .compactMap { node, row in row.shifts.map { (node: node, row: row, shifts: $0) } }
      .sorted { ($0.shifts.firstVersion, $0.node) < ($1.shifts.firstVersion, $1.node) }
    let listed = lists.prefix(limit).map { node, row, shifts in
      let name = totals.tree.name(of: node)
      return Finding(
        code: "unkeyed-list",
        message: Self.sentence(about: row, at: name, sources.list(node)).beginning(Finding.longestMessage),
        locatedNodes: shifts.parents.compactMap(document.locatedNode).map {
          .init(node: $0.node, path: $0.path.beginning(Finding.longestPath))
        },
        firstVersion: shifts.firstVersion, lastVersion: shifts.lastVersion, count: shifts.count,
        isCurrent: shifts.lastVersion == version, ownRemedy: Advice.shifted(isPositional: row.isPositional))
    }
    let others = lists.dropFirst(limit).map(\.shifts)
    guard let first = others.first, let last = others.map(\.lastVersion).max() else { return listed }
    return listed + [
      Finding(
        code: "more-findings", message: "\(Formatted.count(others.count, "more list")) without keys: not listed.",
        locatedNodes: [],
        firstVersion: first.firstVersion, lastVersion: last, count: others.reduce(0) { $0 + $1.count },
        isCurrent: last == version)
    ]
  }

  /// The nodes of all lists without keys whose shifted entries were sent again, for
  /// ``FindingEntries``.
  ///
  /// - Complexity: O(*n*) for *n* ≤ 1,000 lists.
  var unkeyedListNodes: Set<SlotTree.Node> { Set(totals.lists.lazy.filter(\.value.isUnkeyed).map(\.key)) }

  /// `The list in slot 1 (lib/live/cart.ex:12, CartLive.item) has no keys. 5 entries were sent
  /// again …`
  private static func sentence(about row: ListRow, at name: String, _ source: TemplateSource) -> String {
    let template = [source.location.map { "\($0.file):\($0.line)" }, source.function].compactMap(\.self)
    let place = template.isEmpty ? "" : " (\(template.joined(separator: ", ").beginning(250)))"
    let entries = "\(Formatted.count(row.shifted, "entry")) \(row.shifted == 1 ? "was" : "were")"
    return
      "The list in slot \(name)\(place) has no keys. \(entries) sent again with the values of a neighbour, because an "
      + "earlier entry was inserted or removed."
  }
}

extension SlotTotals {
  /// The number of lists without keys whose shifted entries were sent again.
  ///
  /// - Complexity: O(*n*) for *n* ≤ 1,000 lists.
  var unkeyedListCount: Int { lists.values.count(where: \.isUnkeyed) }
}

extension ListRow {
  /// Whether the list has no keys and diffs have therefore sent shifted entries again.
  var isUnkeyed: Bool {
    switch kind {
    case .byIndex, .positional: shifted > 0
    case .keyed, .undecided, .stream: false
    }
  }
}
