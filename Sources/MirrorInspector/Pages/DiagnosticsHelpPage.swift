internal import LiveViewMirror
internal import MirrorAnalysis

/// `GET /help/diagnostics`: the explanations of all codes, each with its code as an anchor. Its
/// texts are those of `docs/diagnostics.md`, so that they can be read without an internet
/// connection. `AnalysisRoutes` serves the page.
enum DiagnosticsHelpPage {
  static var html: HTML {
    PageLayout(
      title: "Diagnostics", kind: "help", places: [("codes", "the codes")],
      header: """
        <p class="home"><a href="/">All views</a></p>
        <h1>Diagnostics</h1>
        """,
      main: """
        <p>\(HTML.prose(DiagnosticCode.introduction))</p>
        <nav aria-label="Codes" class="contents">\(DiagnosticCode.groups.map { contents($0.title, $0.codes) })</nav>
        <div id="codes">
        \(DiagnosticCode.groups.map { group($0.title, $0.codes) })</div>
        """
    ).html
  }

  private static func contents(_ title: String, _ codes: [DiagnosticCode]) -> HTML {
    let links = codes.map { "<a href=\"#\($0.code)\"><code>\($0.code)</code></a>" as HTML }
    return "<p><b>\(title)</b> \(links.joined(by: " "))</p>\n"
  }

  private static func group(_ title: String, _ codes: [DiagnosticCode]) -> HTML {
    """
    <section class="codes">
    <h2>\(title)</h2>
    \(codes.map(section))</section>

    """
  }

  private static func section(_ code: DiagnosticCode) -> HTML {
    """
    <article id="\(code.code)" class="code">
    <h3><code>\(code.code)</code> \(HTML.prose(code.title))</h3>
    <p>\(HTML.prose(code.meaning))</p>
    <dl><dt>Example</dt><dd>\(HTML.prose(code.example))</dd>
    <dt>Remedy</dt><dd>\(HTML.prose(code.remedy))</dd></dl>
    </article>

    """
  }
}
