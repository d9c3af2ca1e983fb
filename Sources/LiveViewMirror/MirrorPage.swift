package import MarkupDocument
package import NodeObservation

/// The views of a mirrored page: what a client would show, drawn as HTML.
///
/// Every element counts as having its view, as on a screen; one is made when it is drawn or when its element is told of
/// a change for the first time.
package final class MirrorPage: Sendable {
  package let tree: ViewTree
  package let dialect: Dialect

  init(of view: LiveViewCoordinator, dialect: Dialect, registry: ViewRegistry) {
    self.dialect = dialect
    tree = ViewTree(of: Source(view), registry: registry, standingIn: true)
  }

  /// What the views see of their LiveView, which holds them and so must not be held by them.
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

extension MirrorPage {
  /// What views noted since this was last asked, as diagnostics of a record.
  func takeDiagnostics(for record: ChangeRecord) -> [DocumentDiagnostic] {
    let problems = tree.takeProblems()
    if problems.isEmpty { return [] }
    return problems.compactMap { problem in
      // After a remount, nobody wants to know what was wrong with the page before.
      let isOfNow = problem.node.map { $0.epoch == record.epoch } ?? (record.version > 0)
      return isOfNow ? DocumentDiagnostic(code: "view-problem", node: problem.node, message: problem.message) : nil
    }
  }
}
