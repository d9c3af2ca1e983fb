internal import LiveViewMirror
internal import MarkupDocument

/// One LiveView of a page, with the state of a `View` of LiveView's client. ``PageSession`` keeps
/// the views of its page.
struct MountedView {
  /// The flash in the payload of a join.
  enum Flash: Hashable {
    /// The client was given no flash, as at the first load of a page: the server has put the flash
    /// into the session. A browser then omits the member, and LiveView Native's client sends
    /// `null`.
    case absent
    /// The page has no flash. The clients of LiveView 1.0 and 1.1 send `null`, and that of 1.2
    /// omits the member.
    case none
    case token(String)
  }

  /// The number of the view in its page. A navigation makes a new view, with a new number and the
  /// same element id.
  let key: Int
  let element: ViewElement
  /// The view whose document contains this view's element; `nil` for a root.
  let parent: Int?
  let channel: Int
  /// The view's document. Rejoins keep it, as the client keeps the element.
  let document: LiveViewCoordinator
  /// `data-phx-static` as the join sends it.
  var staticToken: String?
  /// The address that the join sends, as `url` or `redirect`.
  var address: String?
  /// Whether the view is joined by live navigation.
  var isNavigation = false
  /// The address of the page before the navigation.
  var referer: String?
  var flash = Flash.absent
  /// The number of successful joins. For a nested view, counting begins at its parent's number
  /// minus one, as in LiveView's client.
  var joins: Int
  /// The number of joins that were pushed since the last successful one.
  var attempts = 0
  var isJoinPending = true
  /// The ids of components, by their root elements in ``document``.
  var components: [NodeRef: Int] = [:]

  var id: String { element.id }
  var topic: String { "lv:\(element.id)" }

  init(
    key: Int, element: ViewElement, parent: Int?, channel: Int, joins: Int = 0, staticToken: String?
  ) {
    (self.key, self.element, self.parent, self.channel) = (key, element, parent, channel)
    (self.joins, self.staticToken) = (joins, staticToken)
    document = LiveViewCoordinator(
      id: "lv:\(element.id)", limits: MirrorLimits(versions: 1))
  }
}

// MARK: - Components

extension MountedView {
  /// Updates ``components`` after an update has added and removed nodes.
  ///
  /// - Returns: the components that the document no longer has. If a removed element and elements
  ///   inside it are roots of components, a browser lists the inner components first, and LiveView
  ///   Native's client the outer one (`parentsFirst`).
  /// - Complexity: O(*changed nodes*).
  mutating func noteComponents(_ record: ChangeRecord, parentsFirst: Bool) -> [Int] {
    var removed: [Int] = []
    var added: [NodeRef] = []
    if record.version == 0 { components = [:] }
    for change in record.changeSet.changes {
      switch change {
      case .remove(let nodes, _, _):
        let tail = parentsFirst ? nodes[...] : nodes.dropFirst() + nodes.prefix(1)
        for node in tail {
          if let cid = components.removeValue(forKey: node), !removed.contains(cid) { removed.append(cid) }
        }
      case .add(let subtree, _):
        for node in subtree.nodes where node.content.element != nil { added.append(node.ref) }
      case .text, .attributes, .move: break
      }
    }
    guard !added.isEmpty || !removed.isEmpty else { return [] }
    return document.reading { document in
      for node in added { if let cid = document.component(of: node) { components[node] = cid } }
      return removed.filter { document.rootNode(ofComponent: $0) == nil }
    } ?? []
  }

  /// The components of a list that are not in the document.
  func missing(_ components: [Int]) -> [Int] {
    document.reading { document in components.filter { document.rootNode(ofComponent: $0) == nil } } ?? []
  }
}

// MARK: - Nested views

extension ChangeRecord {
  /// The elements of LiveViews that the update has added, in document order.
  var addedViews: [ViewElement] {
    changeSet.changes.flatMap { change -> [ViewElement] in
      guard case .add(let subtree, _) = change else { return [] }
      return subtree.nodes.compactMap { $0.content.element.flatMap(ViewElement.init) }
    }
  }

  /// Whether the update removes nodes. A mount (version 0) replaces all nodes.
  var removesNodes: Bool {
    version == 0
      || changeSet.changes.contains { if case .remove = $0 { true } else { false } }
  }
}
