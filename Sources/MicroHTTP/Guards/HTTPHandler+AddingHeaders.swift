internal import MirrorSupport

extension HTTPHandler {
  /// Handles a request, and changes the headers of the response or of the thrown error.
  func handle(_ request: HTTPRequest, changing change: (inout HTTPHeaders) -> Void) throws -> HTTPResponse {
    do {
      var response = try handle(request)
      change(&response.headers)
      return response
    } catch var error as HTTPError {
      change(&error.headers)
      throw error
    } catch var failure as HandlerFailure {
      change(&failure.headers)
      throw failure
    } catch {
      var failure = HandlerFailure(cause: error)
      change(&failure.headers)
      throw failure
    }
  }
}

/// An internal error, which is not shown to clients, with the headers of the response that it will become.
struct HandlerFailure: Error {
  let cause: any Error
  var headers: HTTPHeaders = [:]
}

extension HTTPHeaders {
  /// The value of a field that occurs exactly once; otherwise `nil`.
  func only(_ name: String) -> String? { count(of: name) == 1 ? self[name] : nil }

  /// Adds a request header to `Vary`, unless `Vary` contains it already.
  package mutating func vary(on name: String) {
    guard let known = list(of: "Vary") else {
      add("Vary", name)
      return
    }
    let names = known.utf8.split(separator: UInt8(ascii: ",")).map { Substring($0).trimmingOptionalWhitespace }
    if names.contains(where: { $0 == "*" || Self.matches(String($0), name) }) { return }
    self["Vary"] = "\(known), \(name)"
  }
}
