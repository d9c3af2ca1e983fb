internal import MicroHTTP

/// A response that a route can give.
struct OperationResponse: Sendable {
  let status: HTTPStatus
  let description: String
  var content: [Content] = []
  var headers: [Header] = []
  /// Values of this response with which other routes can be requested.
  var links: [Link] = []

  struct Content: Sendable {
    let type: String
    let schema: Schema

    static func json(_ schema: SchemaName) -> Content { Content(type: "application/json", schema: .named(schema)) }
    static func text(_ description: String) -> Content {
      Content(type: "text/plain", schema: .string.described(description))
    }
    static func html(_ description: String) -> Content {
      Content(type: "text/html", schema: .string.described(description))
    }
    /// Server-Sent Events. The schema is that of one event.
    static func events(_ schema: Schema) -> Content { Content(type: "text/event-stream", schema: schema) }
    /// Lines of JSON.
    static func lines(_ schema: SchemaName) -> Content {
      Content(type: "application/x-ndjson", schema: .lines(of: schema))
    }
  }

  struct Header: Sendable {
    let name: String
    let schema: Schema
    var isRequired = true

    static let location = Header(name: "Location", schema: .string.described("The path of the new resource."))
    static let entityTag = Header(
      name: "ETag", schema: .string.described("A tag of the content, for `If-None-Match` and `If-Match`."))
    static let retryAfter = Header(
      name: "Retry-After", schema: .integer(from: 0).described("The seconds to wait before another try."),
      isRequired: false)
  }

  /// - Parameter parameters: runtime expressions of OpenAPI, such as `$request.path.view`.
  struct Link: Sendable {
    let name: String
    let operation: String
    let parameters: KeyValuePairs<String, String>
  }

  var json: JSON {
    var members: [(String, JSON)] = [("description", .string(description))]
    if !headers.isEmpty {
      members.append(
        (
          "headers",
          .object(
            headers.map { ($0.name, ["required": .bool($0.isRequired), "schema": $0.schema.json]) })
        ))
    }
    if !content.isEmpty {
      members.append(("content", .object(content.map { ($0.type, ["schema": $0.schema.json]) })))
    }
    if !links.isEmpty {
      members.append(("links", .object(links.map { ($0.name, $0.json) })))
    }
    return .object(members)
  }
}

extension OperationResponse.Link {
  fileprivate var json: JSON {
    ["operationId": .string(operation), "parameters": .object(parameters.map { ($0.key, .string($0.value)) })]
  }
}

// MARK: - Successes

extension OperationResponse {
  static func ok(_ description: String, _ content: Content..., headers: [Header] = []) -> OperationResponse {
    OperationResponse(status: .ok, description: description, content: content, headers: headers)
  }

  static func created(
    _ description: String, _ content: Content..., headers: [Header] = [.location], links: [Link] = []
  ) -> OperationResponse {
    OperationResponse(status: .created, description: description, content: content, headers: headers, links: links)
  }

  static func noContent(_ description: String) -> OperationResponse {
    OperationResponse(status: .noContent, description: description)
  }
}

extension OperationResponse {
  /// The answer to browsers for data that the inspector shows.
  static let inspector = OperationResponse(
    status: .seeOther, description: "Browsers are sent to the inspector, which shows the same data.",
    headers: [.location])
}

// MARK: - Problems

extension OperationResponse {
  /// A problem (RFC 9457). A browser gets it as a page.
  static func problem(_ status: HTTPStatus, _ description: String) -> OperationResponse {
    OperationResponse(
      status: status, description: description,
      content: [
        Content(type: ProblemDetails.mediaType, schema: .named(.problem)),
        .html("The problem as a page, for browsers."),
      ],
      headers: status == .serviceUnavailable || status == .tooManyRequests ? [.retryAfter] : [])
  }

  static let unknownView = problem(.notFound, "There is no such view.")
  static let unknownEpoch = problem(.notFound, "There is no such view, or it has no such epoch.")
  static let unknownVersion = problem(.notFound, "There is no such view, or it has no such epoch or version.")
  static let evicted = problem(
    .gone,
    "The view was evicted, or the version or the epoch is no longer kept. The problem names the oldest version or the epochs that are."
  )
  static let droppedEpoch = problem(
    .gone, "The view was evicted, or the epoch is no longer kept. The problem names those that are.")
  static let endedEpoch = problem(
    .gone,
    "The view was evicted, or the epoch has ended, and its subscribers with it. The problem names the current one.")
  static let evictedView = problem(
    .gone, "The view was evicted because of a limit, which the problem names. A mount brings it back.")
  static let unknownPage = problem(.notFound, "There is no such page.")

  /// The responses of every route, which the server gives before the route is reached.
  static let ofServer = [
    problem(.badRequest, "The request is malformed, or a parameter has an invalid value."),
    problem(.forbidden, "The request comes from a page of another origin that is not allowed (`--allow-origin`)."),
    problem(.requestTimeout, "The request was not received in time."),
    problem(.misdirectedRequest, "`Host` does not name this server (`--allow-host`)."),
    problem(
      .serviceUnavailable,
      "The server is stopping or overloaded, or the journal accepts no changes. Nothing was applied."),
    OperationResponse(status: .uriTooLong, description: "The target is longer than 16 KiB."),
    OperationResponse(status: .requestHeaderFieldsTooLarge, description: "The headers are longer than 16 KiB."),
  ]

  /// The responses of every route with a body, besides ``ofServer``.
  static let ofBody = [
    problem(.contentTooLarge, "The body is longer than `--max-body`."),
    problem(.expectationFailed, "`Expect` is not `100-continue`."),
    problem(.notImplemented, "`Transfer-Encoding` is not `chunked`."),
  ]

  /// The responses of every route whose content has an entity tag.
  static let ofConditions = [
    OperationResponse(status: .notModified, description: "The client already has the content (`If-None-Match`)."),
    problem(.preconditionFailed, "The content has another tag than `If-Match`."),
  ]

  static let unauthorized = problem(.unauthorized, "The token is missing or wrong.")
}
