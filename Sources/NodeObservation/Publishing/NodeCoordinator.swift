public import MarkupDocument

/// Holds a document and notifies subscribers of its changes. Observers and views use it to read the document.
///
/// A `LiveViewCoordinator` receives its updates from a LiveView. The document of a ``DocumentCoordinator`` is updated by the
/// application.
public protocol NodeCoordinator: AnyObject, Sendable {
  /// The publishers of the nodes.
  var publishers: NodePublishers { get }

  /// Passes the present document to `body`.
  ///
  /// `body` must not store the document: while another reference to this version exists, the next update has to copy it.
  ///
  /// - Returns: the result of `body`, or `nil` if there is no document.
  func reading<Result>(_ body: (Document) -> Result) -> Result?
}
