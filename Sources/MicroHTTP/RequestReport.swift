/// One request as the server saw it end: for a log, for metrics.
public struct RequestReport: Sendable, Hashable {
  /// `nil` where the request could not be read as far as this.
  public let method: HTTPMethod?
  /// The path as it was sent, still encoded; without the query, which may hold secrets.
  public let path: String?
  /// The pattern of the route that answered, such as `/views/{view}`; `nil` where none was found.
  public let route: String?
  public let status: HTTPStatus
  /// From its first line until its answer was made: for a stream, until it began.
  public let duration: Duration
  /// Bytes of the body that came.
  public let received: Int
  /// Bytes of the body that is sent; 0 for a stream.
  public let sent: Int

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
