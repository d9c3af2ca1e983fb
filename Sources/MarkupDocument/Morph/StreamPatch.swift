/// What a stream does to the children of its container, by DOM id. See ``StreamPlan``.
package struct StreamPatch: Sendable, Hashable {
  package struct Insert: Sendable, Hashable {
    package var id: String
    /// -1 at the end, 0 at the start, else before the child at that place.
    package var at: Int
    /// Negative keeps the last ones, positive the first ones.
    package var limit: Int?
    package var updateOnly: Bool

    package init(id: String, at: Int, limit: Int? = nil, updateOnly: Bool = false) {
      self.id = id
      self.at = at
      self.limit = limit
      self.updateOnly = updateOnly
    }
  }

  package var ref: String
  package var inserts: [Insert]
  package var deletes: [String]
  package var reset: Bool

  package init(ref: String, inserts: [Insert], deletes: [String] = [], reset: Bool = false) {
    self.ref = ref
    self.inserts = inserts
    self.deletes = deletes
    self.reset = reset
  }
}

extension Element {
  /// `phx-update` decides how the children of an element are updated.
  package enum UpdateRule: Sendable { case replace, stream, ignore }

  package var updateRule: UpdateRule {
    switch self["phx-update"] ?? self["data-phx-update"] {
    case "stream": .stream
    case "ignore": .ignore
    default: .replace
    }
  }
}
