/// Makes the response to a request: the central abstraction of this module. ``HTTPServer`` passes
/// its requests to one handler.
///
/// ``Router`` and ``StaticFiles`` are handlers. Middleware, such as a token check or compression,
/// is a handler that contains another handler.
///
/// Handlers run concurrently on the daemon's event loops and workers. On an event loop a handler
/// must not block, except for short locks. An ``HTTPError`` becomes its response; any other error
/// becomes a 500 that reveals no internals.
public protocol HTTPHandler: Sendable {
  /// Makes the response to one request.
  ///
  /// - Throws: ``HTTPError`` for an error that the client may see.
  func handle(_ request: HTTPRequest) throws -> HTTPResponse
}

extension HTTPHandler {
  /// Makes the response, and turns errors into responses.
  ///
  /// - Parameter onFailure: called with an error that the response does not reveal.
  public func respond(to request: HTTPRequest, onFailure: (any Error) -> Void = { _ in }) -> HTTPResponse {
    do {
      return try handle(request)
    } catch let error as HTTPError {
      return error.response
    } catch {
      let failure = error as? HandlerFailure
      onFailure(failure?.cause ?? error)
      return HTTPError(
        .internalServerError, "The request could not be handled; see the server's log for the reason.",
        headers: failure?.headers ?? [:]
      ).response
    }
  }
}

/// A handler made from a closure.
public struct ClosureHandler: HTTPHandler {
  private let body: @Sendable (HTTPRequest) throws -> HTTPResponse

  /// - Parameter body: makes the response.
  public init(_ body: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse) { self.body = body }

  /// Calls the closure.
  public func handle(_ request: HTTPRequest) throws -> HTTPResponse { try body(request) }
}
