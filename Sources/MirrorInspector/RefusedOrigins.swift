internal import LiveViewMirror
package import MicroHTTP
internal import MirrorSupport

/// The origins whose pages were refused when they tried to feed the mirror: apps with the tap, for
/// which `--allow-origin` is missing.
///
/// The guards note them, and the list of views shows them. Any page and program can send any
/// origin, so their number is bounded.
package final class RefusedOrigins: Sendable {
  struct Refusal: Sendable, Hashable {
    let origin: String
    /// The time of the last refused request, in milliseconds since 1970.
    var at: Int64

    /// What to do, as a sentence without a full stop.
    var advice: String { "a page of \(origin) was refused; start the mirror with --allow-origin \(origin)" }

    var json: JSON { ["origin": .string(origin), "at": .string(Timestamp.text(at))] }
  }

  /// The maximum number of origins. A new one replaces the one whose first refusal is oldest.
  static let most = 16
  /// The maximum length of an origin in bytes: a host name has at most 253.
  private static let longest = 300

  private let refusals = Guarded<[Refusal]>([])

  package init() {}

  /// The origins, in the order in which they were first refused.
  var all: [Refusal] { refusals.current }

  /// Notes the origin of a refused request, if the request is one of a tap.
  ///
  /// - Returns: what to do, for the log; `nil` if the origin was noted before or is too long, or if
  ///   the request is not one of a tap.
  package func note(_ origin: String, refusedFor request: HTTPRequest) -> String? {
    guard ["frames", "pages"].contains(request.segments.first), origin.utf8.count <= Self.longest else { return nil }
    let refusal = Refusal(origin: origin, at: WallClock.system.now())
    return refusals.withLock { refusals in
      if let place = refusals.firstIndex(where: { $0.origin == origin }) {
        refusals[place] = refusal
        return nil
      }
      if refusals.count == Self.most { refusals.removeFirst() }
      refusals.append(refusal)
      return refusal.advice
    }
  }
}
