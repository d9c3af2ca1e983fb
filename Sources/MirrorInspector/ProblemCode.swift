internal import MicroHTTP

/// The member `code` of problems: a word for each kind of problem. The routes throw errors with
/// these codes. Programs compare the words, so a raw value must not change. The `detail` may change
/// with each release.
///
///     throw HTTPError(.unknownView, "There is no view \"main\".")
///
/// A problem without a case here, such as that of a path without a route, has the code of its
/// status. See ``all``.
enum ProblemCode: String, CaseIterable {
  case invalidJSON = "invalid-json"
  case invalidBody = "invalid-body"
  case invalidParameter = "invalid-parameter"
  case missingParameter = "missing-parameter"
  case unknownParameter = "unknown-parameter"
  case unknownField = "unknown-field"
  case invalidViewID = "invalid-view-id"
  case invalidPageID = "invalid-page-id"
  case unknownView = "unknown-view"
  case unknownPage = "unknown-page"
  case unknownEpoch = "unknown-epoch"
  case unknownVersion = "unknown-version"
  case unknownNode = "unknown-node"
  case unknownStep = "unknown-step"
  case unknownSubscription = "unknown-subscription"
  case evictedView = "evicted-view"
  case evictedVersion = "evicted-version"
  case endedEpoch = "ended-epoch"
  case staleFrame = "stale-frame"
  case nestedUpdate = "nested-update"
  case noCarrier = "no-carrier"
  case unfitting = "does-not-fit"
  case tooMany = "too-many"
  case damaged = "damaged-view"
  case outOfMemory = "out-of-memory"
  case notKept = "not-kept"
  case outdated = "changed-elsewhere"
  case stopping = "stopping"
  case notJoined = "not-joined"
  case unanswered = "unanswered"

  /// The status of a problem of this kind.
  var status: HTTPStatus {
    switch self {
    case .invalidJSON, .invalidParameter, .missingParameter, .unknownParameter, .unknownField, .invalidViewID,
      .invalidPageID:
      .badRequest
    case .unknownView, .unknownPage, .unknownEpoch, .unknownVersion, .unknownNode, .unknownStep,
      .unknownSubscription:
      .notFound
    case .staleFrame, .nestedUpdate, .noCarrier: .conflict
    case .evictedView, .evictedVersion, .endedEpoch: .gone
    case .invalidBody, .unfitting: .unprocessableContent
    case .tooMany: .tooManyRequests
    case .damaged: .internalServerError
    case .outOfMemory, .notKept, .outdated, .stopping: .serviceUnavailable
    case .notJoined, .unanswered: .gatewayTimeout
    }
  }

  /// Every code: the codes of the statuses for which the server makes problems itself, and the
  /// codes of the mirror.
  static let all: [String] = serverStatuses.map(\.problemCode) + allCases.map(\.rawValue)

  private static let serverStatuses: [HTTPStatus] = [
    .badRequest, .unauthorized, .forbidden, .notFound, .methodNotAllowed, .requestTimeout, .preconditionFailed,
    .contentTooLarge, .uriTooLong, .unsupportedMediaType, .expectationFailed, .misdirectedRequest,
    .requestHeaderFieldsTooLarge, .internalServerError, .notImplemented, .serviceUnavailable,
  ]
}

extension HTTPError {
  /// An error with the status of a code.
  ///
  /// - Parameter title: by default that of the status.
  init(
    _ code: ProblemCode, title: String? = nil, _ detail: String, pointer: String? = nil, offset: Int? = nil,
    headers: HTTPHeaders = [:]
  ) {
    self.init(ProblemDetails(code, title: title, detail, pointer: pointer, offset: offset), headers: headers)
  }
}

extension ProblemDetails {
  /// A problem with the status of a code.
  init(_ code: ProblemCode, title: String? = nil, _ detail: String, pointer: String? = nil, offset: Int? = nil) {
    self.init(
      status: code.status, title: title, code: code.rawValue, detail: detail, pointer: pointer, offset: offset)
  }
}
