internal import LiveViewMirror
package import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// The element with which a user caused an update, and its words on the page.
///
/// LiveView's client sends the name of an event and its value, but not the element. The element is
/// the only one whose binding has this name (`phx-click="inc"`, or a list of commands that pushes
/// it), whose `phx-value-…` attributes equal the value, and whose `phx-target` is the component. If
/// several elements match and all have the same words, the words are known, but not the element.
/// ``Headline`` names it, and the inspector frames it in the mirrored page.
package struct ActedElement {
  /// `nil` if several elements match, and for an act outside of the element: `phx-click-away` and
  /// the bindings of the window.
  package let node: NodeRef?
  let tag: String
  /// The name of the binding without `phx-`, such as `click`.
  let binding: String
  /// The beginning of what a user reads on it: its text, otherwise a label. `nil` without words.
  let words: String?
  /// The first text of the list item or row around the element; `nil` if several elements match.
  let item: String?

  /// - Parameters:
  ///   - cause: the event.
  ///   - document: the document before the update, or after it.
  ///   - changes: the changes of the update if the document is the one after it. The element is
  ///     then searched without the added nodes, and with the texts before the update. Removed nodes
  ///     and attributes are not restored.
  /// - Returns: `nil` if no element matches, or elements with different words do.
  /// - Complexity: O(*nodes*), and for each element that matches O(*nodes in it and around it*).
  init?(of cause: UpdateCause, in document: Document, undoing changes: [Change] = []) {
    guard let bindings = Element.bindingsByType[cause.type ?? ""] else { return nil }
    let value = cause.value.flatMap { JSON(parsing: $0) }
    var words = ElementWords(document, undoing: changes)
    var first: (place: NodeTree.Index, element: Element, binding: String, words: String?)?
    var count = 0
    for place in document.tree.preorder() {
      guard let element = words.contentBefore(of: place)?.element,
        let binding = element.binding(of: cause, among: bindings, with: value)
      else { continue }
      let name = words.words(of: place, element)
      if let known = first {
        if known.words != name { return nil }
      } else {
        first = (place, element, binding, name)
      }
      count += 1
    }
    guard var acted = first else { return nil }
    if count == 1, acted.element.tag == "form", acted.binding == "change", let name = Self.changedField(in: value),
      let field = words.field(named: name, in: acted.place)
    {
      (acted.place, acted.element) = (field.place, field.element)
      acted.words = words.words(of: field.place, field.element)
    }
    let isOutside = acted.binding == "click-away" || acted.binding.hasPrefix("window-")
    node = count == 1 && !isOutside ? document.ref(acted.place) : nil
    tag = acted.element.tag
    binding = acted.binding
    self.words = acted.words
    item = count == 1 ? words.item(around: acted.place) : nil
  }

  /// The encoded name of the changed field. LiveView's client adds it to the value of a form as the
  /// pair `_target=NAME`.
  private static func changedField(in value: JSON?) -> String? {
    let pair = value?.text?.split(separator: "&").last { $0.hasPrefix("_target=") }
    return pair.map { String($0.dropFirst("_target=".count)) }
  }
}

extension Element {
  /// The binding that sends an event with a value, without `phx-`; `nil` if the element has none.
  ///
  /// - Parameter bindings: the attributes that send events of this type.
  fileprivate func binding(of cause: UpdateCause, among bindings: [String], with value: JSON?) -> String? {
    guard let binding = attributes.first(where: { bindings.contains($0.name) && $0.pushes(cause.event) }) else {
      return nil
    }
    if let target = self["phx-target"].flatMap({ Int($0) }), target != cause.target { return nil }
    // The value of a form's event has only the fields, so it is not compared with `phx-value-…`.
    for attribute in attributes where attribute.name.hasPrefix("phx-value-") && cause.type != "form" {
      let sent = value?.members?[String(attribute.name.dropFirst("phx-value-".count))]?.text
      if sent != attribute.value { return nil }
    }
    return String(binding.name.dropFirst("phx-".count))
  }

  /// The attributes that send each type of event (`view.js`, LiveView 1.0 to 1.2).
  fileprivate static let bindingsByType = [
    "click": ["phx-click", "phx-click-away"], "form": ["phx-change", "phx-submit"],
    "keydown": ["phx-keydown", "phx-window-keydown"], "keyup": ["phx-keyup", "phx-window-keyup"],
    "focus": ["phx-focus", "phx-window-focus"], "blur": ["phx-blur", "phx-window-blur"],
  ]

  /// Whether the content or the value of the element is what a user enters or selects.
  fileprivate var isField: Bool {
    tag == "textarea" || tag == "select"
      || tag == "input" && !["submit", "button", "reset", "image"].contains(self["type"] ?? "")
  }

  fileprivate var submitsForm: Bool {
    switch tag {
    case "button": self["type"] ?? "submit" == "submit"
    case "input": ["submit", "image"].contains(self["type"] ?? "")
    default: false
    }
  }
}

extension Element.Attribute {
  /// Whether the value is an event's name, or a list of commands (`Phoenix.LiveView.JS`) one of
  /// which pushes it.
  fileprivate func pushes(_ event: String) -> Bool {
    value == event || value.hasPrefix("[") && value.contains("\"event\":\(JSON.string(event).encoded)")
  }
}

