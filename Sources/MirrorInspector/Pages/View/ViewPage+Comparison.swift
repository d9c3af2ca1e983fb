internal import MirrorAnalysis
internal import LiveViewMirror

/// The shown version beside another one: the previous one, or any other.
extension ViewPage {
  /// The version to compare with; `nil` for the first one, which has no previous version.
  private var earlier: Int? {
    query.with ?? (version > view.firstVersion ? version - 1 : nil)
  }

  var comparison: HTML {
    guard let earlier else {
      return "<p class=\"note\">Version \(version) is the first one that is kept. Choose a later one.</p>\n"
    }
    guard let sides = view.sideBySide(from: earlier, to: version, form: query.form) else {
      return """
        <p class="note">Version \(earlier) is not kept. <a href="\(link { $0.with = nil })">Compare with the previous one</a></p>

        """
    }
    return """
      \(choice(earlier))\
      \(SideBySideTable(sides: sides, link: link(toNode:)).html)
      """
  }

  private func choice(_ earlier: Int) -> HTML {
    let forms = SideBySide.Form.allCases.map { other -> HTML in
      """
      <a href="\(link { $0.form = other })"\
      \(other == query.form ? " aria-current=\"true\"" as HTML : nil)>as \(other.rawValue)</a>
      """
    }
    return """
      <form class="versions-form" action="\(Link("views", view.id))">\(query.hiddenFields(except: "with"))\
      <label>Compare with version <input type="number" name="with" min="\(view.firstVersion)" max="\(view.version)" \
      value="\(earlier)"></label> <button>Compare</button> \
      <span class="quick">\(forms.joined(by: " "))</span> \
      <a href="\(resource("compare").with("from", earlier).with("to", version))">JSON</a></form>

      """
  }
}
