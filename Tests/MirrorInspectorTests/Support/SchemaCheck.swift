import Foundation

/// Compares JSON with the schemas of the OpenAPI document: the keywords that ``Schema`` writes.
///
/// An object with `properties` may have no other members, although a client must accept them: here
/// each of them is a member that the document lacks.
struct SchemaCheck {
  typealias Object = [String: Any]

  /// `components/schemas`.
  let schemas: Object

  /// The differences, each with its place in the value. Empty if the value has the schema.
  func faults(of value: Any, _ schema: Any, at place: String = "") -> [String] {
    guard let schema = schema as? Object else { return schema as? Bool == false ? ["\(place): not expected"] : [] }
    if let reference = schema["$ref"] as? String {
      guard let named = schemas[String(reference.split(separator: "/").last ?? "")] else {
        return ["\(place): \(reference) does not exist"]
      }
      return faults(of: value, named, at: place)
    }
    if let parts = schema["allOf"] as? [Any] { return faults(of: value, merged(parts), at: place) }
    for keyword in ["anyOf", "oneOf"] {
      guard let parts = schema[keyword] as? [Any] else { continue }
      let all = parts.map { faults(of: value, $0, at: place) }
      // The part with the fewest faults is probably the meant one.
      return all.min { $0.count < $1.count } ?? []
    }
    return typeFaults(of: value, schema, at: place) + simpleFaults(of: value, schema, at: place)
      + memberFaults(of: value, schema, at: place) + elementFaults(of: value, schema, at: place)
  }

  /// One object schema with the members of several.
  private func merged(_ parts: [Any]) -> Object {
    var whole: Object = ["type": "object"]
    var (properties, required) = (Object(), [String]())
    for var part in parts.compactMap({ $0 as? Object }) {
      if let name = (part["$ref"] as? String)?.split(separator: "/").last {
        part = schemas[String(name)] as? Object ?? [:]
      }
      properties.merge(part["properties"] as? Object ?? [:]) { first, _ in first }
      required += part["required"] as? [String] ?? []
    }
    (whole["properties"], whole["required"]) = (properties, required)
    return whole
  }

  private func typeFaults(of value: Any, _ schema: Object, at place: String) -> [String] {
    guard let type = schema["type"] else { return [] }
    let types = type as? [String] ?? [type as? String ?? ""]
    return types.contains { Self.has(value, type: $0) } ? [] : ["\(place): \(value) is not of the type \(types)"]
  }

  private static func has(_ value: Any, type: String) -> Bool {
    let number = value as? NSNumber
    let isBool = number.map { String(cString: $0.objCType) == "c" } ?? false
    return switch type {
    case "null": value is NSNull
    case "boolean": isBool
    case "integer": !isBool && number.map { $0.doubleValue == $0.doubleValue.rounded() } ?? false
    case "number": !isBool && number != nil
    case "string": value is String
    case "array": value is [Any]
    case "object": value is Object
    default: false
    }
  }

  private func simpleFaults(of value: Any, _ schema: Object, at place: String) -> [String] {
    var faults: [String] = []
    if let number = (value as? NSNumber)?.doubleValue {
      if let least = schema["minimum"] as? NSNumber, number < least.doubleValue {
        faults.append("\(place): \(number) < \(least)")
      }
      if let most = schema["maximum"] as? NSNumber, number > most.doubleValue {
        faults.append("\(place): \(number) > \(most)")
      }
    }
    guard let text = value as? String else { return faults }
    if let words = schema["enum"] as? [String], !words.contains(text) {
      faults.append("\(place): \(text) is not one of \(words)")
    }
    if let word = schema["const"] as? String, word != text { faults.append("\(place): \(text) is not \(word)") }
    if let pattern = schema["pattern"] as? String, text.range(of: pattern, options: .regularExpression) == nil {
      faults.append("\(place): \(text) does not match \(pattern)")
    }
    if let content = schema["contentSchema"] {
      let json = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
      faults += json.map { self.faults(of: $0, content, at: place) } ?? ["\(place): \(text) is not JSON"]
    }
    return faults
  }

  private func memberFaults(of value: Any, _ schema: Object, at place: String) -> [String] {
    guard let object = value as? Object else { return [] }
    let properties = schema["properties"] as? Object ?? [:]
    let missing = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }
    let others = schema["additionalProperties"] ?? (schema["properties"] == nil)
    return missing.map { "\(place): \($0) is missing" }
      + object.sorted { $0.key < $1.key }.flatMap { name, member in
        faults(of: member, properties[name] ?? others, at: "\(place)/\(name)")
      }
  }

  private func elementFaults(of value: Any, _ schema: Object, at place: String) -> [String] {
    guard let elements = value as? [Any] else { return [] }
    let first = schema["prefixItems"] as? [Any] ?? []
    var faults = elements.enumerated().flatMap { index, element in
      self.faults(
        of: element, index < first.count ? first[index] : schema["items"] ?? true, at: "\(place)/\(index)")
    }
    if let most = schema["maxItems"] as? Int, elements.count > most {
      faults.append("\(place): more than \(most) elements")
    }
    if let least = schema["minItems"] as? Int, elements.count < least {
      faults.append("\(place): fewer than \(least) elements")
    }
    return faults
  }
}
