internal import MirrorSupport

/// A JSON Schema (2020-12) of the OpenAPI document. Operations and other schemas use it. A schema
/// with a name is written as a reference, so it must be one of ``components``.
///
/// ```swift
/// Schema.object(["node": .integer(from: 1)], optional: ["label": .string(longest: 200)])
/// ```
struct Schema: Sendable {
  private var members: [(name: String, value: JSON)]

  /// The name in `components/schemas`; `nil` for a schema that is written where it is used.
  private(set) var name: String?

  private init(_ members: [(String, JSON)]) { self.members = members.map { ($0.0, $0.1) } }

  /// The JSON for each place that uses the schema: a reference if the schema has a name, and
  /// otherwise the schema itself.
  var json: JSON { reference.definition }

  /// The schema itself.
  var definition: JSON { .object(members.map { ($0.name, $0.value) }) }

  private var reference: Schema { name.map { .reference(to: $0) } ?? self }

  /// The schemas of `components/schemas`.
  static let components: [Schema] = [
    viewID, pageID, version, node, position, dialect, problem, rendered, diff, frame, joinReply, joinPayload, diffFrame,
    diffPayload, timedFrame, frameLine, recording, exportLine, changeSet, change, textChange, attributesChange,
    addition,
    removal, move, place, cause, isolation, explanation, explainedPart, unchanged, comparison, finding, findings, steps,
    step, wasteReport, slotCosts, listCosts, costTotals, pageTotals, costRow, insights, insight, rejection, logEntry,
    logPage, framesReport, rejectedFrame, importReport,
    view,
    viewLife, views, inspector, pagePatch, pageChanges, treeNode, tree, nodeDetails, nodeSummary, nodes, subscribers,
    nodeSubscribers, newSubscription, subscription, subscriptions, viewEvent, newPage, page, pages, push, pushValue,
    pushEvent, health,
  ]

  // MARK: - Simple types

  /// Every value.
  static let any = Schema([])
  static let null = Schema([("type", "null")])
  static let boolean = Schema([("type", "boolean")])
  static let number = Schema([("type", "number")])

  static func number(from least: Int, upTo most: Int) -> Schema {
    Schema([("type", "number"), ("minimum", .integer(least)), ("maximum", .integer(most))])
  }

  /// A whole number of at most 64 bits.
  static func integer(from least: Int? = nil, upTo most: Int = .max) -> Schema {
    Schema(
      [("type", "integer")] + (most > Int(Int32.max) ? [("format", "int64")] : [])
        + (least.map { [("minimum", .integer($0))] } ?? []) + [("maximum", .integer(most))])
  }

  /// A number of things.
  static let count = integer(from: 0)
  static let string = Schema([("type", "string")])

  static func string(shortest: Int? = nil, longest: Int) -> Schema {
    Schema(
      [("type", "string")] + (shortest.map { [("minLength", .integer($0))] } ?? []) + [("maxLength", .integer(longest))]
    )
  }

  /// - Parameter pattern: a regular expression (ECMA 262) for the whole text.
  static func string(matching pattern: String) -> Schema {
    Schema([("type", "string"), ("pattern", .string(pattern))])
  }

  /// A text of a query. The server refuses targets with a NUL.
  static let queryText = string(matching: "^[^\\u0000]*$")

  /// One of several texts.
  static func oneOf(_ words: [String]) -> Schema {
    Schema([("type", "string"), ("enum", .array(words.map(JSON.string)))])
  }

  static func constant(_ word: String) -> Schema { Schema([("type", "string"), ("const", .string(word))]) }

  static let time = Schema([("type", "string"), ("format", "date-time")])

  /// JSON as a text, such as the data of an event.
  static func text(of content: Schema) -> Schema {
    Schema([("type", "string"), ("contentMediaType", "application/json"), ("contentSchema", content.json)])
  }

  /// A text with one JSON value per line. OpenAPI 3.1 has no form for it, so the description names
  /// the schema of a line.
  static func lines(of schema: Schema) -> Schema { string.described("Each line is a `\(schema.name ?? "JSON text")`.") }

  // MARK: - Composed types

  static func array(of element: Schema, shortest: Int? = nil, longest: Int? = nil) -> Schema {
    Schema(
      [("type", "array"), ("items", element.json)] + (shortest.map { [("minItems", .integer($0))] } ?? [])
        + (longest.map { [("maxItems", .integer($0))] } ?? []))
  }

