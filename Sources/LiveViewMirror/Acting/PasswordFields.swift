internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// The password fields that a page has had in this epoch, and the bindings that get the keys typed
/// into them. The values of password fields must not be stored.
///
/// Each commit adds the fields of its change set, before an event can reach them. Events, entered
/// values and the causes in exports are stored without the values of these fields. The snapshot of
/// a view has the names and bindings of the fields: if a restart lost a field, later passwords of
/// this field would be stored.
///
/// A field is kept when it leaves the page or becomes a text field, as with a button "show
/// password".
struct PasswordFields: Projection {
  static let name = "password-fields"

  /// The names of the fields in forms.
  private(set) var names: Set<String> = []
  /// The bindings of the fields, such as `phx-keyup`.
  private var bindings = EventBindings()
  /// The bindings `phx-window-keydown` and `phx-window-keyup` of all elements. They get the keys
  /// that are typed into any field of the page.
  private(set) var windowKeys = EventBindings()
  /// Whether the page has had no password field.
  private(set) var isEmpty = true

  init() {}

  /// Whether there were more fields than are kept. Then the values of all events are secret.
  var isOverfull: Bool { names.count > EventBindings.limit || bindings.isOverfull }

  private static let windowAttributes = ["phx-window-keydown", "phx-window-keyup"]

  /// Notes the password fields among the nodes that a change set added or changed.
  ///
  /// - Complexity: O(*changes* + *added nodes*).
  mutating func add(
    _ update: PreparedUpdate, making version: Int, of rendered: Rendered, _ document: Document,
    noting notes: inout UpdateNotes
  ) {
    for change in update.changeSet.changes {
      switch change {
      case .add(let subtree, _):
        for node in subtree.nodes {
          if case .element(let element) = node.content { note(element) }
        }
      case .attributes(let node, let tag, let attributes):
        guard tag == "input" || attributes.contains(where: { Self.windowAttributes.contains($0.name) }) else { break }
        if let element = document.content(of: node)?.element { note(element) }
      case .text, .remove, .move: break
      }
    }
  }

  private mutating func note(_ element: Element) {
    for name in Self.windowAttributes { if let value = element[name] { windowKeys.insert(value) } }
    guard element.tag == "input", element["type"]?.lowercased() == "password" else { return }
    isEmpty = false
    if isOverfull { return }
    if let name = element["name"], !name.isEmpty { names.insert(name) }
    for attribute in element.attributes
    where attribute.name.hasPrefix("phx-") && !attribute.name.hasPrefix("phx-value-") {
      bindings.insert(attribute.value)
    }
  }

  /// Whether the whole value of an event may come from a password field.
  func maySend(_ event: ClientEvent) -> Bool {
    if isOverfull { return true }
    // The value of a form's event names its fields, so only the secret ones are filtered.
    return event.type != "form" && bindings.mayName(event.name)
  }
}

/// The events that bindings may send: a binding is the name of an event, or commands as JSON
/// (``BrowserCommand``). No event is missed: a binding that cannot be read or kept counts as one
/// that may send any event.
struct EventBindings: Sendable {
  private var names: Set<String> = []
  /// Whether there were more events or longer bindings than are kept. Then any event may be that of
  /// a binding.
  private(set) var isOverfull = false

  static let limit = 1_000
  private static let longestBinding = 64 << 10

  init() {}

  /// - Complexity: O(*bytes*).
  mutating func insert(_ binding: String) {
    if binding.isEmpty || isOverfull { return }
    if binding.utf8.count > Self.longestBinding {
      isOverfull = true
    } else if binding.hasPrefix("[") {
      if let commands = JSON(parsing: binding) { insert(eventsOf: commands) } else { isOverfull = true }
    } else {
      insert(name: binding)
    }
  }

  /// Inserts the events of commands such as `["push",{"event":"save"}]`, also of commands inside of
  /// others.
  private mutating func insert(eventsOf value: JSON) {
    for element in value.elements ?? [] { insert(eventsOf: element) }
    for member in value.members?.all ?? [] {
      if member.name == "event", let name = member.value.text { insert(name: name) }
      insert(eventsOf: member.value)
    }
  }

  private mutating func insert(name: String) {
    names.insert(name)
    isOverfull = isOverfull || names.count > Self.limit
  }

  /// Whether a binding may send an event with this name.
  ///
  /// - Complexity: O(*bytes of the name*).
  func mayName(_ event: String) -> Bool { isOverfull || names.contains(event) }
}

extension ClientEvent {
  /// The event without secrets.
  func filtered(by filter: ParameterFilter, hiding passwords: PasswordFields?) -> ClientEvent {
    guard let value else { return self }
    var (event, filter) = (self, filter)
    if let passwords { filter.fields = passwords.names }
    event.value = filter.json(value, isWhole: passwords?.maySend(self) ?? false)
    return event
  }
}

// MARK: - Snapshot

extension PasswordFields {
  func write(to writer: inout SnapshotWriter, _ statics: inout StaticsWriter) {
    writer.write(isEmpty)
    writer.write(all: names.sortedByBytes()) { $1.write($0) }
    bindings.write(to: &writer)
    windowKeys.write(to: &writer)
  }

  init(from reader: inout SnapshotReader, _ statics: inout StaticsReader) throws(SnapshotError) {
    isEmpty = try reader.flag()
    names = Set(try reader.all { reader throws(SnapshotError) in try reader.string() })
    bindings = try EventBindings(from: &reader)
    windowKeys = try EventBindings(from: &reader)
  }
}

extension EventBindings {
  /// Writes one empty name if ``isOverfull``, and otherwise the names.
  fileprivate func write(to writer: inout SnapshotWriter) {
    writer.write(all: isOverfull ? [""] : names.sortedByBytes()) { $1.write($0) }
  }

  /// Each text is read as a binding: the first versions that wrote this format stored whole
  /// bindings, not the names in them.
  fileprivate init(from reader: inout SnapshotReader) throws(SnapshotError) {
    for name in try reader.all({ reader throws(SnapshotError) in try reader.string() }) {
      if name.isEmpty { isOverfull = true } else { insert(name) }
    }
  }
}
