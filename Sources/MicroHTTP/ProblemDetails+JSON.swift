/// Written by hand: it is one flat object, and an encoder would bring Foundation into the module.
extension ProblemDetails {
  public var json: [UInt8] {
    var members = [
      Member("type", .string(type)), Member("title", .string(title)), Member("status", .integer(status.code)),
    ]
    if let detail { members.append(Member("detail", .string(detail))) }
    if let pointer { members.append(Member("pointer", .string(pointer))) }
    if let offset { members.append(Member("offset", .integer(offset))) }
    members += extensions

    var json: [UInt8] = []
    for (index, member) in members.enumerated() {
      json.append(UInt8(ascii: index == 0 ? "{" : ","))
      Self.append(member.name, to: &json)
      json.append(UInt8(ascii: ":"))
      member.value.append(to: &json)
    }
    json.append(UInt8(ascii: "}"))
    return json
  }

  /// A JSON string: quote, backslash and the control characters are escaped (RFC 8259 §7), all else stays UTF-8.
  static func append(_ string: String, to json: inout [UInt8]) {
    let digits = Array("0123456789abcdef".utf8)
    json.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""): json += #"\""#.utf8
      case UInt8(ascii: "\\"): json += #"\\"#.utf8
      case UInt8(ascii: "\n"): json += #"\n"#.utf8
      case UInt8(ascii: "\r"): json += #"\r"#.utf8
      case UInt8(ascii: "\t"): json += #"\t"#.utf8
      case 0..<0x20:
        json += #"\u00"#.utf8
        json.append(digits[Int(byte >> 4)])
        json.append(digits[Int(byte & 0xF)])
      default: json.append(byte)
      }
    }
    json.append(UInt8(ascii: "\""))
  }
}

extension ProblemDetails.Value {
  func append(to json: inout [UInt8]) {
    switch self {
    case .string(let string): ProblemDetails.append(string, to: &json)
    case .integer(let integer): json += String(integer).utf8
    case .boolean(let boolean): json += (boolean ? "true" : "false").utf8
    case .json(let bytes): json += bytes
    case .strings(let strings):
      json.append(UInt8(ascii: "["))
      for (index, string) in strings.enumerated() {
        if index > 0 { json.append(UInt8(ascii: ",")) }
        ProblemDetails.append(string, to: &json)
      }
      json.append(UInt8(ascii: "]"))
    }
  }
}
