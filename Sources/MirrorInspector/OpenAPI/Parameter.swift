internal import MirrorAnalysis
internal import MirrorSupport

/// A parameter of a route: a segment of the path, an item of the query, or a header. Each
/// ``Operation`` lists its own, and ``DescribedRoute`` refuses other items of the query.
struct Parameter: Sendable {
  enum Location: String { case path, query, header }

  let name: String
  let location: Location
  let description: String
  let schema: Schema
  let isRequired: Bool
  /// A value that exists in the documentation's examples.
  let example: JSON?
  /// Whether the name alone is enough, as in `?frame`.
  let isFlag: Bool
  /// The kind of thing that a value of the parameter names and that may not exist; `nil` if there
  /// is none. Responses such as 404 follow from it.
  let absence: Absence?

  init(
    _ name: String, in location: Location = .query, _ schema: Schema, _ description: String, isRequired: Bool = false,
    example: JSON? = nil, isFlag: Bool = false, absence: Absence? = nil
  ) {
    self.name = name
    self.location = location
    self.description = description
    self.schema = schema
    self.isRequired = isRequired || location == .path
    self.example = example
    self.isFlag = isFlag
    self.absence = absence
  }

  var json: JSON {
    var members: [(String, JSON)] = [
      ("name", .string(name)), ("in", .string(location.rawValue)), ("description", .string(description)),
    ]
    if isRequired { members.append(("required", true)) }
    if isFlag { members.append(("allowEmptyValue", true)) }
    members.append(("schema", schema.json))
    // Several values are separated by commas.
    if schema.isArray { members += [("style", "form"), ("explode", false)] }
    if let example { members.append(("example", example)) }
    return .object(members)
  }
}

// MARK: - Paths

extension Parameter {
  /// The parameters that patterns of routes contain, by name. A pattern may have no other names.
  static let inPaths: [String: Parameter] = Dictionary(
    uniqueKeysWithValues: [
      Parameter(
        "view", in: .path, .viewID,
        "The id of a view: a topic such as `lv:phx-F1x`, with `~PAGE` for a view of a page.",
        example: "main", absence: .view),
      Parameter("page", in: .path, .pageID, "The id of a page.", example: "tab", absence: .page),
      Parameter("node", in: .path, .node, "The number of a node.", example: 1),
      Parameter("version", in: .path, .version, "A version of the view.", example: 0, absence: .version),
      Parameter("step", in: .path, .integer(from: 1, upTo: 9), "A step of the update process.", example: 2),
      Parameter("id", in: .path, .integer(from: 1), "The id of a subscription."),
      Parameter(
        "file", in: .path, .string(matching: "^[A-Za-z0-9_-][A-Za-z0-9._-]*$"), "The name of a file.",
        example: "inspector.css"),
    ].map { ($0.name, $0) })
}

// MARK: - Queries

extension Parameter {
  static let shownVersion = Parameter(
    "version", .version, "The version to show; the current one by default.", absence: .version)

  static let epoch = Parameter(
    "epoch", .epochNumber, "The epoch to read, also one that a remount has ended; the current one by default.",
    absence: .epoch)

  static let currentEpoch = Parameter(
    "epoch", .epochNumber, "The current epoch, which is the default. This route accepts no other one.",
    absence: .currentEpoch)

  static let grouping = Parameter(
    "by", .oneOf(CostTotals.Grouping.allCases.map(\.rawValue)).defaulting(to: .string("event")),
    "What a row is about: an event of the client, a template line, a list, or a slot of a template.")

  static let order = Parameter(
    "sort", .oneOf(CostTotals.Order.allCases.map(\.rawValue)).defaulting(to: .string("bytes")),
    "The order of the rows: numbers descending, keys ascending.")

  static let filteredViews = Parameter(
    "find", .queryText, "The page lists only the views with all of these words. The JSON has all views.")

  static let viewOrder = Parameter(
    "sort", .oneOf(IndexOrder.allCases.map(\.rawValue)), "The order of the page; `updated` by default, newest first.")

  static let dialect = Parameter(
    "dialect", .dialect, "The dialect of the markup, if the input does not name it; `html` by default.")

  static let container = Parameter(
    "container", .oneOf(["dead", "empty"]),
    """
    The content of the view's element when the view joined: `dead` is the dead render, `empty` is nothing (live navigation). The \
    default is `dead` at the first mount of a view, and `empty` at later ones.
    """)

  static let client = Parameter(
    "client", .clientVersion,
    "The version of LiveView's client in the page; the server's by default, if the input names it, and else the newest."
  )

  /// The parameter that selects members of the objects in a response.
  ///
  /// - Parameter schema: the schema of these objects.
  static func fields(of schema: Schema) -> Parameter {
    Parameter(
      "fields", .array(of: .oneOf(schema.propertyNames), shortest: 1),
      "The only members that each object of the JSON has, also if its schema requires others. Text and pages ignore this."
    )
  }

  /// A parameter that is present or not, as in `?frame`.
  static func flag(_ name: String, _ description: String) -> Parameter {
    Parameter(name, .queryText.described("Any value, also an empty one."), description, isFlag: true)
  }

  static func node(_ description: String) -> Parameter { Parameter("node", .node, description) }
}
