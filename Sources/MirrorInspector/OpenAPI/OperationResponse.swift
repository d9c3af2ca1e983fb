internal import MicroHTTP
internal import MirrorSupport

/// A response that a route can give. Each ``Operation`` lists the responses of its route alone.
/// Responses that many routes share are in ``ofServer``, ``ofBody`` and ``ofConditions``.
struct OperationResponse: Sendable {
  let status: HTTPStatus
  let description: String
  var content: [Content] = []
  var headers: [Header] = []
  /// The operations to which a client can pass values of the request or the response.
  var links: [String] = []
  /// The values for the operations in ``links``: runtime expressions of OpenAPI, such as
  /// `$request.path.view`.
  var linkParameters: KeyValuePairs<String, String> = [:]

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

  var json: JSON {
    var members: [(String, JSON)] = [("description", .string(description))]
    if !headers.isEmpty {
      members.append(
        ("headers", .object(headers.map { ($0.name, ["required": .bool($0.isRequired), "schema": $0.schema.json]) })))
    }
    if !content.isEmpty {
      members.append(("content", .object(content.map { ($0.type, $0.json) })))
    }
    if !links.isEmpty {
      let parameters = JSON.object(linkParameters.map { ($0.key, .string($0.value)) })
      members.append(
        ("links", .object(links.map { ($0, ["operationId": .string($0), "parameters": parameters]) })))
    }
    return .object(members)
  }
}

// MARK: - Successes

extension OperationResponse {
  static func ok(_ description: String, _ content: Content..., headers: [Header] = []) -> OperationResponse {
    OperationResponse(status: .ok, description: description, content: content, headers: headers)
  }

  static func created(
    _ description: String, _ content: Content..., headers: [Header] = [.location], links: [String] = [],
    with linkParameters: KeyValuePairs<String, String> = [:]
  ) -> OperationResponse {
    OperationResponse(
      status: .created, description: description, content: content, headers: headers, links: links,
      linkParameters: linkParameters)
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
        Content(type: ProblemDetails.mediaType, schema: .problem),
        .html("The problem as a page, for browsers."),
      ],
      headers: status == .serviceUnavailable || status == .tooManyRequests ? [.retryAfter] : [])
  }

  static let unknownVersion = problem(.notFound, "There is no such view, or it has no such epoch or version.")
  static let evicted = problem(
    .gone,
    "The view was evicted, or the version or the epoch is no longer kept. The problem names the oldest version or the epochs that are."
  )

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

/// What a parameter names, if it need not exist. If a route has several such parameters, the last
/// of their cases in this order is used, because its responses also cover the earlier cases.
enum Absence: Int, Comparable {
  case page, view, epoch, currentEpoch, version

  /// The responses if the thing has never existed, and if it no longer exists.
  var responses: [OperationResponse] {
    switch self {
    case .page: [.problem(.notFound, "There is no such page.")]
    case .view:
      [
        .problem(.notFound, "There is no such view."),
        .problem(.gone, "The view was evicted because of a limit, which the problem names. A mount brings it back."),
      ]
    case .epoch:
      [
        .problem(.notFound, "There is no such view, or it has no such epoch."),
        .problem(.gone, "The view was evicted, or the epoch is no longer kept. The problem names those that are."),
      ]
    case .currentEpoch:
      [
        .problem(.notFound, "There is no such view, or it has no such epoch."),
        .problem(
          .gone,
          "The view was evicted, or the epoch has ended, and its subscribers with it. The problem names the current one."
        ),
      ]
    case .version: [.unknownVersion, .evicted]
    }
  }

  static func < (a: Absence, b: Absence) -> Bool { a.rawValue < b.rawValue }
}
