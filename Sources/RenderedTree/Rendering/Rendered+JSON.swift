extension Rendered {
  /// The tree as JSON that could be mounted: integer references resolved, streams empty.
  ///
  /// - Complexity: O(*tree*).
  package var json: JSONText { JSONText(String(decoding: jsonBytes, as: UTF8.self)) }

  /// ``json`` as UTF-8.
  package var jsonBytes: [UInt8] {
    var output: [UInt8] = []
    Self.write(root, to: &output) { output in
      guard !components.isEmpty else { return }
      output.append(contentsOf: ",\"c\":{".utf8)
      for (position, cid) in components.keys.sorted().enumerated() {
        guard let component = components[cid] else { continue }
        if position > 0 { output.append(UInt8(ascii: ",")) }
        Self.writeName(cid, to: &output)
        Self.write(component, to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
    return output
  }

  private static func write(_ fragment: Fragment, to output: inout [UInt8], more: (inout [UInt8]) -> Void = { _ in }) {
    output.append(UInt8(ascii: "{"))
    write(members: fragment.slots, to: &output)
    if fragment.isRoot { output.append(contentsOf: "\"r\":1,".utf8) }
    write(fragment.statics, to: &output)
    more(&output)
    output.append(UInt8(ascii: "}"))
  }

  /// `"7":`.
  private static func writeName(_ number: Int, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    JSONText.append(number, to: &output)
    output.append(UInt8(ascii: "\""))
    output.append(UInt8(ascii: ":"))
  }

  /// `"0":…,"1":…,` with the comma behind each.
  private static func write(members slots: [Slot], to output: inout [UInt8]) {
    for (index, slot) in slots.enumerated() {
      writeName(index, to: &output)
      write(slot, to: &output)
      output.append(UInt8(ascii: ","))
    }
  }

  private static func write(_ statics: Statics, to output: inout [UInt8]) {
    output.append(contentsOf: "\"s\":[".utf8)
    for (index, part) in statics.parts.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      JSONText.appendQuoted(part, to: &output)
    }
    output.append(UInt8(ascii: "]"))
  }

  private static func write(_ slot: Slot, to output: inout [UInt8]) {
    switch slot {
    case .text(let text): JSONText.appendQuoted(text, to: &output)
    case .component(let cid): output.append(contentsOf: String(cid).utf8)
    case .fragment(let fragment): write(fragment, to: &output)
    case .comprehension(let comprehension): write(comprehension, to: &output)
    }
  }

  private static func write(_ comprehension: Comprehension, to output: inout [UInt8]) {
    if comprehension.isKeyed {
      output.append(contentsOf: "{\"k\":{".utf8)
      for (index, entry) in comprehension.entries.enumerated() {
        writeName(index, to: &output)
        output.append(UInt8(ascii: "{"))
        write(members: entry.slots, to: &output)
        if !entry.slots.isEmpty { output.removeLast() }
        output.append(contentsOf: "},".utf8)
      }
      output.append(contentsOf: "\"kc\":\(comprehension.entries.count)},".utf8)
    } else {
      output.append(contentsOf: "{\"d\":[".utf8)
      for (index, entry) in comprehension.entries.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        output.append(UInt8(ascii: "["))
        for (column, slot) in entry.slots.enumerated() {
          if column > 0 { output.append(UInt8(ascii: ",")) }
          write(slot, to: &output)
        }
        output.append(UInt8(ascii: "]"))
      }
      output.append(contentsOf: "],".utf8)
    }
    write(comprehension.statics, to: &output)
    output.append(UInt8(ascii: "}"))
  }
}
