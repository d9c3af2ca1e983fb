internal import LiveViewMirror
internal import MicroHTTP
internal import MirrorSupport
internal import RenderedTree

/// A request body that must be a small JSON object. The methods read its members by name, and throw
/// the errors of the HTTP API. Pushes, subscriptions and announcements of pages have such bodies.
struct JSONBody {
  private let members: [String: JSON]
  /// The place of the object in the body.
  private let place: SlotPath

  /// - Parameters:
  ///   - names: the names of the members that the request may have.
  ///   - place: the place of the object in the body.
  /// - Throws: a `400` for a body that is not JSON, a `422` for one that is not an object or has a
  ///   member whose name is not in `names`.
  init(_ body: [UInt8], of names: [String], at place: SlotPath = SlotPath()) throws(HTTPError) {
    self.place = place
    do throws(WireError) { members = try WireDecoder().members(body) } catch {
      let error = UpdateError(error)
      throw HTTPError(
        error.kind == .notJSON ? .invalidJSON : .invalidBody, "\(error.description).",
        pointer: error.pointer.map { place.pointer + $0 },
        offset: error.offset)
    }
    if let unknown = members.keys.sorted().first(where: { !names.contains($0) }) {
      let expected = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
      throw Self.wrong(pointer(unknown), "this member is unknown: expected \(expected)")
    }
  }

  /// - Returns: `nil` if the member is absent or `null`.
  func text(_ name: String, longest: Int) throws(HTTPError) -> String? {
    try value(name, mustBe: "a text of at most \(longest) characters") { scalar in
      if case .string(let text) = scalar, text.unicodeScalars.count <= longest { text } else { nil }
    }
  }

  /// - Returns: `nil` if the member is absent or `null`.
  func bool(_ name: String) throws(HTTPError) -> Bool? {
    try value(name, mustBe: "true or false") { if case .bool(let bool) = $0 { bool } else { nil } }
  }

  /// - Parameter noun: the thing that the number identifies or counts, such as `a node`.
  /// - Returns: `nil` if the member is absent or `null`.
  func number(_ name: String, of noun: String, from least: Int) throws(HTTPError) -> Int? {
    try value(name, mustBe: "the number of \(noun), a whole number ≥ \(least)") { scalar in
      let number: Int? =
        switch scalar {
        case .integer(let number): number
        // Some programs write every number with a fraction: 7.0.
        case .json(let json): Double(json).flatMap(Int.init(exactly:))
        default: nil
        }
      return number.flatMap { $0 >= least ? $0 : nil }
    }
  }

  private func value<Value>(
    _ name: String, mustBe expected: String, _ read: (JSON) -> Value?
  ) throws(HTTPError) -> Value? {
    guard let scalar = members[name], scalar != .null else { return nil }
    if let value = read(scalar) { return value }
    throw Self.wrong(pointer(name), "\(name) must be \(expected)")
  }

  /// A value as JSON.
  ///
  /// - Returns: `nil` if the member is absent.
  func json(_ name: String) -> String? { members[name]?.encoded }

  /// The members of an object in the body.
  ///
  /// - Returns: `nil` if the member is absent or `null`.
  func object(_ name: String, of names: [String]) throws(HTTPError) -> JSONBody? {
    switch members[name] {
    case nil, .null: return nil
    case .json(let json) where json.hasPrefix("{"):
      return try JSONBody(Array(json.utf8), of: names, at: place + .key(name))
    default: throw Self.wrong(pointer(name), "\(name) must be an object")
    }
  }

  static func wrong(_ pointer: String, _ reason: String) -> HTTPError {
    HTTPError(.invalidBody, "\(reason).", pointer: pointer)
  }

  private func pointer(_ name: String) -> String { (place + .key(name)).pointer }
}
