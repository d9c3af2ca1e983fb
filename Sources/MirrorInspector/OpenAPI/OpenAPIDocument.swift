internal import MicroHTTP
internal import MirrorSupport

/// The OpenAPI description (3.1) of the HTTP API, made from the routes. ``ServerRoutes`` responds
/// to `GET /openapi.json` with it.
///
/// The router says which paths and methods exist. ``Operation/all`` describes them, and
/// ``Schema/components`` their JSON.
struct OpenAPIDocument {
  /// The routes of the router.
  let routes: [Router.Route]
  /// Whether the server requires a token.
  let hasToken: Bool
  /// The version of the program.
  let version: String

  private static let operations = Dictionary(
    uniqueKeysWithValues: Operation.all.map { ("\($0.method) \($0.pattern)", $0) })

  /// The operation of a route; `nil` if the route is not described.
  static func operation(of route: Router.Route) -> Operation? { operations["\(route.method) \(route.pattern)"] }

  /// The document as JSON.
  ///
  /// - Parameter address: the address by which the client has reached this server, such as
  ///   `http://localhost:8080`.
  /// - Complexity: O(*document*), 3 ms.
  func json(at address: String) -> [UInt8] {
    JSON.object(
      [
        ("openapi", "3.1.0"), ("jsonSchemaDialect", "https://json-schema.org/draft/2020-12/schema"), ("info", info),
        ("servers", [["url": .string(address)]]),
        ("tags", .array(Operation.Tag.allCases.map { ["name": .string($0.rawValue)] })),
      ] + (hasToken ? [("security", [["token": []]])] : []) + [("paths", .object(paths)), ("components", components)]
    ).bytes
  }

  private var info: JSON {
    [
      "title": "liveview-mirror", "version": .string(version),
      "summary": "Mirrors Phoenix LiveView's update process and shows it.",
      "description": .string(Self.description),
    ]
  }

  private static let description = """
    A *view* is one mounted LiveView. Its *epoch* is 1 at its first mount, and one more at every remount. Its *version* is 0 after a \
    mount, and one more after every diff. A *node* is a number that never names two nodes within an epoch.

    Responses are JSON. If `Accept` asks for `text/html` or `text/plain`, and the resource has that form, the response has it. Errors \
    are problems (RFC 9457). Every `GET` route also answers `HEAD`, and every path `OPTIONS`; other methods get a `405` with `Allow`. Objects in responses may \
    gain members.
    """

  /// The described routes, grouped by path in the order of the router.
  private var paths: [(String, JSON)] {
    var order: [String] = []
    var operations: [String: [(String, JSON)]] = [:]
    for operation in routes.compactMap(Self.operation(of:)) {
      if operations[operation.path] == nil { order.append(operation.path) }
      operations[operation.path, default: []].append(
        (operation.method.rawValue.lowercased(), operation.json(hasToken: hasToken)))
    }
    return order.map { ($0, .object(operations[$0] ?? [])) }
  }

  // MARK: - Components

  private var components: JSON {
    let schemas = Schema.components.compactMap { schema in schema.name.map { ($0, schema.definition) } }
    let responses = OperationResponse.ofServer + OperationResponse.ofBody + OperationResponse.ofConditions
    return .object(
      [
        ("schemas", .object(schemas)),
        ("responses", .object((responses + (hasToken ? [.unauthorized] : [])).map { (Self.name(of: $0), $0.json) })),
      ] + (hasToken ? [("securitySchemes", Self.securitySchemes)] : []))
  }

  private static let securitySchemes: JSON = [
    "token": [
      "type": "http", "scheme": "bearer",
      "description":
        "The token of `--token`. A browser opens any page once with `?token=TOKEN`, and gets a cookie.",
    ]
  ]

  static func reference(to response: OperationResponse) -> JSON {
    ["$ref": .string("#/components/responses/\(name(of: response))")]
  }

  private static func name(of response: OperationResponse) -> String { "Status\(response.status.code)" }
}
