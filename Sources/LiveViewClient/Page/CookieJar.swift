internal import MirrorSupport

/// The cookies of a client.
struct CookieJar: Sendable {
  private(set) var cookies: [Cookie] = []

  /// Stores the cookies of a response. An expired cookie removes the one that it replaces.
  mutating func store(_ headers: [String], from address: WebAddress, at now: Int64) {
    for cookie in headers.compactMap({ Cookie($0, from: address, at: now) }) { set(cookie, at: now) }
  }

  mutating func set(_ cookie: Cookie, at now: Int64) {
    cookies.removeAll { $0.isSame(as: cookie) }
    if !cookie.isExpired(at: now) { cookies.append(cookie) }
  }

  /// The value of the `Cookie` header of a request; `nil` if there are no cookies for it. Cookies of longer paths come first.
  func header(for address: WebAddress, at now: Int64) -> String? {
    let matching = cookies.filter { $0.matches(address) && !$0.isExpired(at: now) }
    let sorted = matching.enumerated().sorted {
      (-$0.element.path.utf8.count, $0.offset) < (-$1.element.path.utf8.count, $1.offset)
    }
    return sorted.isEmpty ? nil : sorted.map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
  }
}
