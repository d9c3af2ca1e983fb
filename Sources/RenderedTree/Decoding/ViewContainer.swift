/// The element of a view, as a join reply describes it: `"container": ["article", {"class": "page"}]` (LiveView 1.0 to 1.2).
package struct ViewContainer: Sendable, Hashable {
  package var tag: String
  /// The attributes that the LiveView gives to its element, in the order of the reply.
  package var attributes: [Attribute]

  package init(tag: String, attributes: [Attribute]) { (self.tag, self.attributes) = (tag, attributes) }

  package struct Attribute: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(name: String, value: String) { (self.name, self.value) = (name, value) }
  }
}
