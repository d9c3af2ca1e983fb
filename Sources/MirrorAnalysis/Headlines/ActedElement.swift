internal import LiveViewMirror
package import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// The element with which a user caused an update, and its words on the page.
///
/// LiveView's client sends the name of an event and its value, but not the element. The element is
/// the only one whose binding has this name (`phx-click="inc"`, or a list of commands that pushes
/// it), whose `phx-value-…` attributes equal the value, and whose `phx-target` is the component.
/// ``Headline`` names it, and the inspector frames it in the mirrored page.
package struct ActedElement {
  /// `nil` if several elements with the same words have the binding.
  package let node: NodeRef?
  let tag: String
  /// The name of the binding without `phx-`, such as `click`.
  let binding: String
  /// What a user reads on it: its text, otherwise a label; at most 60 characters. `nil` without
  /// words.
  let words: String?
  /// The first text of the list item or row around the element.
  let item: String?

  /// - Parameters:
  ///   - cause: the event.
  ///   - document: the document before or after the update.
  ///   - changes: the changes of the update if the document is the one after it. Texts are then
  ///     those before.
  /// - Returns: `nil` if no element has the binding, or elements with different words have it.
  /// - Complexity: O(*nodes*).
  init?(of cause: UpdateCause, in document: Document, after changes: [Change] = []) {
    let value = cause.value.flatMap { JSON(parsing: $0) }
    var texts: [NodeRef: String] = [:]
    for case .text(let node, _, let before, _) in changes { texts[node] = before }
    let words = ElementWords(document: document, texts: texts)
    var found: [ActedElement] = []
    var names: Set<String?> = []
    for place in document.tree.preorder() {
      guard case .element(let element) = document.tree[place],
        let binding = element.binding(of: cause, with: value)
      else { continue }
      found.append(
        ActedElement(
          node: document.ref(place), tag: element.tag, binding: binding, words: words.words(of: place, element),
          item: words.item(around: place)))
      names.insert(found.last?.words)
      if names.count > 1 { return nil }
    }
    guard let first = found.first else { return nil }
    self =
      found.count == 1
      ? first
      : ActedElement(node: nil, tag: first.tag, binding: first.binding, words: first.words, item: nil)
  }

  private init(node: NodeRef?, tag: String, binding: String, words: String?, item: String?) {
    (self.node, self.tag, self.binding, self.words, self.item) = (node, tag, binding, words, item)
  }
}

extension Element {
  /// The binding that sends an event with a value, without `phx-`; `nil` if the element has none.
  fileprivate func binding(of cause: UpdateCause, with value: JSON?) -> String? {
    guard let binding = attributes.first(where: { $0.name.hasPrefix("phx-") && $0.pushes(cause.event) }),
      Self.types[cause.type ?? "", default: []].contains(binding.name)
    else { return nil }
    if let target = self["phx-target"].flatMap({ Int($0) }), target != cause.target { return nil }
    for attribute in attributes where attribute.name.hasPrefix("phx-value-") {
      let sent = value?.members?[String(attribute.name.dropFirst("phx-value-".count))]?.text
      if sent != attribute.value { return nil }
    }
    return String(binding.name.dropFirst("phx-".count))
  }

  /// The attributes that send each type of event (`view.js`, LiveView 1.0 to 1.2).
  private static let types = [
    "click": ["phx-click", "phx-click-away"], "form": ["phx-change", "phx-submit"],
    "keydown": ["phx-keydown", "phx-window-keydown"], "keyup": ["phx-keyup", "phx-window-keyup"],
    "focus": ["phx-focus", "phx-window-focus"], "blur": ["phx-blur", "phx-window-blur"],
  ]
}

extension Element.Attribute {
  /// Whether the value is an event's name, or a list of commands (`Phoenix.LiveView.JS`) one of
  /// which pushes it.
  fileprivate func pushes(_ event: String) -> Bool {
    value == event || value.hasPrefix("[") && value.contains("\"event\":\(JSON.string(event).encoded)")
  }
}

/// The words of elements in a document.
private struct ElementWords {
  let document: Document
  /// Texts to use instead of the document's.
  let texts: [NodeRef: String]

  private static let longest = 60
  private static let labels = ["aria-label", "title", "alt", "placeholder", "value"]

  /// The text of an element, otherwise one of its labels; for a field, its label.
  func words(of place: NodeTree.Index, _ element: Element) -> String? {
    if element.tag == "form" { return submitButton(of: place).flatMap(text) }
    return text(of: place) ?? label(for: element) ?? Self.labels.lazy.compactMap { element[$0]?.words }.first
      ?? document.tree.preorder(from: place).lazy.compactMap { document.tree[$0].element?["alt"]?.words }.first
      ?? element["name"]
  }

  private func label(for element: Element) -> String? {
    guard let id = element.id else { return nil }
    return document.tree.preorder().first { document.tree[$0].element?["for"] == id }.flatMap(text)
  }

  private func submitButton(of form: NodeTree.Index) -> NodeTree.Index? {
    document.tree.preorder(from: form).first { place in
      guard let element = document.tree[place].element else { return false }
      return element.tag == "button" && element["type"] ?? "submit" == "submit"
    }
  }

  private func text(of place: NodeTree.Index) -> String? {
    var all = ""
    for place in document.tree.preorder(from: place) {
      guard case .text(let text) = document.tree[place] else { continue }
      all += (texts[document.ref(place)] ?? text) + " "
      if all.utf8.count > 8 * Self.longest { break }
    }
    return all.words
  }

  /// The first text with a letter in the list item or row around an element, outside of the element.
  func item(around place: NodeTree.Index) -> String? {
    let tags: Set = ["li", "tr", "article"]
    guard
      let item = document.tree.chain(from: place).dropFirst().first(where: { above in
        document.tree[above].element.map { tags.contains($0.tag) } ?? false
      })
    else { return nil }
    var next: NodeTree.Index? = item
    while let node = next {
      if case .text(let text) = document.tree[node], let words = (texts[document.ref(node)] ?? text).words,
        words.contains(where: \.isLetter), words.count > 1
      {
        return words
      }
      // The words of buttons do not name an item.
      let isControl = node == place || document.tree[node].element?.tag == "button"
      next = document.tree.successor(of: node, within: item, skippingChildren: isControl)
    }
    return nil
  }
}

extension String {
  /// The text without superfluous white space, at most 60 characters; `nil` for no other
  /// characters.
  var words: String? {
    let words = split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if words.isEmpty { return nil }
    return words.count > 60 ? words.prefix(60) + "…" : words
  }
}
