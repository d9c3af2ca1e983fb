internal import LiveViewMirror
internal import MarkupDocument

/// The changes of one node, version by version, as far back as the log reaches. Removed nodes have
/// a history, too. `GET /views/{view}/nodes/{node}` and the tab *Node* of ``ViewPage`` use it.
///
/// An element also has the changes of its children, as counts and the most recent values.
struct NodeHistory {
  struct Event {
    var record: ChangeRecord
    /// The position of the change in the record's change set.
    var position: Int
    var change: Change
  }

  /// Oldest first: the addition of the node, then its changes, moves and its removal.
  private(set) var events: [Event] = []
  /// The number of versions that did not change the node itself, but notified its subscribers
  /// because its children changed.
  private(set) var notifiedOnly = 0
  /// The node when it was added.
  private(set) var origin: NodeContent?
  /// The changes of the texts and comments among the node's children.
  private(set) var texts = TextChanges()
  /// The child elements and texts that were added, removed or moved. Children that were added
  /// together with the node are not included.
  private(set) var children = ChildrenChanges()

  /// - Complexity: O(*changes in the log* + *nodes added and removed in it*).
  init(of node: NodeRef, in log: ChangeLog) {
    for record in log.records {
      let (before, changes) = (events.count, record.changeSet.changes)
      // By index: a copy of a change would retain all strings in it.
      for position in changes.indices {
        if changes[position].concerns(node) {
          let change = changes[position]
          events.append(Event(record: record, position: position, change: change))
          if case .add(let subtree, _) = change { origin = subtree.nodes.first { $0.ref == node }?.content ?? origin }
        }
        if changes[position].isOfChild(of: node) { add(changes[position], in: record) }
      }
      if events.count == before, record.notified.contains(node) { notifiedOnly += 1 }
    }
  }

  private mutating func add(_ change: Change, in record: ChangeRecord) {
    switch change {
    case .text(let node, _, let before, let after):
      // White space around the nodes of a list changes often, and is seldom of interest.
      if NodeContent.text(before).isSeldomOfInterest, NodeContent.text(after).isSeldomOfInterest { return }
      texts.add(.init(version: record.version, node: node, before: before, after: after))
    case .add(let subtree, _) where subtree.displayName.isElementOrText:
      children.add(.init(version: record.version, node: subtree.root, name: subtree.displayName, did: .add))
    case .remove(let nodes, _, let name) where name.isElementOrText:
      children.add(.init(version: record.version, node: nodes[0], name: name, did: .remove))
    case .move(let node, let name, _, _) where name.isElementOrText:
      children.add(.init(version: record.version, node: node, name: name, did: .move))
    case .attributes, .add, .remove, .move: break
    }
  }

  var madeAt: Int? {
    events.first.flatMap { if case .add = $0.change { $0.record.version } else { nil } }
  }

  var removedAt: Int? {
    events.last.flatMap { if case .remove = $0.change { $0.record.version } else { nil } }
  }
}

extension NodeHistory {
  /// The number of recent changes that are kept with their values.
  static let recentChanges = 10

  /// The changes of the texts and comments of an element.
  struct TextChanges {
    struct TextChange: Hashable {
      var version: Int
      /// The text or comment.
      var node: NodeRef
      var before: String
      var after: String
    }

    private(set) var count = 0
    /// The most recent changes, oldest first.
    private(set) var recent: [TextChange] = []
    var lastVersion: Int? { recent.last?.version }

    mutating func add(_ change: TextChange) {
      count += 1
      recent.keep(change)
    }
  }

  /// The changes of the list of an element's children.
  struct ChildrenChanges {
    struct ChildChange: Hashable {
      var version: Int
      var node: NodeRef
      var name: DisplayName
      /// Added, removed or moved.
      var did: ChangeOp
    }

    private var counts: [ChangeOp: Int] = [:]
    /// The most recent changes, oldest first.
    private(set) var recent: [ChildChange] = []
    var added: Int { counts[.add] ?? 0 }
    var removed: Int { counts[.remove] ?? 0 }
    /// Moves within the element, into it and out of it.
    var moved: Int { counts[.move] ?? 0 }
    var count: Int { added + removed + moved }
    var lastVersion: Int? { recent.last?.version }

    mutating func add(_ change: ChildChange) {
      counts[change.did, default: 0] += 1
      recent.keep(change)
    }
  }
}

extension Array {
  /// Appends an element, and drops the first one if there are more than
  /// ``NodeHistory/recentChanges``.
  fileprivate mutating func keep(_ element: Element) {
    if count == NodeHistory.recentChanges { removeFirst() }
    append(element)
  }
}

extension DisplayName {
  fileprivate var isElementOrText: Bool {
    switch self {
    case .element, .text: true
    case .blank, .comment, .processingInstruction: false
    }
  }
}

extension Change {
  /// Whether the change adds, removes or moves a child of the node, or changes a child that is a
  /// text or a comment.
  fileprivate func isOfChild(of node: NodeRef) -> Bool {
    switch self {
    case .text(_, let parent, _, _): parent == node
    case .attributes: false
    case .add(_, let position), .remove(_, let position, _): position.parent == node
    case .move(_, _, let from, let to): from.parent == node || to.parent == node
    }
  }
}
