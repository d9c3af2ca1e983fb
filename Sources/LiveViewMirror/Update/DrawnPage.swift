package import MarkupDocument
package import MirrorViews
internal import NodeObservation

/// The views of a mirrored page, drawn as HTML as a client would show it. ``PageDrawing`` makes one
/// at a mount, and `GET /views/{view}/page` draws it.
///
/// Every element counts as having a view, as if the whole page were on a screen. The view is
/// created when it is drawn, or when its element is notified of a change for the first time.
package final class DrawnPage: Sendable {
  /// The views.
  package let tree: ViewTree
  /// The dialect of the page.
  package let dialect: Dialect

  init(of view: LiveViewCoordinator, dialect: Dialect, registry: ViewRegistry) {
    self.dialect = dialect
    tree = ViewTree(of: Source(view), registry: registry, isCountedByMirror: true)
  }

  /// Lets the drawn views read the mirrored view. The reference is weak, because the coordinator
  /// retains its drawn page.
  private final class Source: NodeCoordinator {
    let publishers: NodePublishers
    private let view: Weak

    private struct Weak: Sendable { weak let view: LiveViewCoordinator? }

    init(_ view: LiveViewCoordinator) {
      publishers = view.publishers
      self.view = Weak(view: view)
    }

    func reading<Result>(_ body: (Document) -> Result) -> Result? { view.view?.reading(body) }
  }
}

extension DrawnPage {
  /// The problems that views have noted since the last call, as diagnostics of a record.
  func takeDiagnostics(for record: ChangeRecord) -> [DocumentDiagnostic] {
    let problems = tree.takeProblems()
    if problems.isEmpty { return [] }
    return problems.compactMap { problem in
      // After a remount, problems of the previous page are dropped.
      let isOfNow = problem.node.map { $0.epoch == record.epoch } ?? (record.version > 0)
      return isOfNow ? DocumentDiagnostic(code: "view-problem", node: problem.node, message: problem.message) : nil
    }
  }
}
