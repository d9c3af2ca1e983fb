internal import MarkupDocument
internal import MirrorSupport
internal import MirrorViews
internal import NodeObservation

/// Keeps the ``DrawnPage`` of a view and evaluates its views after each update, if
/// ``UpdateOptions/drawsPage`` is set.
///
/// Each coordinator has one. For each update, the coordinator commits in ``whileUndrawn(_:)`` and
/// then calls ``evaluate(_:)`` once, so that all views of elements are drawn from one version. The
/// lock of the drawn page is taken before that of the state.
final class PageDrawing: Sendable {
  private let isEnabled: Bool
  /// `nil` for the standard views of the page's dialect.
  private let registry: ViewRegistry?
  private let drawn = Guarded<DrawnPage?>(nil)

  init(isEnabled: Bool, registry: ViewRegistry?) {
    self.isEnabled = isEnabled
    self.registry = registry
  }

  /// `nil` until the view is mounted, and if no page is drawn.
  var page: DrawnPage? { drawn.current }

  /// Estimated memory of the drawn views in bytes.
  var memory: Int { (page?.tree.viewCount ?? 0) * Self.memoryOfDrawnView }

  /// Measured: a drawn list item with its text takes 700 bytes.
  private static let memoryOfDrawnView = 700

  /// Creates the page of a mounted view. A remount in the same dialect keeps the page. In another
  /// dialect, elements have other views, so a new page is created.
  func mount(_ view: LiveViewCoordinator, in dialect: Dialect) {
    guard isEnabled, page?.dialect != dialect else { return }
    let page = DrawnPage(of: view, dialect: dialect, registry: registry ?? .standard(for: dialect))
    drawn.withLock { $0 = page }
    page.tree.drawObserversOfChildren()
  }

  /// Runs `commit` while no thread draws the page.
  func whileUndrawn<Result, Failure: Error>(
    _ commit: (DrawnPage?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let page else { return try commit(nil) }
    return try page.tree.locked { () throws(Failure) in try commit(page) }
  }

  /// Evaluates the views that a published update concerns, and adds the evaluations and the
  /// problems that views have noted to its record.
  ///
  /// - Returns: whether a page is drawn.
  func evaluate(_ record: inout ChangeRecord) -> Bool {
    guard let page else { return false }
    // At a mount, only views that observe children are drawn. The other views are drawn when a
    // client first requests the page.
    let evaluations = record.version == 0 ? [] : page.tree.endUpdate(record.changeSet)
    page.tree.drawObserversOfChildren(among: record.version == 0 ? nil : record.changeSet.addedNodes)
    record.isolation.views = IsolationReport.Views(evaluations: evaluations)
    let problems = page.takeDiagnostics(for: record)
    if !problems.isEmpty { record.diagnostics += problems }
    return true
  }
}

extension ChangeSet {
  /// The nodes of all subtrees that were added.
  fileprivate var addedNodes: [NodeRef] {
    all.flatMap { change in if case .add(let subtree, _) = change { subtree.nodes.map(\.ref) } else { [NodeRef]() } }
  }
}
