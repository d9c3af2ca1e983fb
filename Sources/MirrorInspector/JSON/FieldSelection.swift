internal import MicroHTTP
internal import MirrorSupport

/// The members that a request chooses by `?fields=view,version`. All other members of the objects
/// are removed from the JSON that the route has written. ``DescribedRoute`` applies a selection to
/// responses with the status 200.
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
    let known = items.schema.propertyNames
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
      var scanner = JSONScanner(bytes)
      if let list { copy(&scanner, to: &output, choosingIn: list) } else { copyChosen(&scanner, to: &output) }
    }
    return output + [UInt8(ascii: "\n")]
  }

  /// Copies an object with all its members. The objects in its member `list` are copied with only
  /// their chosen members.
  private func copy(_ scanner: inout JSONScanner, to output: inout [UInt8], choosingIn list: String) {
    scanner.take(UInt8(ascii: "{"))
    output.append(UInt8(ascii: "{"))
    while let name = scanner.name() {
      separate(&output)
      let start = name.lowerBound - 1
      if scanner.next == UInt8(ascii: "["), scanner.bytes[name].elementsEqual(list.utf8) {
        scanner.take(UInt8(ascii: "["))
        output += scanner.bytes[start..<scanner.position]
        while scanner.hasElement() {
          separate(&output)
          copyChosen(&scanner, to: &output)
        }
        output.append(UInt8(ascii: "]"))
      } else {
        output += scanner.bytes[start..<scanner.value().upperBound]
      }
    }
    output.append(UInt8(ascii: "}"))
  }

  /// Copies an object with the chosen members.
  private func copyChosen(_ scanner: inout JSONScanner, to output: inout [UInt8]) {
    scanner.take(UInt8(ascii: "{"))
    output.append(UInt8(ascii: "{"))
    while let name = scanner.name() {
      let end = scanner.value().upperBound
      guard names.contains(String(decoding: scanner.bytes[name], as: UTF8.self)) else { continue }
      separate(&output)
      output += scanner.bytes[(name.lowerBound - 1)..<end]
    }
    output.append(UInt8(ascii: "}"))
  }

  /// Writes a comma, unless a bracket was opened just before.
  private func separate(_ output: inout [UInt8]) {
    if let last = output.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") { output.append(UInt8(ascii: ",")) }
  }
}
