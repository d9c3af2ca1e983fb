/// Makes an answer of a request: the one abstraction of this module.
///
/// A ``Router`` is a handler, ``StaticFiles`` is one, and whatever stands in front of others (a check of tokens, a
/// compression) is a handler that holds a handler.
///
/// It runs on the daemon's thread, next to others, so it must not wait for anything but a lock. What it throws becomes an
/// answer: an ``HTTPError`` as it is, any other error a 500 that tells nothing of the inside.
public protocol HTTPHandler: Sendable {
  func handle(_ request: HTTPRequest) throws -> HTTPResponse
}

extension HTTPHandler {
  /// The answer, whatever happens. `onFailure` hears of the errors that the answer keeps to itself.
  public func respond(to request: HTTPRequest, onFailure: (any Error) -> Void = { _ in }) -> HTTPResponse {
    do {
      return try handle(request)
    } catch let error as HTTPError {
      return error.response
    } catch {
      let failure = error as? HandlerFailure
      onFailure(failure?.cause ?? error)
      return HTTPError(
        .internalServerError, "The request could not be handled; the server's log says why.",
        headers: failure?.headers ?? [:]
      ).response
    }
  }
}

/// A closure as a handler.
public struct ClosureHandler: HTTPHandler {
  private let body: @Sendable (HTTPRequest) throws -> HTTPResponse

  public init(_ body: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse) { self.body = body }

  public func handle(_ request: HTTPRequest) throws -> HTTPResponse { try body(request) }
}
