internal import MicroHTTP
internal import MirrorSupport

/// Middleware that treats a route as its ``Operation`` describes it: it refuses other query
/// parameters, adds `Vary: Accept` if there are several media types, and applies `?fields=`. The
/// router of ``Inspector`` encloses each described route in one.
struct DescribedRoute: HTTPHandler {
  private let operation: Operation
  private let handler: any HTTPHandler
  private let mediaTypes: [String]
  private let parameters: [String]

  /// The middleware of a route; the handler itself for a route that is not described.
  @Sendable
  static func enclosing(_ route: Router.Route, _ handler: any HTTPHandler) -> any HTTPHandler {
    OpenAPIDocument.operation(of: route).map { DescribedRoute($0, handler) } ?? handler
  }

  private init(_ operation: Operation, _ handler: any HTTPHandler) {
    (self.operation, self.handler) = (operation, handler)
    mediaTypes = operation.mediaTypes
    parameters = operation.allParameters.filter { $0.location == .query }.map(\.name)
  }

  /// - Throws: 400 for a parameter or a field that the route does not know, and the errors of the
  ///   handler.
  func handle(_ request: HTTPRequest) throws -> HTTPResponse {
    let fields = request.query == nil || isPage(for: request) ? nil : try checkedFields(of: request)
    var response = try handler.handle(request)
    if mediaTypes.count > 1 { response.headers.vary(on: "Accept") }
    if let fields, response.status == .ok, response.headers["Content-Type"] == ResourceForm.json.rawValue {
      response.body = .bytes(fields.applied(to: response.bytes))
    }
    return response
  }

  /// Whether the content is a page or a file. The parameters of such a request are not checked,
  /// because other programs may add parameters to links, such as `utm_source`.
  private func isPage(for request: HTTPRequest) -> Bool {
    if operation.isOfPage { return true }
    let type = request.preferred(among: mediaTypes) ?? mediaTypes.first
    return type == ResourceForm.html.rawValue || type == "*/*"
  }

  /// The fields that the request chooses; `nil` for all.
  ///
  /// - Throws: 400 for an unknown parameter or field.
  private func checkedFields(of request: HTTPRequest) throws(HTTPError) -> FieldSelection? {
    if let unknown = request.queryItems.first(where: { !parameters.contains($0.name) })?.name {
      throw HTTPError(
        .unknownParameter,
        "\"\(unknown)\" is not a parameter of \(operation.method) \(operation.pattern)\(Self.hint(unknown, parameters))"
      )
    }
    // A client may repeat the parameter instead of writing commas.
    let fields = request.queryItems.filter { $0.name == "fields" }.map(\.value)
    guard let items = operation.items, !fields.isEmpty else { return nil }
    return try FieldSelection(fields.joined(separator: ","), of: items)
  }

  /// The end of a sentence about a name that is not one of the known names.
  static func hint(_ name: String, _ known: [String]) -> String {
    if known.isEmpty { return ", which has none." }
    // Bounds the work: no name that is much longer is similar.
    if name.utf8.count <= 64, let similar = name.mostSimilar(among: known) {
      return "; did you mean \(similar)?"
    }
    return "; it must be one of \(known.joined(separator: ", "))."
  }
}
