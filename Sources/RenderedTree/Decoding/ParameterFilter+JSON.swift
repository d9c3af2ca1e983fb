internal import MirrorSupport

/// Filters values in JSON. Client events and updates are filtered before the log stores them.
extension ParameterFilter {
  /// Filters a JSON value: members of objects at any depth, pairs of a name and a value, and
  /// strings that contain parameters or JSON.
  ///
  /// - Parameter isWhole: whether the whole value is secret, such as that of a key press in a
  ///   password field.
  /// - Returns: compact JSON; `nil` if the text is not JSON.
  /// - Complexity: O(*bytes* · *names*).
  package func json(_ value: JSONText, isWhole: Bool = false) -> JSONText? {
    written(value) { $0.write(WireDecoder.Reader.top, isSecret: isWhole, to: &$1) }?.text
  }

  /// Filters an update: its title, events, reply and unknown keys. The tree stays as it is, because
  /// it is the page.
  ///
  /// - Returns: compact JSON; `nil` if nothing is secret, or if the text is not JSON.
  /// - Complexity: O(*bytes* · *names*).
  package func update(_ update: JSONText) -> JSONText? {
    let written = written(update) { filtering, json in
      let top = WireDecoder.Reader.top
      if filtering.tape.kind(top) == .object {
        filtering.write(tree: top, to: &json)
      } else {
        filtering.write(top, isSecret: false, to: &json)
      }
    }
    return written.flatMap { $0.hasSecrets ? $0.text : nil }
  }

  /// Filters a text: the members of a text that is JSON, otherwise the parameters of a form or an
  /// address.
  func string(_ text: String, depth: Int = 0) -> String {
    guard depth < Self.mostNested, let first = text.utf8.first, "{[".utf8.contains(first),
      let written = written(
        JSONText(text), depth: depth + 1, { $0.write(WireDecoder.Reader.top, isSecret: false, to: &$1) })
    else { return self.text(text, depth: depth) }
    return written.hasSecrets ? written.text.text : text
  }

  private func written(
    _ value: JSONText, depth: Int = 0, _ write: (inout Filtering, inout JSONWriter) -> Void
  ) -> (text: JSONText, hasSecrets: Bool)? {
    let decoder = WireDecoder()
    return Array(value.text.utf8).withUnsafeBufferPointer { bytes in
      guard let tape = try? decoder.parse(bytes) else { return nil }
      var filtering = Filtering(filter: self, tape: tape, depth: depth)
      var json = JSONWriter()
      write(&filtering, &json)
      return (JSONText(json.text), filtering.hasSecrets)
    }
  }

  /// The writing of one JSON text without its secrets.
  private struct Filtering {
    let filter: ParameterFilter
    let tape: WireDecoder.Tape
    /// The number of strings in which the text is nested.
    let depth: Int
    /// Whether a value was replaced.
    var hasSecrets = false

    /// The names, in lower case, of members that contain the name of a field. Another member of the
    /// same object contains the field's value.
    private static let namesOfNames: Set = ["name", "key", "field", "id"]

    mutating func write(_ value: Int, isSecret: Bool, to json: inout JSONWriter) {
      switch tape.kind(value) {
      case .object:
        let members = tape.members(value)
        // A list of fields, as forms in scripts often have it: {"name": "password", "value": "…"}.
        let isField = members.contains(where: namesSecret)
        json.object { json in
          for member in members {
            json.member(named: member.name) { json in
              let isSecret = isSecret || filter.isSecret(member.name) || isField && !namesSecret(member)
              write(member.value, isSecret: isSecret, to: &json)
            }
          }
        }
      case .array:
        // A pair of a name and a value, such as an event with its payload or a parameter:
        // ["password", "…"].
        let isPair = tape.count(value) == 2 && isSecretName(value + 1)
        json.array(tape.elements(value)) { json, element in
          write(element, isSecret: isSecret || isPair && element != value + 1, to: &json)
        }
      case _ where isSecret && !tape.isNull(value):
        replace(tape.string(value), by: ParameterFilter.replacement, to: &json)
      case .string:
        let text = tape.string(value) ?? ""
        replace(text, by: filter.string(text, depth: depth), to: &json)
      case .integer, .other: json.value(json: tape.json(value).text)
      }
    }

    private mutating func replace(_ text: String?, by filtered: String, to json: inout JSONWriter) {
      if text != filtered { hasSecrets = true }
      json.value(filtered)
    }

    /// Whether a member names a field whose value is a secret. The name may be a path: `["user",
    /// "password"]`.
    private func namesSecret(_ member: (name: String, value: Int)) -> Bool {
      guard Self.namesOfNames.contains(member.name.lowercased()) else { return false }
      return tape.kind(member.value) == .array
        ? tape.elements(member.value).contains(where: isSecretName) : isSecretName(member.value)
    }

    private func isSecretName(_ value: Int) -> Bool { tape.string(value).map(filter.isSecret) == true }

    /// Writes a part of the tree of an update as it is, and other values without their secrets.
    mutating func write(tree value: Int, to json: inout JSONWriter) {
      switch tape.kind(value) {
      case .object:
        json.object { json in
          for (name, value) in tape.members(value) {
            json.member(named: name) { json in
              if isTree(value - 1) {
                write(tree: value, to: &json)
              } else {
                write(value, isSecret: filter.isSecret(name), to: &json)
              }
            }
          }
        }
      case .array: json.array(tape.elements(value)) { write(tree: $1, to: &$0) }
      case .string, .integer, .other: json.value(json: tape.json(value).text)
      }
    }

    /// Whether the value of a key is a part of the tree: slots, statics, templates, entries,
    /// components and streams.
    private func isTree(_ key: Int) -> Bool {
      switch DiffName(tape.bytes(key)) {
      case .index: true
      case .key(let key): ![.r, .e, .t].contains(key)
      case .unknown: false
      }
    }
  }
}

extension WireMessage {
  /// The message without the secrets in the title, and in what the server sends to the client's
  /// scripts: events, the reply and unknown keys. The page itself may show secrets: it is not
  /// filtered, because the mirror exists to show it.
  ///
  /// A message with secrets is written again as compact JSON. Other messages keep their text.
  ///
  /// - Complexity: O(*bytes* · *names*); O(1) for an update that is only a tree.
  package func withoutSecrets(_ filter: ParameterFilter) -> WireMessage {
    let (diff, isMount): (Diff, Bool)
    switch content {
    case .rendered(let rendered): (diff, isMount) = (rendered, true)
    case .diff(let other): (diff, isMount) = (other, false)
    default: return self
    }
    let hasSecretTitle = diff.title.map { filter.string($0) != $0 } ?? false
    guard hasSecretTitle || diff.events != nil || diff.reply != nil || !diff.unknownKeys.isEmpty,
      let filtered = filter.update(json),
      let decoded = try? WireDecoder().update(Array(filtered.text.utf8), isMount: isMount)
    else { return self }
    var message = self
    (message.content, message.json) = (decoded.content, filtered)
    return message
  }
}
