/// Where an instance of a template stands in a document: what the stages behind this module know of it.
///
/// Nothing here looks into it. It travels with its fragment or entry wherever a merge puts that, and is not copied to
/// another one: so it tells of this instance for as long as it is there.
package final class Site: Sendable {
  /// The template, as the document's stages read it.
  package let template: any AnyObject & Sendable
  /// By the template's anchors: the numbers of the nodes that they became.
  package let nodes: [Int]
  /// The anchors whose content is not as their template alone says.
  package let opaque: Set<Int>

  /// How deep the instance stands in the page, in fragments, entries and components: the page itself is 1.
  package let level: Int

  package init(template: any AnyObject & Sendable, nodes: [Int], opaque: Set<Int> = [], level: Int) {
    self.level = level
    self.template = template
    self.nodes = nodes
    self.opaque = opaque
  }
}
