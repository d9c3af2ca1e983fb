internal import MicroHTTP
internal import MirrorSupport

/// `?fields=view,version`: the members of each object that a response has, chosen from the JSON that the route has written.
///
///     {"views":[{"view":"main","epoch":1,"version":7}],"limits":{}}   becomes, with the list `views`,
///     {"views":[{"view":"main","version":7}],"limits":{}}
struct FieldSelection {
  private let names: Set<String>
  /// The member that is the list of the objects; `nil` if the response is the object.
  private let list: String?

  init(choosing names: Set<String>, in list: String? = nil) { (self.names, self.list) = (names, list) }

  /// - Throws: 400 for a name that the schema of the objects does not have.
  init(_ text: String, of items: Operation.Items) throws(HTTPError) {
    let known = items.schema.schema.propertyNames
    self.init(
      choosing: Set(text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)), in: items.list)
    if let unknown = names.sorted().first(where: { !known.contains($0) }) {
      throw HTTPError(
        .unknownField, "\"\(unknown)\" is not a field of these objects\(DescribedRoute.hint(unknown, known))")
    }
  }

  /// The JSON with the chosen members only. They keep their order.
  ///
  /// - Parameter json: an object, well-formed.
  /// - Complexity: O(*bytes*).
  func applied(to json: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(json.count)
    json.withUnsafeBufferPointer { bytes in
      var reader = Reader(bytes: bytes)
      reader.copyMembers(to: &output) { name, reader, output in
        guard let list else { return names.contains(name) ? .copied : .skipped }
        guard name == list else { return .copied }
        reader.copyElements(to: &output) { reader, output in
          reader.copyMembers(to: &output) { name, _, _ in names.contains(name) ? .copied : .skipped }
        }
        return .written
      }
    }
    return output + [UInt8(ascii: "\n")]
  }

  private enum Choice { case copied, skipped, written }

  /// Reads well-formed JSON.
  private struct Reader {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0

    /// Copies an object.
    ///
    /// - Parameter choose: decides about a member before its value is read, or reads the value and writes another.
    mutating func copyMembers(
      to output: inout [UInt8], _ choose: (String, inout Reader, inout [UInt8]) -> Choice
    ) {
      copyList(to: &output) { reader, output in
        let start = reader.position
        reader.skipString()
        let name = String(decoding: reader.bytes[(start + 1)..<(reader.position - 1)], as: UTF8.self)
        reader.skipBlanks()
        reader.position += 1
        reader.skipBlanks()
        let (value, end) = (reader.position, output.count)
        output += reader.bytes[start..<value]
        switch choose(name, &reader, &output) {
        case .written: return true
        case .copied:
          reader.skipValue()
          output += reader.bytes[value..<reader.position]
          return true
        case .skipped:
          reader.skipValue()
          output.removeSubrange(end...)
          return false
        }
      }
    }

    /// Copies an array whose elements `copy` reads and writes.
    mutating func copyElements(to output: inout [UInt8], _ copy: (inout Reader, inout [UInt8]) -> Void) {
      copyList(to: &output) { reader, output in
        copy(&reader, &output)
        return true
      }
    }

    /// Copies an object or an array. `copy` reads one part of it, and returns whether it has written it.
    private mutating func copyList(to output: inout [UInt8], _ copy: (inout Reader, inout [UInt8]) -> Bool) {
      output.append(bytes[position])
      position += 1
      var isFirst = true
      while true {
        skipBlanks()
        let byte = bytes[position]
        if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { break }
        if byte == UInt8(ascii: ",") {
          position += 1
          continue
        }
        let end = output.count
        if !isFirst { output.append(UInt8(ascii: ",")) }
        if copy(&self, &output) { isFirst = false } else { output.removeSubrange(end...) }
      }
      output.append(bytes[position])
      position += 1
    }

    private mutating func skipBlanks() {
      while position < bytes.count, bytes[position] <= UInt8(ascii: " ") { position += 1 }
    }

    private mutating func skipString() {
      position += 1
      while bytes[position] != UInt8(ascii: "\"") { position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1 }
      position += 1
    }

    private mutating func skipValue() {
      var depth = 0
      while position < bytes.count {
        switch bytes[position] {
        case UInt8(ascii: "\""):
          skipString()
          if depth == 0 { return }
          continue
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          if depth == 0 { return }
          depth -= 1
          if depth == 0 {
            position += 1
            return
          }
        case UInt8(ascii: ",") where depth == 0: return
        default: break
        }
        position += 1
      }
    }
  }
}
