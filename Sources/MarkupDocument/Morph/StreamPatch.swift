/// The operations of one stream on the children of its container, which are identified by DOM id.
/// Updates make it from the stream operations of a diff, and ``ClientPatch`` applies it.
package struct StreamPatch: Sendable, Hashable {
  /// An item that is inserted or updated.
  package struct Insert: Sendable, Hashable {
    /// The DOM id of the item.
    package var id: String
    /// The index at which the item is inserted: 0 at the start, -1 at the end.
    package var at: Int
    /// How many elements the container keeps: the first ones if positive, the last ones if
    /// negative; `nil` for all.
    package var limit: Int?
    /// Whether the item is ignored if it is not in the container.
    package var updateOnly: Bool

    /// An item that is inserted at an index.
    package init(id: String, at: Int, limit: Int? = nil, updateOnly: Bool = false) {
      self.id = id
      self.at = at
      self.limit = limit
      self.updateOnly = updateOnly
    }
  }

  /// The reference of the stream.
  package var ref: String
  /// The items that are inserted or updated.
  package var inserts: [Insert]
  /// The DOM ids of deleted items.
  package var deletes: [String]
  /// Whether all items of the stream are removed first.
  package var reset: Bool

  /// Operations on one stream.
  package init(ref: String, inserts: [Insert], deletes: [String] = [], reset: Bool = false) {
    self.ref = ref
    self.inserts = inserts
    self.deletes = deletes
    self.reset = reset
  }
}

extension Element {
  /// How LiveView's client updates the children of an element, set by the attribute `phx-update`.
  package enum UpdateRule: Sendable { case replace, stream, ignore }

  /// The rule that the element's attributes set; `.replace` without any.
  package var updateRule: UpdateRule {
    switch self["phx-update"] ?? self["data-phx-update"] {
    case "stream": .stream
    case "ignore": .ignore
    default: .replace
    }
  }
}