/// The words of elements in a document, as they were before some changes.
private struct ElementWords {
  private let document: Document
  /// The texts before the changes.
  private var texts: [NodeRef: String] = [:]
  private var added: Set<NodeRef> = []
  /// The first label for each `id`.
  private lazy var labels: [String: NodeTree.Index] = self.labelsByID()

  private static let attributes = ["aria-label", "placeholder", "title", "alt"]

  init(_ document: Document, undoing changes: [Change]) {
    self.document = document
    for change in changes {
      switch change {
      case .text(let node, _, let before, _): texts[node] = before
      case .add(let subtree, _): for node in subtree.nodes { added.insert(node.ref) }
      case .attributes, .remove, .move: break
      }
    }
  }

  /// The content of a node with its text before the changes; `nil` for an added node.
  func contentBefore(of place: NodeTree.Index) -> NodeContent? {
    let node = document.ref(place)
    if added.contains(node) { return nil }
    let content = document.tree[place]
    if case .text = content, let before = texts[node] { return .text(before) }
    return content
  }

  /// The text of an element, otherwise its label, otherwise an attribute such as `placeholder`, the
  /// `alt` of an image in it, or its name. The text of a field is what a user enters, so it does
  /// not count. A form has the words of the button that submits it.
  mutating func words(of place: NodeTree.Index, _ element: Element) -> String? {
    if element.tag == "form" { return submitButton(of: place) }
    var read: String?
    if !element.isField { read = element.tag == "input" ? element["value"]?.words : text(of: place) }
    if let words = read ?? label(of: place, element) { return words }
    // Phoenix names the field of a changeset `user[email]`.
    let name = element["name"]?.split { $0 == "[" || $0 == "]" }.last.flatMap { String($0).words }
    return Self.attributes.lazy.compactMap { element[$0]?.words }.first ?? image(in: place) ?? name
  }

  /// The field of a form with a name, which may be encoded; `nil` if several fields have it, such
  /// as radio buttons.
  func field(named name: String, in form: NodeTree.Index) -> (place: NodeTree.Index, element: Element)? {
    var found: (place: NodeTree.Index, element: Element)?
    for place in document.tree.preorder(from: form) {
      guard let element = contentBefore(of: place)?.element, element.isField, element["type"] != "hidden",
        let own = element["name"], own == name || FormEncoding.encoded(own) == name
      else { continue }
      if found != nil { return nil }
      found = (place, element)
    }
    return found
  }

  private mutating func submitButton(of form: NodeTree.Index) -> String? {
    for place in document.tree.preorder(from: form) {
      guard let element = contentBefore(of: place)?.element, element.submitsForm else { continue }
      return words(of: place, element)
    }
    return nil
  }

  /// The text of the `label` for an element, or around it.
  private mutating func label(of place: NodeTree.Index, _ element: Element) -> String? {
    if let id = element.id, let label = labels[id] { return text(of: label) }
    return labelAround(place).flatMap { text(of: $0) }
  }

  private func labelAround(_ place: NodeTree.Index) -> NodeTree.Index? {
    document.tree.chain(from: place).dropFirst().first { document.tree[$0].element?.tag == "label" }
  }

  private func labelsByID() -> [String: NodeTree.Index] {
    var labels: [String: NodeTree.Index] = [:]
    for place in document.tree.preorder() {
      guard let element = contentBefore(of: place)?.element, element.tag == "label", let id = element["for"],
        labels[id] == nil
      else { continue }
      labels[id] = place
    }
    return labels
  }

  private func image(in place: NodeTree.Index) -> String? {
    document.tree.preorder(from: place).lazy.compactMap { contentBefore(of: $0)?.element?["alt"]?.words }.first
  }

  /// The text in a node, without the content of fields.
  private func text(of top: NodeTree.Index) -> String? {
    var all = ""
    var next: NodeTree.Index? = top
    // Twice the bytes that the longest words can have, to allow for superfluous white space.
    while let place = next, all.utf8.count <= 8 * String.longestWords {
      let content = contentBefore(of: place)
      if case .text(let text)? = content { all += text + " " }
      next = document.tree.successor(of: place, within: top, skippingChildren: content?.element?.isField ?? false)
    }
    return all.words
  }

  /// The first text with a letter in the list item or row around an element, outside of the
  /// element.
  func item(around place: NodeTree.Index) -> String? {
    let tags: Set = ["li", "tr", "article"]
    guard
      let item = document.tree.chain(from: place).dropFirst().first(where: { above in
        document.tree[above].element.map { tags.contains($0.tag) } ?? false
      })
    else { return nil }
    var next: NodeTree.Index? = item
    while let node = next {
      let content = contentBefore(of: node)
      if case .text(let text)? = content, let words = text.words, words.contains(where: \.isLetter), words.count > 1 {
        return words
      }
      // The words of buttons do not name an item.
      let isControl = node == place || content?.element?.tag == "button"
      next = document.tree.successor(of: node, within: item, skippingChildren: isControl)
    }
    return nil
  }
}

extension String {
  /// The maximum number of characters (Unicode scalars) of ``words``, without the `…` of a longer
  /// text.
  static var longestWords: Int { 60 }

  /// The beginning of the text without superfluous white space; `nil` if it has only white space.
  var words: String? {
    let words = split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if words.isEmpty { return nil }
    // Counts Unicode scalars, because a `Character` can have any number of combining marks.
    let beginning = words.unicodeScalars.prefix(Self.longestWords)
    return beginning.endIndex < words.endIndex ? String(beginning) + "…" : words
  }
}
