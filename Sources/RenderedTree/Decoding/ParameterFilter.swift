internal import MirrorSupport

/// Removes secrets from the values of events, from addresses and from forms before they are stored.
///
/// As in Phoenix (`config :phoenix, :filter_parameters`), a parameter is secret if its name contains one of the filter's names,
/// and its value becomes `[FILTERED]`. Unlike Phoenix, the filter ignores the case of ASCII letters.
package struct ParameterFilter: Sendable, Hashable {
  /// The names, in lower case.
  package let names: [String]
  /// Complete names of parameters that are secret too, such as those of password fields.
  package var fields: Set<String> = []

  package init(names: [String]) { self.names = names.filter { !$0.isEmpty }.map { $0.lowercased() } }

  /// The value that replaces a secret one, as Phoenix writes it.
  package static let replacement = "[FILTERED]"
  private static let encodedReplacement = "%5BFILTERED%5D"

  /// Whether the value of a parameter is a secret.
  package func isSecret(_ name: some StringProtocol) -> Bool {
    if fields.contains(String(name)) { return true }
    let name = name.lowercased()
    return names.contains { name.contains($0) }
  }

  // MARK: - Text

  /// Filters the parameters of a form or an address, also of an address in a parameter, and the user of an address: `a=1&password=2`,
  /// `/login?token=3`, `back=%2F%3Ftoken%3D3`, `http://user:password@host/`.
  ///
  /// - Complexity: O(*bytes* · *names*).
  package func text(_ text: String) -> String { self.text(text, depth: 0) }

  /// A value in a value is examined down to this depth.
  private static let mostNested = 3

  private func text(_ text: String, depth: Int) -> String {
    let text = Self.withoutUser(text)
    guard depth <= Self.mostNested, text.utf8.contains(UInt8(ascii: "=")) else { return text }
    var result = ""
    var part = text.startIndex
    while part < text.endIndex {
      let end = text.utf8[part...].firstIndex { "?&#;".utf8.contains($0) } ?? text.endIndex
      let pair = text[part..<end]
      if let sign = pair.utf8.firstIndex(of: UInt8(ascii: "=")) {
        let value = Self.decoded(pair[sign...].dropFirst())
        let isHidden = isSecret(Self.decoded(pair[..<sign])) || self.text(value, depth: depth + 1) != value
        result += isHidden ? pair[...sign] + Self.encodedReplacement : pair
      } else {
        result += pair
      }
      guard end < text.endIndex else { break }
      part = text.utf8.index(after: end)
      result += text[end..<part]
    }
    return result
  }

  /// The text without the user names and passwords of addresses in it.
  private static func withoutUser(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "@")), text.contains("://") else { return text }
    return text.replacing(#/:\/\/[^\/?#@\s]*@/#, with: "://\(replacement)@")
  }

  /// Decodes a name or value of a form (`application/x-www-form-urlencoded`). An invalid escape is kept.
  private static func decoded(_ name: Substring) -> String {
    guard name.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }) else { return String(name) }
    var bytes: [UInt8] = []
    var rest = Array(name.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "+") {
        bytes.append(UInt8(ascii: " "))
      } else if byte == UInt8(ascii: "%"), rest.count >= 2,
        let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: - JSON

  /// Filters a JSON value: the members of objects at any depth, and in strings the parameters, or JSON.
  ///
  /// - Parameter isWhole: whether the whole value is secret, such as that of a key press in a password field.
  /// - Returns: compact JSON; `nil` if the text is not JSON.
  /// - Complexity: O(*bytes* · *names*).
  package func json(_ value: JSONText, isWhole: Bool = false) -> JSONText? {
    json(value, isWhole: isWhole, depth: 0)
  }

  /// A value without secrets; the same text if it has none.
  func withoutSecrets(_ value: JSONText) -> JSONText {
    guard let plain = Self(names: []).json(value), let filtered = json(value), plain != filtered else { return value }
    return filtered
  }

  private func json(_ value: JSONText, isWhole: Bool, depth: Int) -> JSONText? {
    let decoder = WireDecoder()
    return Array(value.text.utf8).withUnsafeBufferPointer { bytes in
      guard let tape = try? decoder.parse(bytes) else { return nil }
      var json = JSONWriter()
      write(WireDecoder.Reader.top, of: tape, isSecret: isWhole, depth: depth, to: &json)
      return JSONText(json.text)
    }
  }

  /// The members that name a field whose value is another member.
  private static let namesOfNames: Set = ["name", "key", "field"]

  private func write(
    _ value: Int, of tape: WireDecoder.Tape, isSecret: Bool, depth: Int, to json: inout JSONWriter
  ) {
    switch tape.kind(value) {
    case .object:
      let members = Array(tape.members(value))
      // A list of fields, as forms in scripts often have it: {"name": "password", "value": "…"}.
      let isField = members.contains { name, member in
        Self.namesOfNames.contains(name) && tape.string(member).map(self.isSecret) == true
      }
      json.object { json in
        for (name, member) in members {
          json.member(named: name) { json in
            let isSecret = isSecret || self.isSecret(name) || isField && !Self.namesOfNames.contains(name)
            write(member, of: tape, isSecret: isSecret, depth: depth, to: &json)
          }
        }
      }
    case .array: json.array(tape.elements(value)) { write($1, of: tape, isSecret: isSecret, depth: depth, to: &$0) }
    case _ where isSecret && !tape.isNull(value): json.value(Self.replacement)
    case .string: json.value(string(tape.string(value) ?? "", depth: depth))
    case .integer, .other: json.value(json: tape.json(value).text)
    }
  }

  /// A string of a value. An app may send JSON in it, which is written again only if it has secrets.
  private func string(_ text: String, depth: Int) -> String {
    guard depth < Self.mostNested, let first = text.utf8.first,
      first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      let plain = Self(names: []).json(JSONText(text), isWhole: false, depth: depth + 1),
      let filtered = json(JSONText(text), isWhole: false, depth: depth + 1)
    else { return self.text(text) }
    return plain == filtered ? text : filtered.text
  }
}
