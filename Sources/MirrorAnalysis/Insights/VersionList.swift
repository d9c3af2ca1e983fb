internal import MirrorSupport

/// Versions in a few words: `v3, v5, v8 and 12 more`.
package enum VersionList {
  /// The maximum number of versions that are named.
  package static let named = 6

  package static func text(_ versions: [Int]) -> String {
    let more = versions.count - named
    let first = versions.prefix(named).map { "v\($0)" }.joined(separator: ", ")
    return more > 0 ? "\(first) and \(Formatted.grouped(more)) more" : first
  }
}
