public import MarkupDocument

/// Who holds a document and tells of its changes: what observers and views are given.
///
/// `LiveViewCoordinator` is one, fed by a LiveView; ``DocumentCoordinator`` is one for a document that somebody else
/// feeds.
public protocol NodeCoordinator: AnyObject, Sendable {
  /// Who listens to which node.
  var publishers: NodePublishers { get }

  /// Looks at the document as it is now; `nil` where there is none.
  ///
  /// Do not let the document out of `body`: while somebody holds this version, the next update has to copy it.
  func reading<Result>(_ body: (Document) -> Result) -> Result?
}
