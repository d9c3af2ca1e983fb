internal import LiveViewMirror
package import MarkupDocument
internal import MirrorSupport

/// One problem in an epoch of a view, with the versions that showed it.
///
/// A duplicate id is one finding, although each diff reports it again while the id is on the page.
/// `ViewState.findings` makes the findings of a view, and the inspector lists them.
/// ``DiagnosticCode`` explains the codes.
package struct Finding: Sendable, Hashable {
  /// The kind, such as `duplicate-id`.
  package let code: String
  /// What was found and what browsers make of it, as a sentence.
  package internal(set) var message: String
  /// The nodes concerned, with their paths in the version that showed the finding last; at most
  /// ``maximumLocatedNodes``.
  package internal(set) var locatedNodes: [DocumentDiagnostic.LocatedNode]
  /// The first version that showed it. For a rejected diff, the version that the view kept.
  package let firstVersion: Int
  /// The last version that showed it.
  package internal(set) var lastVersion: Int
  /// The number of diffs that showed it.
  package internal(set) var count = 1
  /// Whether the newest version still has the problem; `nil` if only reading the whole page again,
  /// or a new mount, could show that.
  package internal(set) var isCurrent: Bool?
  /// What to do about this finding, if ``DiagnosticCode/remedy(in:)`` does not fit; otherwise
  /// `nil`.
  package internal(set) var ownRemedy: String?

  /// The explanation of the code, as a path on this server with a fragment.
  package var explanation: String { DiagnosticCode.helpPath + (DiagnosticCode[code].map { "#\($0.code)" } ?? "") }

  /// The maximum number of ``locatedNodes``.
  static let maximumLocatedNodes = 6
  /// The maximum length of a message in bytes. Ids and tags can be as long as a page.
  static let longestMessage = 400
  /// The maximum length of a code in bytes, and also that of a path.
  static let longestPath = 200
}

extension Finding: CustomStringConvertible {
  /// One line for a terminal:
  ///
  ///     ! duplicate-id  v0–v3, 4 diffs, current  The id "a" is used at 2 <p>…
  package var description: String {
    let versions = firstVersion == lastVersion ? "v\(firstVersion)" : "v\(firstVersion)–v\(lastVersion)"
    let state = isCurrent.map { $0 ? ", current" : ", past" } ?? ""
    let nodes =
      locatedNodes.isEmpty ? "" : "  at " + locatedNodes.map { "\($0.node) \($0.path)" }.joined(separator: ", ")
    return "! \(Terminal.line(code))  \(versions), \(Formatted.count(count, "diff"))\(state)  "
      + "\(Terminal.line(message))\(Terminal.line(nodes))"
  }
}
