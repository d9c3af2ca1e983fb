/// The body of a request. The server reads it by its content, whatever its `Content-Type` says.
struct RequestBody: Sendable {
  let description: String
  let content: [Content]

  /// One form of the content, with examples by name. An example is a JSON text, or a text of another media type.
  struct Content: Sendable {
    let type: String
    let schema: Schema
    var examples: [(name: String, value: JSON)] = []

    static func json(_ schema: Schema, _ examples: KeyValuePairs<String, String> = [:]) -> Content {
      Content(type: "application/json", schema: schema, examples: examples.map { ($0.key, .text($0.value)) })
    }

    /// Lines of JSON.
    static func lines(of name: SchemaName, _ examples: KeyValuePairs<String, String> = [:]) -> Content {
      Content(
        type: "application/x-ndjson", schema: .lines(of: name), examples: examples.map { ($0.key, .string($0.value)) })
    }
  }

  var json: JSON {
    [
      "description": .string(description), "required": true,
      "content": .object(
        content.map { form in
          let schema: [(String, JSON)] = [("schema", form.schema.json)]
          let examples = form.examples.map { ($0.name, JSON.object([("value", $0.value)])) }
          return (form.type, .object(schema + (examples.isEmpty ? [] : [("examples", .object(examples))])))
        }),
    ]
  }
}
