internal import MarkupDocument

extension Biography {
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
    /// The last ones, oldest first.
    private(set) var recent: [TextChange] = []
    var lastVersion: Int? { recent.last?.version }

    mutating func add(_ change: TextChange) {
      count += 1
      recent.keep(change)
    }
  }

  /// The changes of the list of an element's children.
  struct ChildrenChanges {
    enum Deed: String, CaseIterable {
      case add, remove, move
    }

    struct ChildChange: Hashable {
      var version: Int
      var node: NodeRef
      var name: NodeName
      var did: Deed
    }

    private(set) var added = 0
    private(set) var removed = 0
    /// Moves within the element, into it and out of it.
    private(set) var moved = 0
    /// The last ones, oldest first.
    private(set) var recent: [ChildChange] = []
    var count: Int { added + removed + moved }
    var lastVersion: Int? { recent.last?.version }

    mutating func add(_ change: ChildChange) {
      switch change.did {
      case .add: added += 1
      case .remove: removed += 1
      case .move: moved += 1
      }
      recent.keep(change)
    }
  }
}

extension Array {
  /// Appends an element, and drops the first one if there are more than ``Biography/recentChanges``.
  fileprivate mutating func keep(_ element: Element) {
    if count == Biography.recentChanges { removeFirst() }
    append(element)
  }
}
