internal import MirrorSupport

/// A cookie with its attributes, as a `Set-Cookie` header sets it (RFC 6265). ``CookieJar`` keeps
/// the cookies of a client.
struct Cookie: Sendable, Hashable {
  var name: String
  var value: String
  /// In lower case, without a leading dot.
  var domain: String
  /// Whether only requests to exactly `domain` get the cookie. This holds if the header had no
  /// `Domain`, or if its `Domain` has no dot.
  var isHostOnly: Bool
  var path: String
  var isSecure: Bool
  /// In seconds since 1970; `nil` for a cookie that lasts as long as the program.
  var expiry: Int64?

  /// The longest name and value together, in bytes (RFC 6265, section 6.1).
  static let maximumSize = 4_096
  /// The longest lifetime, in seconds: 400 days, as in browsers.
  static let maximumLifetime: Int64 = 400 * 86_400

  /// Reads a `Set-Cookie` header.
  ///
  /// - Returns: `nil` if the header has no cookie, if the cookie is too long, or if this address
  ///   may not set it.
  init?(_ header: String, from address: WebAddress, at now: Int64) {
    var fields = header.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmingOptionalWhitespace)
    let pair = fields.removeFirst()
    guard let equals = pair.firstIndex(of: "="), equals != pair.startIndex else { return nil }
    name = String(pair[..<equals].trimmingOptionalWhitespace)
    value = String(pair[pair.index(after: equals)...].trimmingOptionalWhitespace)
    guard name.utf8.count + value.utf8.count <= Self.maximumSize else { return nil }
    (domain, isHostOnly, isSecure) = (address.host, true, false)
    path = Self.usualPath(of: address)
    var maximumAge: Int64?
    for field in fields {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let text = parts.count > 1 ? parts[1].trimmingOptionalWhitespace : ""
      switch parts[0].lowercased() {
      case "domain" where !text.isEmpty:
        domain = (text.hasPrefix(".") ? text.dropFirst() : text).lowercased()
        guard Self.matches(address.host, domain: domain) else { return nil }
        // A domain without a dot is a public suffix such as "com", or the host itself (RFC 6265,
        // section 5.3, step 5).
        isHostOnly = !domain.contains(".")
        if isHostOnly, domain != address.host { return nil }
      case "path" where text.hasPrefix("/"): path = String(text)
      case "secure": isSecure = true
      case "max-age": maximumAge = Self.lifetime(text) ?? maximumAge
      case "expires": expiry = expiry ?? CookieDate.seconds(String(text))
      default: break
      }
    }
    if let maximumAge { expiry = maximumAge <= 0 ? 0 : now + maximumAge }
    // A page that was loaded without TLS cannot set a cookie that needs TLS, unless its host is
    // this machine. Browsers do the same.
    if isSecure, !address.isSecure, !Self.isLoopback(address.host) { return nil }
  }

  /// A cookie for all pages of a host. ``PageLoader`` and ``ClientSession`` make it for a cookie
  /// that the program or a page's script sets.
  init(_ name: String, _ value: String, for address: WebAddress, expiry: Int64? = nil) {
    self.name = name
    self.value = value
    // A redirect to the same host without TLS does not get the cookie.
    (domain, isHostOnly, path, isSecure) = (address.host, true, "/", address.isSecure)
    self.expiry = expiry
  }

  func isExpired(at now: Int64) -> Bool { expiry.map { $0 <= now } ?? false }

  /// Whether a request to an address has the cookie.
  func matches(_ address: WebAddress) -> Bool {
    guard isHostOnly ? address.host == domain : Self.matches(address.host, domain: domain) else { return false }
    if isSecure, !address.isSecure, !Self.isLoopback(address.host) { return false }
    guard address.path.hasPrefix(path) else { return false }
    return path.hasSuffix("/") || address.path.utf8.count == path.utf8.count
      || address.path.dropFirst(path.count).first == "/"
  }

  /// Whether another cookie replaces this one.
  func isSame(as other: Cookie) -> Bool {
    name == other.name && domain == other.domain && path == other.path
  }

  // MARK: - Parts

  /// The value of `Max-Age`, at most ``maximumLifetime``; `nil` if it is not a number.
  private static func lifetime(_ text: Substring) -> Int64? {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text
    guard !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return text.hasPrefix("-") ? 0 : min(Int64(digits) ?? .max, maximumLifetime)
  }

  private static func matches(_ host: String, domain: String) -> Bool {
    host == domain || host.hasSuffix(".\(domain)") && host.contains { !"0123456789.".contains($0) }
  }

  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "::1"
      || host.hasPrefix("127.") && host.allSatisfy { "0123456789.".contains($0) }
  }

  /// The folder of the address (RFC 6265, section 5.1.4).
  private static func usualPath(of address: WebAddress) -> String {
    guard let slash = address.path.lastIndex(of: "/"), slash != address.path.startIndex else { return "/" }
    return String(address.path[..<slash])
  }
}

/// Dates of `Expires`, in the formats that servers send: `Sun, 06 Nov 1994 08:49:37 GMT` and its
/// variants (RFC 6265, section 5.1.1).
enum CookieDate {
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// The seconds since 1970; `nil` if the text is not a date.
  static func seconds(_ text: String) -> Int64? {
    var (day, month, year): (Int?, Int?, Int?) = (nil, nil, nil)
    var time: (Int, Int, Int)?
    for token in text.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == ":") }) {
      let clock = token.split(separator: ":").compactMap { Int($0) }
      if time == nil, token.contains(":"), clock.count == 3 {
        time = (clock[0], clock[1], clock[2])
      } else if month == nil, let index = months.firstIndex(of: token.prefix(3).lowercased()) {
        month = index + 1
      } else if let number = Int(token) {
        if day == nil, token.count <= 2 { day = number } else if year == nil { year = number }
      }
    }
    guard let day, let month, var year, let time else { return nil }
    if year < 70 { year += 2_000 } else if year < 100 { year += 1_900 }
    guard (1...31).contains(day), (1_601...9_999).contains(year), time.0 < 24, time.1 < 60, time.2 < 60 else {
      return nil
    }
    // February has no day 30.
    guard days(year, month, day) < days(year + month / 12, month % 12 + 1, 1) else { return nil }
    return days(year, month, day) * 86_400 + Int64(time.0 * 3_600 + time.1 * 60 + time.2)
  }

  /// The days since 1970 of a civil date. Years begin in March here, so that the leap day is the
  /// last day of a year.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
    let shifted = month > 2 ? year : year - 1
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return Int64(era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468)
  }
}
