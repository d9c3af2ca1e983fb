package import MarkupDocument

/// A document that stays as it is, for views of one version: nobody is ever told of anything.
package final class FixedDocument: NodeCoordinator {
  package let publishers = NodePublishers()
  private let document: Document

  package init(_ document: Document) { self.document = document }

  package func reading<Result>(_ body: (Document) -> Result) -> Result? { body(document) }
}
