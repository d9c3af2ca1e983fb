internal import LiveViewMirror

/// One card of the index: the views of one page load, or a view without a page load together with
/// the views inside of it. ``ViewsPage`` makes them from the views and pages of the mirror. A view
/// is in at most one group.
struct IndexGroup {
  /// `nil` for views that are fed without a page.
  var page: PageLoad?
  /// Whether this is the second group of a page. A page has a second group for its views that have
  /// ended, if the first group has views that have not.
  var isSecond = false
  /// The views, each before the views inside of it. Empty for a page without views.
  var entries: [Entry]
  /// Whether no entry can receive diffs.
  var hasEnded: Bool

  /// One view.
  struct Entry {
    let id: String
    let life: ViewLife
    /// The view whose document contains the element of this one.
    let parent: String?
    /// `nil` if the join was refused or has no reply yet.
    let state: ViewSummary?
    /// The number of views around this one.
    var depth = 0
  }

  /// The time of the last update, or of the opening of the page, in milliseconds since 1970. For a
  /// recording, the time when it ended, and not that of its import.
  var updatedAt: Int64 {
    if let end = page?.closedAt, !entries.isEmpty, entries.allSatisfy(\.life.isImported) { return end }
    return entries.compactMap { $0.state?.updatedAt }.max() ?? page?.openedAt ?? 0
  }
  /// The number of diffs of all views.
  var diffs: Int { entries.reduce(0) { $0 + ($1.state?.log.diffCount ?? 0) } }

  // MARK: - Grouping

  /// The groups, newest first.
  ///
  /// - Complexity: O(*n* log *n*) for *n* views and pages.
  static func groups(
    of views: [ViewSummary], _ reports: [LiveViews.ViewReport], on pages: [LiveViews.PageLoadReport]
  ) -> [IndexGroup] {
    let states = Dictionary(views.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var forest = Forest()
    for report in reports { forest.add(report, states[report.id]) }
    // A page also has views without a document, which `reports` does not contain. A view that was
    // mounted after `reports` was made is shown by the next refresh.
    for report in pages.lazy.flatMap(\.views) where report.firstVersion == nil { forest.add(report, nil) }
    var groups = pages.flatMap { forest.groups(of: $0.page) }
    groups += forest.rest().map { IndexGroup(page: nil, entries: $0, hasEnded: $0.allSatisfy(\.life.status.isEnded)) }
    // Of two groups with the same time, the one that was opened later is first.
    let sorted = groups.enumerated().map { (time: $1.updatedAt, position: $0, group: $1) }
      .sorted { ($0.time, $0.position) > ($1.time, $1.position) }
    return sorted.map(\.group)
  }

  /// The views as trees: the children of a view are the views inside of it.
  private struct Forest {
    private var entries: [String: Entry] = [:]
    /// The ids in their order.
    private var ids: [String] = []
    private var taken: Set<String> = []

    mutating func add(_ report: LiveViews.ViewReport, _ state: ViewSummary?) {
      guard entries[report.id] == nil else { return }
      entries[report.id] = Entry(id: report.id, life: report.life, parent: report.parent, state: state)
      ids.append(report.id)
    }

    mutating func groups(of page: PageLoad) -> [IndexGroup] {
      let trees = trees(of: page.views)
      if page.closedAt != nil || trees.isEmpty {
        return [IndexGroup(page: page, entries: Self.newestFirst(trees), hasEnded: page.closedAt != nil)]
      }
      let ended = trees.filter { $0.allSatisfy(\.life.status.isEnded) }
      let others = trees.filter { !$0.allSatisfy(\.life.status.isEnded) }
      // The main view has the page's address.
      let sorted = others.filter { $0[0].life.url != nil } + others.filter { $0[0].life.url == nil }
      var groups: [IndexGroup] = []
      if !sorted.isEmpty { groups.append(IndexGroup(page: page, entries: sorted.flatMap { $0 }, hasEnded: false)) }
      if !ended.isEmpty {
        groups.append(
          IndexGroup(page: page, isSecond: !sorted.isEmpty, entries: Self.newestFirst(ended), hasEnded: true))
      }
      return groups
    }

    /// The trees of the views that ``groups(of:)`` has put in no group, because they belong to no
    /// page. Called after it.
    mutating func rest() -> [[Entry]] { trees(of: ids) }

    private static func newestFirst(_ trees: [[Entry]]) -> [Entry] {
      trees.sorted { ($0[0].state?.updatedAt ?? 0) > ($1[0].state?.updatedAt ?? 0) }.flatMap { $0 }
    }

    /// The trees of the given views, each as a list that begins with the root. A tree is walked
    /// without recursion, because a feed can nest views as deep as it likes.
    private mutating func trees(of ids: [String]) -> [[Entry]] {
      let members = Set(ids)
      func parent(of id: String) -> String? {
        entries[id]?.parent.flatMap { members.contains($0) && entries[$0] != nil ? $0 : nil }
      }
      var (trees, roots, children): ([[Entry]], [String], [String: [String]]) = ([], [], [:])
      for id in ids {
        if let parent = parent(of: id) { children[parent, default: []].append(id) } else { roots.append(id) }
      }
      for id in roots {
        var (tree, open): ([Entry], [(id: String, depth: Int)]) = ([], [(id, 0)])
        while let next = open.popLast() {
          guard var entry = entries[next.id], taken.insert(next.id).inserted else { continue }
          entry.depth = next.depth
          tree.append(entry)
          open += (children[next.id] ?? []).reversed().map { ($0, next.depth + 1) }
        }
        if !tree.isEmpty { trees.append(tree) }
      }
      return trees
    }
  }
}
