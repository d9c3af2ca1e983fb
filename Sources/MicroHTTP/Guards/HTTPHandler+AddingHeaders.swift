extension HTTPHandler {
  /// What the handler answers, with more headers, also where it throws.
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

/// An error that no client is told about, on its way out, with the headers that its answer is going to have.
struct HandlerFailure: Error {
  let cause: any Error
  var headers: HTTPHeaders = [:]
}

extension HTTPHeaders {
  /// The value of that name where there is exactly one.
  func only(_ name: String) -> String? { count(of: name) == 1 ? self[name] : nil }

  /// Says that the answer depends on that header of the request, unless it does say so.
  mutating func vary(on name: String) {
    guard let known = list(of: "Vary") else {
      add("Vary", name)
      return
    }
    let names = known.utf8.split(separator: UInt8(ascii: ",")).map { Substring($0).trimmingOptionalWhitespace }
    if names.contains(where: { $0 == "*" || Self.matches(String($0), name) }) { return }
    self["Vary"] = "\(known), \(name)"
  }
}
