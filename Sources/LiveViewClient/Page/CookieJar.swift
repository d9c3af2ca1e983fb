internal import MirrorSupport

/// The cookies of a client. ``PageLoader`` has one.
///
/// A server could send any number of cookies, so the jar keeps a limited number, as RFC 6265,
/// section 6.1, permits. The jar has at most one cookie for each name, domain and path.
struct CookieJar: Sendable {
  static let maximumOfHost = 50
  static let maximum = 3_000

  /// In the order in which they were set.
  private(set) var cookies: [Cookie] = []

  /// Stores the cookies of a response. An expired cookie removes the cookie that it replaces.
  mutating func store(_ headers: [String], from address: WebAddress, at now: Int64) {
    for cookie in headers.compactMap({ Cookie($0, from: address, at: now) }) { set(cookie, at: now) }
  }

  /// Replaces the cookie with the same name, domain and path by this one, which is not stored if it
  /// has expired. If the jar then has too many cookies of the same domain, or too many in all,
  /// removes the oldest of them.
  mutating func set(_ cookie: Cookie, at now: Int64) {
    cookies.removeAll { $0.isSame(as: cookie) }
    guard !cookie.isExpired(at: now) else { return }
    cookies.append(cookie)
    let ofHost = cookies.indices.filter { cookies[$0].domain == cookie.domain }
    if ofHost.count > Self.maximumOfHost { cookies.remove(at: ofHost[0]) }
    if cookies.count > Self.maximum { cookies.removeFirst() }
  }

  /// The value of the `Cookie` header of a request; `nil` if there are no cookies for it. Cookies
  /// of longer paths come first.
  func header(for address: WebAddress, at now: Int64) -> String? {
    let matching = cookies.filter { $0.matches(address) && !$0.isExpired(at: now) }
    let sorted = matching.enumerated().sorted {
      (-$0.element.path.utf8.count, $0.offset) < (-$1.element.path.utf8.count, $1.offset)
    }
    return sorted.isEmpty ? nil : sorted.map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
  }
}
