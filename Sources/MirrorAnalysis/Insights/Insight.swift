internal import MirrorSupport

/// One thing that a developer can improve about a view, with the diffs that show it. The route
/// `…/insights` and the tab *Cost* list all insights of a view, those with the most bytes first.
package struct Insight: Sendable, Hashable {
  /// The kind, for programs: one of ``Code``, or the code of a ``Finding``.
  package let code: String
  /// One sentence with the costs.
  package let message: String
  /// What to do, with code between backquotes; `nil` for an unknown code.
  package let advice: String?
  /// The bytes that were sent, although the page had them: values that did not change, and entries
  /// that were on the page at another position. 0 for a problem that costs no bytes.
  package let savesBytes: Int
  /// ``savesBytes`` as a share of the bytes of all diffs that show the problem, from 0 to 1.
  package let share: Double
  /// The place in the templates.
  package let source: TemplateSource
  /// The versions that show the problem and that the log still keeps, ascending. Empty for a
  /// problem of rejected inputs, which make no version.
  package let versions: [Int]

  /// The kinds that are not the code of a finding.
  package enum Code: String, Sendable, CaseIterable {
    /// A list without keys whose entries were sent again after an insertion or a removal.
    case unkeyedList = "unkeyed-list"
    /// A list whose entries were sent with the values that they already had.
    case resentList = "resent-list"
    /// A value outside of lists that was sent without a change.
    case resentValue = "resent-value"
    /// Elements with an id that one diff removed and added again.
    case lostIdentity = "lost-identity"
  }

  /// The maximum number of versions that are named.
  package static let namedVersions = 6

  /// ``versions`` in a few words: `v3, v5, v8 and 12 more`.
  package static func text(ofVersions versions: [Int]) -> String {
    let more = versions.count - namedVersions
    let first = versions.prefix(namedVersions).map { "v\($0)" }.joined(separator: ", ")
    return more > 0 ? "\(first) and \(Formatted.grouped(more)) more" : first
  }
}
