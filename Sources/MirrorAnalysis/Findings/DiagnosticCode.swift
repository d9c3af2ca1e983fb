package import MarkupDocument

/// The explanation of one code of a diagnostic or ``Finding``: what it means, an example, and how
/// to fix it in the app.
///
/// ``all`` is the source of `docs/diagnostics.md` and of the page `/help/diagnostics`. No two
/// explanations may have the same code.
package struct DiagnosticCode: Sendable {
  /// How a finding with this code ends.
  enum Kind: Sendable {
    /// A repair of markup. The finding ends when the markup is parsed again without the repair.
    case markup
    /// A duplicate id. Every version with the duplicate reports it again, so the finding ends with
    /// the first version without a report.
    case duplicate
    /// A fault of one update. How such a finding ends depends on its code; see `isCurrent` of
    /// ``Finding``.
    case event
  }

  /// The code. It is also the anchor of the explanation.
  package let code: String
  let kind: Kind
  /// A few words.
  package let title: String
  /// What browsers or LiveView's client do with the problem, and why that matters. This text and
  /// the following ones have code between backquotes.
  package let meaning: String
  /// Markup with the problem, between backquotes; if it would be long, a description in words.
  package let example: String
  /// How to fix it in the app.
  package let remedy: String
  /// The remedy for markup that is not HTML; `nil` if ``remedy`` applies to every dialect.
  private let nativeRemedy: String?

  init(
    _ code: String, _ kind: Kind, _ title: String, _ meaning: String, example: String, remedy: String,
    inNative nativeRemedy: String? = nil
  ) {
    self.code = code
    self.kind = kind
    self.title = title
    self.meaning = meaning
    self.example = example
    self.remedy = remedy
    self.nativeRemedy = nativeRemedy
  }

  /// How to fix it in the app, without advice about HTML for markup of another dialect.
  package func remedy(in dialect: Dialect) -> String {
    dialect.hasHTMLElements ? remedy : nativeRemedy ?? remedy
  }

  /// The path of the page with all explanations.
  package static let helpPath = "/help/diagnostics"

  /// The groups of codes with their headings.
  package static let groups: [(title: String, codes: [DiagnosticCode])] = [
    ("The view and its diffs", updates), ("The structure of the markup", structure), ("Tables and forms", tables),
    ("Tags, attributes and comments", tags),
  ]

  /// The codes of all groups.
  package static var all: [DiagnosticCode] { groups.flatMap(\.codes) }

  private static let byCode = Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0) })

  /// The explanation of a code; `nil` for an unknown one.
  package static subscript(code: String) -> DiagnosticCode? { byCode[code] }
}

extension DiagnosticCode {
  /// The introduction of the document and the page.
  package static let introduction = """
    The mirror accepts whatever a browser accepts, and reports what the browser repairs. After a repair, CSS \
    selectors, hooks, patches and subscribers find other elements than the template has. A *finding* is one cause, \
    with the versions that showed it. `GET /views/{view}/diagnostics` lists the findings of a view; each change set \
    has the diagnostics of its own diff.
    """

  /// The document `docs/diagnostics.md`.
  package static var markdown: String {
    var lines = [
      "# Diagnostics", "", introduction, "",
      "`GET \(helpPath)` shows the same texts. They are in `Sources/MirrorAnalysis/Findings`.", "",
    ]
    for group in groups {
      lines += ["## \(group.title)", ""]
      for code in group.codes {
        lines += ["### \(code.code)", "", "**\(code.title):** \(code.example)", ""]
        lines += [code.meaning, "", "*Remedy:* \(code.remedy)", ""]
      }
    }
    return lines.dropLast().joined(separator: "\n") + "\n"
  }
}
