internal import MirrorSupport

extension ProblemDetails {
  /// A JSON object with the members of RFC 9457 that have a value, followed by the extension members, and a line feed.
  public var json: [UInt8] { written.bytes }

  /// As ``json``, without the line feed, for JSON that contains the problem.
  package var jsonText: String { written.text }

  private var written: JSONWriter {
    var json = JSONWriter()
    json.object { json in
      json.member("type", type)
      json.member("title", title)
      json.member("status", status.code)
      json.member("code", code)
      if let detail { json.member("detail", detail) }
      if let pointer { json.member("pointer", pointer) }
      if let offset { json.member("offset", offset) }
      for member in extensions { json.member(named: member.name) { member.value.write(to: &$0) } }
    }
    return json
  }
}

extension ProblemDetails.Value {
  fileprivate func write(to json: inout JSONWriter) {
    switch self {
    case .string(let string): json.value(string)
    case .integer(let integer): json.value(integer)
    case .boolean(let boolean): json.value(boolean)
    case .json(let bytes): json.value(json: String(decoding: bytes, as: UTF8.self))
    case .strings(let strings): json.array(strings) { json, string in json.value(string) }
    }
  }
}
