package import MarkupDocument

/// A coordinator for a document that never changes, for views of one version. It sends no signals.
package final class FixedDocument: NodeCoordinator {
  /// Publishers that never send a signal.
  package let publishers = NodePublishers()
  private let document: Document

  /// A coordinator for one version of a document.
  package init(_ document: Document) { self.document = document }

  /// Passes the document to `body`. The result is never `nil`.
  package func reading<Result>(_ body: (Document) -> Result) -> Result? { body(document) }
}
