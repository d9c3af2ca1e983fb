internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport

/// A text to search for, without regard to the case of ASCII letters. ``LogFilter`` searches the
/// log for it, and ``TreeSearch`` the tree.
struct FoldedText: Hashable {
  /// In lower case.
  let text: String
  /// The bytes to search for: of the text itself, of its lower case, and of its upper case, each
  /// with ASCII letters in lower case. The three differ only if the text has letters beyond ASCII.
  private let variants: Set<[UInt8]>

  init(_ text: String) {
    self.text = text.lowercased()
    variants = Set([text, self.text, text.uppercased()].map { $0.utf8.map(\.lowercasedASCII) })
  }

  /// Whether another text contains this one. Nothing is allocated.
  ///
  /// - Complexity: O(*bytes of both*) for usual texts.
  func isPart(of other: String?) -> Bool {
    guard var other else { return false }
    return other.withUTF8 { other in variants.contains { Self.isPart($0, of: other) } }
  }

  private static func isPart(_ bytes: [UInt8], of other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = bytes.first, other.count >= bytes.count else { return bytes.isEmpty }
    var start = 0
    let last = other.count - bytes.count
    while start <= last {
      if other[start].lowercasedASCII == first {
        var length = 1
        while length < bytes.count, other[start + length].lowercasedASCII == bytes[length] { length += 1 }
        if length == bytes.count { return true }
      }
      start += 1
    }
    return false
  }
}

extension FoldedText {
  /// Whether a text, or the id of an element, contains this one.
  func isFound(in content: NodeContent) -> Bool {
    switch content {
    case .element(let element): isPart(of: element.id)
    case .text(let text): isPart(of: text)
    case .root, .comment, .processingInstruction: false
    }
  }

  /// The versions that removed a node with this text, alone or with an ancestor.
  ///
  /// - Complexity: that of ``follow(in:_:)``.
  func removals(in view: ViewState) -> Set<Int> {
    var versions: Set<Int> = []
    follow(in: view) { version, _, isRemoved in if isRemoved { versions.insert(version) } }
    return versions
  }

  /// The last kept version before `limit` that has a node with this text.
  ///
  /// - Complexity: that of ``follow(in:_:)``.
  func lastVersion(in view: ViewState, before limit: Int) -> Int? {
    var last: Int?
    follow(in: view) { version, found, _ in if version < limit, !found.isEmpty { last = version } }
    return last
  }

  /// Calls `visit` for each kept version, with the nodes that have this text at that version, and
  /// whether the version removed a node with this text. A removal does not record the content of
  /// the removed nodes, so this function notes the nodes with this text from their addition on.
  ///
  /// - Complexity: O(*bytes of the changes in the log*), plus O(*bytes of the first document*) if
  ///   the log does not begin with the mount.
  private func follow(in view: ViewState, _ visit: (_ version: Int, _ found: Set<NodeRef>, _ isRemoved: Bool) -> Void) {
    var found: Set<NodeRef> = []
    if view.firstVersion > 0, let document = view.document(at: view.firstVersion) {
      found = Set(document.nodes(from: document.root).filter { document.content(of: $0).map(isFound) ?? false })
      visit(view.firstVersion, found, false)
    }
    for record in view.log.records {
      var isRemoved = false
      for change in record.changeSet.changes {
        switch change {
        case .add(let subtree, _): found.formUnion(subtree.nodes.lazy.filter { isFound(in: $0.content) }.map(\.ref))
        case .text(let node, _, _, let after):
          if isPart(of: after) { found.insert(node) } else { found.remove(node) }
        case .attributes(let node, _, let changes):
          guard let change = changes.first(where: { $0.name == "id" }) else { continue }
          if isPart(of: change.after) { found.insert(node) } else { found.remove(node) }
        case .remove(let nodes, _, _): for node in nodes where found.remove(node) != nil { isRemoved = true }
        case .move: continue
        }
      }
      visit(record.version, found, isRemoved)
    }
  }
}

/// An element as the page writes it: `li#t6`, `<li#t6>` or `#t6`.
struct ElementName {
  private let tag: Substring
  let id: Substring

  /// - Returns: `nil` for a text without an id.
  init?(_ text: String) {
    let text = text.hasPrefix("<") && text.hasSuffix(">") ? text.dropFirst().dropLast() : text[...]
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty else { return nil }
    (tag, id) = (parts[0], parts[1])
  }

  func matches(_ name: DisplayName?) -> Bool {
    guard case .element(let tag, let id?) = name else { return false }
    return id == self.id && (self.tag.isEmpty || tag == self.tag)
  }

  /// The name as a CSS selector.
  var selector: String { "\(tag)#\(id)" }
}
