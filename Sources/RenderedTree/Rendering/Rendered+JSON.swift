internal import MirrorSupport

/// The tree as JSON. `GET /views/{view}/rendered` answers with it.
extension Rendered {
  /// The tree as JSON in the form of a mount: without template numbers and component references in
  /// `s`, and without stream operations.
  ///
  /// - Complexity: O(*tree*).
  package var json: JSONText { JSONText(written.text) }

  /// ``json`` as UTF-8, followed by a line feed.
  package var jsonLine: [UInt8] { written.bytes }

  private var written: JSONWriter {
    var json = JSONWriter()
    json.object { json in
      Self.write(root, to: &json)
      guard !components.isEmpty else { return }
      json.object("c") { json in
        for cid in components.keys.sorted() {
          guard let component = components[cid] else { continue }
          json.member(number: cid) { $0.object { Self.write(component, to: &$0) } }
        }
      }
    }
    return json
  }

  /// The members of a fragment.
  private static func write(_ fragment: Fragment, to json: inout JSONWriter) {
    write(fragment.slots, to: &json)
    if fragment.isRoot { json.member("r", 1) }
    write(fragment.statics, to: &json)
  }

  private static func write(_ slots: [Slot], to json: inout JSONWriter) {
    for (index, slot) in slots.enumerated() { json.member(number: index) { write(slot, to: &$0) } }
  }

  private static func write(_ statics: Statics, to json: inout JSONWriter) {
    json.array("s", statics.parts) { json, part in json.value(part) }
  }

  private static func write(_ slot: Slot, to json: inout JSONWriter) {
    switch slot {
    case .text(let text): json.value(text)
    case .component(let cid): json.value(cid)
    case .fragment(let fragment): json.object { write(fragment, to: &$0) }
    case .comprehension(let comprehension): json.object { write(comprehension, to: &$0) }
    }
  }

  private static func write(_ comprehension: Comprehension, to json: inout JSONWriter) {
    if comprehension.isKeyed {
      json.object("k") { json in
        for (index, entry) in comprehension.entries.enumerated() {
          json.member(number: index) { $0.object { write(entry.slots, to: &$0) } }
        }
        json.member("kc", comprehension.entries.count)
      }
    } else {
      json.array("d", comprehension.entries) { json, entry in
        json.array(entry.slots) { json, slot in write(slot, to: &json) }
      }
    }
    write(comprehension.statics, to: &json)
  }
}
