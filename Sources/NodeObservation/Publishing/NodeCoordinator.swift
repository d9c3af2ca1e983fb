public import MarkupDocument

/// Holds a document and notifies subscribers of its changes. Observers and views read the document
/// through it.
///
/// A `LiveViewCoordinator` receives its updates from a LiveView. The document of a
/// ``DocumentCoordinator`` is updated by the application.
public protocol NodeCoordinator: AnyObject, Sendable {
  /// The publishers of the nodes.
  var publishers: NodePublishers { get }

  /// Passes the present document to `body`.
  ///
  /// `body` must not store the document: while another reference to this version exists, the next
  /// update has to copy it.
  ///
  /// - Returns: the result of `body`, or `nil` if there is no document.
  func reading<Result>(_ body: (Document) -> Result) -> Result?
}

/// A coordinator for a document that never changes, such as one version of a view. It sends no
/// signals. The inspector draws a `native` document with it if the mirror keeps no drawn views for
/// this version. A `ViewTree` of one root view without a document has a `FixedDocument` with an
/// empty document.
package final class FixedDocument: NodeCoordinator {
  /// Publishers that never send a signal.
  package let publishers = NodePublishers()
  private let document: Document

  /// A coordinator for one version of a document.
  package init(_ document: Document) { self.document = document }

  /// Passes the document to `body`. The result is never `nil`.
  package func reading<Result>(_ body: (Document) -> Result) -> Result? { body(document) }
}
