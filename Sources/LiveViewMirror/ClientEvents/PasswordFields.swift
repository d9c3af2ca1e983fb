internal import MarkupDocument
internal import RenderedTree

/// The password fields that a page has had in this epoch. What a person types there must not be stored.
///
/// A field is kept when it leaves the page or becomes a text field, as with a button "show password".
struct PasswordFields: Sendable {
  /// The names of the fields in forms.
  private(set) var names: Set<String> = []
  /// The values of the fields' bindings, such as `phx-keyup`: the name of an event, or JavaScript commands as JSON.
  private var bindings: Set<String> = []
  /// Whether there were more fields than are kept. Then the values of all events are secret.
  private(set) var isOverfull = false

  private static let limit = 1_000

  /// Notes the password fields among the nodes that a change set added or changed.
  ///
  /// - Complexity: O(*changes* + *added nodes*).
  mutating func note(_ changes: ChangeSet, in document: Document) {
    for change in changes.changes {
      switch change {
      case .add(let subtree, _):
        for node in subtree.nodes {
          if case .element(let element) = node.content { note(element) }
        }
      case .attributes(let node, "input", _):
        if let element = document.content(of: node)?.element { note(element) }
      case .attributes, .text, .remove, .move: break
      }
    }
  }

  private mutating func note(_ element: Element) {
    guard element.tag == "input", element["type"]?.lowercased() == "password" else { return }
    guard names.count + bindings.count < Self.limit else {
      isOverfull = true
      return
    }
    if let name = element["name"], !name.isEmpty { names.insert(name) }
    for attribute in element.attributes
    where attribute.name.hasPrefix("phx-") && !attribute.name.hasPrefix("phx-value-") && !attribute.value.isEmpty {
      bindings.insert(attribute.value)
    }
  }

  /// Whether the whole value of an event may come from a password field.
  func send(_ event: ClientEvent) -> Bool {
    if isOverfull { return true }
    // The value of a form's event names its fields, so only the secret ones are filtered.
    if event.type == "form" || bindings.isEmpty { return false }
    return bindings.contains(event.name) || bindings.contains { $0.contains("\"\(event.name)\"") }
  }
}

extension ClientEvent {
  /// The event without secrets.
  func filtered(by filter: ParameterFilter, hiding passwords: PasswordFields?) -> ClientEvent {
    guard let value else { return self }
    var (event, filter) = (self, filter)
    if let passwords { filter.fields = passwords.names }
    event.value = filter.json(value, isWhole: passwords?.send(self) ?? false)
    return event
  }
}
