/// A JSON value that a test writes.
indirect enum JSON: Sendable {
  case string(String)
  case int(Int)
  case bool(Bool)
  case null
  case array([JSON])
  case object([(String, JSON)])

  var text: String {
    switch self {
    case .string(let text): Self.quoted(text)
    case .int(let number): String(number)
    case .bool(let flag): flag ? "true" : "false"
    case .null: "null"
    case .array(let values): "[\(values.map(\.text).joined(separator: ","))]"
    case .object(let members): "{\(members.map { "\"\($0)\":\($1.text)" }.joined(separator: ","))}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\0": quoted += "\\u0000"
      case "\r": quoted += "\\r"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
