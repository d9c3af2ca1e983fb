/// The result of one request, for logs and metrics.
public struct RequestReport: Sendable, Hashable {
  /// The method; `nil` if the request could not be parsed that far.
  public let method: HTTPMethod?
  /// The path as it was sent, percent-encoded. Without the query, which may contain secrets. `nil` if the request could not be
  /// parsed that far.
  public let path: String?
  /// The pattern of the route that made the response, such as `/views/{view}`; `nil` if no route did.
  public let route: String?
  /// The status of the response.
  public let status: HTTPStatus
  /// The time from the request's first line until its response was made. For a stream, until it began.
  public let duration: Duration
  /// The number of received bytes of the request's body.
  public let received: Int
  /// The length of the response's body; 0 for a stream.
  public let sent: Int

  /// A report with the given values.
  public init(
    method: HTTPMethod?, path: String?, route: String? = nil, status: HTTPStatus, duration: Duration, received: Int = 0,
    sent: Int = 0
  ) {
    self.method = method
    self.path = path
    self.route = route
    self.status = status
    self.duration = duration
    self.received = received
    self.sent = sent
  }
}