  /// An array with a schema for each of its elements. `maxItems` forbids further elements;
  /// `"items": false` would do so too, but some generators of clients refuse it.
  static func tuple(_ elements: [Schema]) -> Schema {
    Schema([
      ("type", "array"), ("prefixItems", .array(elements.map(\.json))), ("minItems", .integer(elements.count)),
      ("maxItems", .integer(elements.count)),
    ])
  }

  /// An object.
  ///
  /// - Parameters:
  ///   - required: the members that are always present.
  ///   - optional: the other members.
  ///   - isClosed: whether there can be no other members. Responses may gain members, so they are
  ///     never closed.
  ///   - others: the schema of other members, if some are expected.
  static func object(
    _ required: KeyValuePairs<String, Schema>, optional: KeyValuePairs<String, Schema> = [:], isClosed: Bool = false,
    others: Schema? = nil
  ) -> Schema {
    var members: [(String, JSON)] = [
      ("type", "object"), ("properties", .object((Array(required) + optional).map { ($0.key, $0.value.json) })),
    ]
    if !required.isEmpty { members.append(("required", .array(required.map { .string($0.key) }))) }
    if isClosed { members.append(("additionalProperties", false)) }
    if let others { members.append(("additionalProperties", others.json)) }
    return Schema(members)
  }

  /// An object with members of any names.
  static func dictionary(of value: Schema) -> Schema {
    Schema([("type", "object"), ("additionalProperties", value.json)])
  }

  static func anyOf(_ schemas: [Schema]) -> Schema { Schema([("anyOf", .array(schemas.map(\.json)))]) }

  /// One of several objects, which a member with a constant value distinguishes.
  static func oneOf(_ names: KeyValuePairs<String, Schema>, by member: String) -> Schema {
    Schema([
      ("oneOf", .array(names.map(\.value.json))),
      (
        "discriminator",
        [
          "propertyName": .string(member),
          "mapping": .object(names.map { ($0.key, .string(Self.path(of: $0.value.name ?? ""))) }),
        ]
      ),
    ])
  }

  /// All members of several objects.
  static func allOf(_ schemas: [Schema]) -> Schema { Schema([("allOf", .array(schemas.map(\.json)))]) }

  /// A reference to a schema by its name, for one that contains itself.
  static func reference(to name: String) -> Schema { Schema([("$ref", .string(path(of: name)))]) }

  private static func path(of name: String) -> String { "#/components/schemas/\(name)" }

  /// The names of all members that this schema of an object describes. The members of schemas to
  /// which it refers, or of which it is composed, are included.
  var propertyNames: [String] {
    Self.propertyNames(of: definition).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private static func propertyNames(of schema: JSON) -> [String] {
    (schema.members?.all ?? []).flatMap { member -> [String] in
      switch (member.name, member.value) {
      case ("properties", .object(let properties)): properties.all.map(\.name)
      case ("allOf", .array(let parts)), ("anyOf", .array(let parts)): parts.flatMap(propertyNames)
      case ("$ref", .string(let reference)):
        components.first { path(of: $0.name ?? "") == reference }?.propertyNames ?? []
      default: []
      }
    }
  }

  var isArray: Bool {
    reference.members.contains { if $0.name == "type", case .string("array") = $0.value { true } else { false } }
  }

  // MARK: - Variations

  /// The schema, or `null`.
  var orNull: Schema {
    guard case .string(let type)? = reference.members.first(where: { $0.name == "type" })?.value,
      !members.contains(where: { $0.name == "enum" || $0.name == "const" })
    else { return .anyOf([self, .null]) }
    var schema = reference
    schema.members.removeAll { $0.name == "type" }
    schema.members.insert(("type", .array([.string(type), "null"])), at: 0)
    return schema
  }

  /// The schema as one of ``components``.
  func named(_ name: String) -> Schema {
    var schema = self
    schema.name = name
    return schema
  }

  func described(_ text: String) -> Schema { adding("description", .string(text)) }
  func defaulting(to value: JSON) -> Schema { adding("default", value) }

  /// - Parameter values: JSON texts.
  func examples(_ values: String...) -> Schema { adding("examples", .array(values.map(JSON.json))) }

  /// The schema with a member, in place of a member of the same name.
  private func adding(_ name: String, _ value: JSON) -> Schema {
    var schema = reference
    schema.members.removeAll { $0.name == name }
    schema.members.append((name, value))
    return schema
  }
}
