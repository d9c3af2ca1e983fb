package import MarkupDocument

/// The explanation of one code of a diagnostic or ``Finding``: what it means, why it matters, and how to fix it in the app.
///
/// ``all`` is the source of `docs/diagnostics.md` and of the page `/help/diagnostics`.
package struct DiagnosticCode: Sendable {
  /// How a finding with this code ends.
  enum Kind: Sendable {
    /// A repair of markup. It holds until the markup is parsed again without it.
    case markup
    /// Each version that has it reports it.
    case duplicate
    /// A fault of one diff.
    case event
  }

  /// The code. It is also the anchor of the explanation.
  package let code: String
  let kind: Kind
  /// A few words.
  package let title: String
  /// What was found, and what browsers or LiveView's client make of it. Code is between backquotes, here and below.
  package let meaning: String
  /// Why it matters.
  package let effect: String
  /// How to fix it in the app.
  package let remedy: String
  /// The remedy for markup that is not HTML; `nil` if ``remedy`` applies to every dialect.
  private let nativeRemedy: String?

  init(
    _ code: String, _ kind: Kind, _ title: String, _ meaning: String, effect: String, remedy: String,
    inNative nativeRemedy: String? = nil
  ) {
    self.code = code
    self.kind = kind
    self.title = title
    self.meaning = meaning
    self.effect = effect
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
    The mirror accepts whatever a browser accepts, and notes what the browser has to repair. A *finding* is one cause, with the \
    versions that showed it. `GET /views/{view}/diagnostics` lists the findings of a view; each change set has the diagnostics of \
    its own diff.
    """

  /// The document `docs/diagnostics.md`.
  package static var markdown: String {
    var lines = [
      "# Diagnostics", "", introduction, "",
      "This file is written from the table in `Sources/LiveViewMirror/Findings`; the server shows the same texts at "
        + "`GET \(helpPath)`.", "",
    ]
    for group in groups {
      lines += ["## \(group.title)", ""]
      for code in group.codes {
        lines += [
          "### \(code.code)", "", "**\(code.title).** \(code.meaning)", "", "*Why it matters:* \(code.effect)", "",
        ]
        lines += ["*What to do:* \(code.remedy)", ""]
      }
    }
    return lines.dropLast().joined(separator: "\n") + "\n"
  }
}
