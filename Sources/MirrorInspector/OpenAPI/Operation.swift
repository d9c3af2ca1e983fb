internal import MicroHTTP

/// The description of one route. ``OpenAPIDocument`` writes it, and ``DescribedRoute`` checks the
/// parameters of requests by it.
///
/// Each group of routes has a table of its operations in the folder `Operations`. A route belongs
/// to the operation with its method and pattern; a test fails for a route without an operation.
struct Operation: Sendable {
  /// The groups in which generated documentation and clients show the operations.
  enum Tag: String, CaseIterable {
    case feeding = "Feeding"
    case views = "Views"
    case versions = "Versions"
    case nodes = "Nodes"
    case subscribers = "Subscribers"
    case pages = "Pages"
    case server = "Server"
  }

  let method: HTTPMethod
  /// The pattern of the route in the router.
  let pattern: String
  /// The name of the operation in generated clients.
  let id: String
  let tag: Tag
  let summary: String
  var description: String?
  /// The parameters besides those of the path, which follow from the pattern.
  var parameters: [Parameter] = []
  var body: RequestBody?
  /// The responses of this route alone. Other responses follow from the parameters, or belong to
  /// many routes, such as ``OperationResponse/ofServer``.
  let responses: [OperationResponse]
  /// Whether the route may create the thing that its path names, so that it does not respond with
  /// 404.
  var isOfNew = false
  /// Whether the response has an entity tag.
  var isValidated = false
  /// Whether the route needs no token.
  var isOpen = false
  /// Whether the script of a page requests this route. The script passes on the parameters of the
  /// page's address, so the parameters are not checked.
  var isOfPage = false

  /// The objects of the response from which the parameter `fields` selects members; `nil` for a
  /// route without the parameter.
  var items: Items?

  /// The objects that a response lists or describes.
  struct Items: Sendable {
    let schema: Schema
    /// The member of the response that is the list; `nil` if the response is the object.
    var list: String?
  }

  /// All operations.
  static let all: [Operation] =
    feeding + files + views + log + nodes + subscribers + pages + server

  /// The names of the path's parameters. OpenAPI has no form for a parameter of several segments,
  /// so `{file...}` is `{file}`.
  static func parameters(of pattern: String) -> [String] {
    pattern.matches(of: /\{(\w+)(\.\.\.)?\}/).map { String($0.1) }
  }

  /// The parameters besides those of the path.
  var allParameters: [Parameter] { parameters + (items.map { [.fields(of: $0.schema)] } ?? []) }

  /// The media types of the content, in the order of preference of the server. A route that sends
  /// browsers to the inspector also has HTML.
  var mediaTypes: [String] {
    responses.filter { $0.status == .ok || $0.status == .created }.flatMap { $0.content.map(\.type) }.reduce(into: []) {
      if !$0.contains($1) { $0.append($1) }
    } + (responses.contains { $0.status == .seeOther } ? [ResourceForm.html.rawValue] : [])
  }

  /// The path of the operation in the document.
  var path: String { pattern.replacing("...}", with: "}") }
}
