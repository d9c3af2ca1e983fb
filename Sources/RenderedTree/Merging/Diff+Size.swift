/// The size of an update's parts as compact JSON in bytes, which is what a slot costs on the wire.
/// ``Merger`` notes it for each slot in ``TouchedSlots``.
extension SlotDiff {
  var size: Int {
    switch self {
    case .text(let text): JSONText.quotedSize(text)
    case .component(let cid): decimalSize(cid)
    case .fragment(let fragment): fragment.size
    }
  }
}

extension FragmentDiff {
  /// The strings of a shared template (`"p"`) are not included, because they are sent once for all
  /// fragments that use them.
  var size: Int {
    var size = 1  // The opening brace. Each member adds its comma or the closing brace.
    switch statics {
    case .here(let statics):
      size += 5 + statics.parts.reduce(into: 1) { $0 += JSONText.quotedSize($1) + 1 }
    case .template(let number, _): size += 5 + decimalSize(number)
    case .component(let cid): size += 5 + decimalSize(cid)
    case nil: break
    }
    if isRoot { size += 6 }
    switch body {
    case .slots(let slots):
      for slot in slots { size += decimalSize(slot.index) + 4 + slot.diff.size }
    case .keyed(let keyed): size += 5 + keyed.size
    case .entries(let rows):
      size += 5 + rows.reduce(into: 1) { $0 += 2 + $1.reduce(0) { $0 + $1.size + 1 } }
    }
    if let stream { size += 10 + stream.size }
    return max(size, 2)
  }
}

extension StreamOperation {
  package var size: Int {
    var size = 4 + JSONText.quotedSize(ref)  // The brackets, and the commas before the inserts and the deletes.
    size += inserts.reduce(into: max(0, inserts.count - 1) + 2) { $0 += $1.size }
    size += deletes.reduce(into: max(0, deletes.count - 1) + 2) { $0 += Self.size(ofDeleted: $1) }
    return size + (reset ? Self.sizeOfReset : 0)
  }

  package static func size(ofDeleted id: String) -> Int { JSONText.quotedSize(id) }
  /// `,true`
  package static let sizeOfReset = 5
}

extension StreamOperation.Insert {
  package var size: Int {
    var size = 4 + JSONText.quotedSize(id) + decimalSize(at) + (limit.map(decimalSize) ?? 4)
    if sendsUpdateOnly { size += 5 }
    return size
  }
}

extension KeyedDiff {
  var size: Int {
    entries.reduce(into: 7 + decimalSize(count)) { $0 += decimalSize($1.index) + 4 + $1.entry.size }
  }
}

extension KeyedDiff.Entry {
  var size: Int {
    switch self {
    case .update(let diff): diff.size
    case .moved(let old): decimalSize(old)
    case .movedAndUpdated(let old, let diff): 3 + decimalSize(old) + diff.size
    }
  }
}

private func decimalSize(_ number: Int) -> Int { String(number).utf8.count }

extension JSONText {
  /// The size of a string as JSON, including the quotes.
  static func quotedSize(_ string: String) -> Int {
    string.utf8.reduce(into: 2) { size, byte in
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: size += 2
      case 0..<0x20: size += 6
      default: size += 1
      }
    }
  }
}
