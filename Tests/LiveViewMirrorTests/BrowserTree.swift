import MarkupDocument

/// The properties on which a browser and the mirror must agree: elements, attributes as sets
/// without the client's bookkeeping (`data-phx-*`), and texts. Comments, and the content of nested
/// LiveViews, are ignored.
struct BrowserTree {
  struct Node {
    var tag: String?
    var text = ""
    var attributes: [String: String] = [:]
    var children: [Node] = []
    var isStream: Bool { attributes["phx-update"] == "stream" }
    var isIgnored: Bool { attributes["phx-update"] == "ignore" }
  }

  var children: [Node]

  /// The children of the LiveView's element, from its `outerHTML`.
  init(_ outerHTML: String) {
    let page = Page(parsing: Array(outerHTML.utf8), dialect: .html)
    let root = page.tree.children(of: NodeTree.root).first { page.tree[$0].element != nil }
    children = root.map { Self.nodes(under: $0, in: page.tree, isHeld: false) } ?? []
  }

  init(_ document: Document) { children = Self.nodes(under: NodeTree.root, in: document.tree, isHeld: true) }

  private static func nodes(under parent: NodeTree.Index, in tree: NodeTree, isHeld: Bool) -> [Node] {
    var nodes: [Node] = []
    for child in tree.children(of: parent) {
      switch tree[child] {
      case .text(let text):
        if nodes.last?.tag == nil, !nodes.isEmpty {
          nodes[nodes.count - 1].text += text
        } else {
          nodes.append(Node(text: text))
        }
      case .element(let element):
        var attributes: [String: String] = [:]
        for attribute in element.attributes where !attribute.name.hasPrefix("data-phx-") {
          attributes[attribute.name] = attribute.value
        }
        var below = Self.nodes(under: child, in: tree, isHeld: isHeld)
        if isHeld, ["pre", "textarea"].contains(element.tag), below.first?.text.first == "\n" {
          // `outerHTML` omits the first newline of a `pre` or `textarea`.
          below[0].text.removeFirst()
          if below[0].text.isEmpty { below.removeFirst() }
        }
        let isNestedView = element["data-phx-session"] != nil
        if isNestedView { attributes["class"] = nil }
        nodes.append(
          Node(
            tag: element.tag, attributes: attributes,
            children: isNestedView ? [] : below))
      case .comment, .processingInstruction, .root: continue
      }
    }
    return nodes
  }
}

/// Known differences: content of the browser's DOM that the mirror cannot know.
/// `Tests/Fixtures/wire` has the list.
struct Forgiven {
  /// In this recording, a hook sets an attribute.
  var attributes: Set<String> = []
  /// The client does not patch a field while it has the focus.
  var fields: Set<String> = []

  init(recording: String) {
    if recording.hasSuffix("11_ignore") { attributes = ["data-hook-mounted"] }
    if recording.hasSuffix("08_form") { fields = ["input", "textarea"] }
  }
}

extension BrowserTree {
  /// The first position at which two trees differ.
  func difference(from other: BrowserTree, forgiving forgiven: Forgiven) -> String? {
    Self.difference(children, other.children, at: "", inStream: false, forgiven)
  }

  private static func difference(
    _ browser: [Node], _ held: [Node], at path: String, inStream: Bool, _ forgiven: Forgiven
  ) -> String? {
    // A browser may place the white space between stream items elsewhere.
    let browser = inStream ? browser.filter { !$0.isBlank } : browser
    let held = inStream ? held.filter { !$0.isBlank } : held
    for (index, (a, b)) in zip(browser, held).enumerated() {
      let place = "\(path)/\(index):\(a.tag ?? "text")"
      if a.tag != b.tag { return "\(place): the browser has \(a.name), the mirror \(b.name)" }
      if a.text != b.text { return "\(place): the browser has \"\(a.text)\", the mirror \"\(b.text)\"" }
      if forgiven.fields.contains(a.tag ?? "") { continue }
      // A script may change an ignored element. Only its data attributes come from the server.
      let own = { (name: String) in !forgiven.attributes.contains(name) && (!a.isIgnored || name.hasPrefix("data-")) }
      let (left, right) = (a.attributes.filter { own($0.key) }, b.attributes.filter { own($0.key) })
      if left != right { return "\(place): the browser has \(left), the mirror \(right)" }
      if a.isIgnored { continue }
      if let difference = difference(a.children, b.children, at: place, inStream: a.isStream, forgiven) {
        return difference
      }
    }
    if browser.count != held.count {
      return "\(path): the browser has \(browser.map(\.name)), the mirror \(held.map(\.name))"
    }
    return nil
  }
}

extension BrowserTree.Node {
  var isBlank: Bool { tag == nil && text.allSatisfy(\.isWhitespace) }
  var name: String { tag.map { "<\($0)\(attributes["id"].map { "#\($0)" } ?? "")>" } ?? "\"\(text)\"" }
}
