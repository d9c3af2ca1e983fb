internal import MirrorSupport

/// The body of a request, as an ``Operation`` describes it. The server reads a body by its content,
/// whatever its `Content-Type` says.
struct RequestBody: Sendable {
  let description: String
  let content: [Content]

  var json: JSON {
    ["description": .string(description), "required": true, "content": .object(content.map { ($0.type, $0.json) })]
  }
}

/// One form of the content of a request or a response.
struct Content: Sendable {
  let type: String
  let schema: Schema
  /// The examples with their names. A value is JSON, or a string with text of another media type.
  var examples: [(name: String, value: JSON)] = []

  static func json(_ schema: Schema, _ examples: KeyValuePairs<String, String> = [:]) -> Content {
    Content(type: "application/json", schema: schema, examples: examples.map { ($0.key, .json($0.value)) })
  }

  /// A text with one JSON value per line, all of the same schema. The schema should have a name,
  /// because only the name is written.
  static func lines(of schema: Schema, _ examples: KeyValuePairs<String, String> = [:]) -> Content {
    Content(
      type: "application/x-ndjson", schema: .lines(of: schema), examples: examples.map { ($0.key, .string($0.value)) })
  }

  static func text(_ description: String) -> Content {
    Content(type: "text/plain", schema: .string.described(description))
  }

  static func html(_ description: String) -> Content {
    Content(type: "text/html", schema: .string.described(description))
  }

  /// Server-Sent Events. The schema is that of one event.
  static func events(_ schema: Schema) -> Content { Content(type: "text/event-stream", schema: schema) }

  var json: JSON {
    let examples = examples.map { ($0.name, JSON.object([("value", $0.value)])) }
    return .object([("schema", schema.json)] + (examples.isEmpty ? [] : [("examples", .object(examples))]))
  }
}
