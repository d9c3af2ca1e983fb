/// The content of a slot of a random page, as its server knows it.
enum PageValue: Sendable {
  case text(String)
  case component(Int)
  indirect case fragment(PageFragment)
  indirect case list(PageList)
  indirect case stream(PageStream)
}

struct PageFragment: Sendable {
  var template: Int
  var values: [PageValue]
}

struct PageList: Sendable {
  struct Entry: Sendable {
    var key: Int
    var values: [PageValue]
  }

  var template: Int
  var entries: [Entry]
  /// Whether the list ever had entries. Until then, it is sent as an empty string.
  var wasSent: Bool
}

/// A stream as the server knows it: the ids that it has sent, and what it sends next.
struct PageStream: Sendable {
  struct Insert: Sendable {
    var id: String
    var at: Int
    var limit: Int?
    var updateOnly: Bool
    var values: [PageValue]
  }

  var ref: String
  var template: Int
  /// The items with their components.
  var items: [(id: String, components: [Int])] = []
  var inserts: [Insert] = []
  var deletes: [String] = []
  var isReset = false

  /// Whether the stream has nothing to send.
  var isIdle: Bool { inserts.isEmpty && deletes.isEmpty && !isReset }

  /// Clears the insertions, deletions and resets, after they were sent.
  mutating func settle() {
    inserts = []
    deletes = []
    isReset = false
  }
}

extension [PageValue] {
  /// The components in these values, without nested ones.
  var components: [Int] {
    flatMap { value -> [Int] in
      switch value {
      case .text: []
      case .component(let cid): [cid]
      case .fragment(let fragment): fragment.values.components
      case .list(let list): list.entries.flatMap(\.values.components)
      case .stream(let stream): stream.items.flatMap(\.components)
      }
    }
  }

  /// Clears the insertions, deletions and resets of all streams, after they were sent.
  mutating func settle() {
    for index in indices {
      switch self[index] {
      case .text, .component: continue
      case .fragment(var fragment):
        fragment.values.settle()
        self[index] = .fragment(fragment)
      case .list(var list):
        for entry in list.entries.indices { list.entries[entry].values.settle() }
        self[index] = .list(list)
      case .stream(var stream):
        stream.settle()
        self[index] = .stream(stream)
      }
    }
  }
}

// MARK: - Comparing

extension PageList {
  func isSame(as other: PageList) -> Bool {
    entries.count == other.entries.count
      && zip(entries, other.entries).allSatisfy { $0.key == $1.key && $0.values.areSame(as: $1.values) }
  }
}

extension [PageValue] {
  fileprivate func areSame(as other: [PageValue]) -> Bool {
    zip(self, other).allSatisfy { a, b in
      switch (a, b) {
      case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
      case (.component(let a), .component(let b)): a == b
      case (.fragment(let a), .fragment(let b)): a.template == b.template && a.values.areSame(as: b.values)
      case (.list(let a), .list(let b)): a.wasSent == b.wasSent && a.isSame(as: b)
      case (.stream(let a), .stream(let b)): a.ref == b.ref && b.isIdle
      default: false
      }
    }
  }
}
