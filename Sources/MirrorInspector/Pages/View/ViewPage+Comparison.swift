internal import MirrorAnalysis
internal import LiveViewMirror

/// The content *Before and after* of the pane in the middle: the shown version beside the previous
/// one, or beside any other. The older one is always on the left.
extension ViewPage {
  /// The version to compare with: the requested one or the previous one; `nil` if the oldest kept
  /// version is shown and no other one is requested.
  private var other: Int? {
    query.with ?? (version > view.firstVersion ? version - 1 : nil)
  }

  var comparison: HTML {
    guard let other else {
      return "<p class=\"note\">Version \(version) is the oldest one that is stored. Choose a later one.</p>\n"
    }
    var limits = SideBySide.Limits()
    limits.foldsBlanks = !query.showsBlanks
    let (from, to) = (min(other, version), max(other, version))
    guard let sides = view.sideBySide(from: from, to: to, form: query.form, limits: limits) else {
      return """
        <p class="note">Version \(other) is no longer stored. <a href="\(link { $0.with = nil })">Compare with the previous one</a></p>

        """
    }
    return """
      <h3 class="subject">v\(from) → v\(to)</h3>
      \(choice(other, resource("compare").with("from", from).with("to", to)))\
      \(SideBySideTable(sides: sides, link: link(toNode:)).html)
      """
  }

  private func choice(_ other: Int, _ json: Link) -> HTML {
    let forms = SideBySide.Form.allCases.map { form -> HTML in
      """
      <a href="\(link { $0.form = form })"\
      \(form == query.form ? " aria-current=\"true\"" as HTML : nil)>as \(form.rawValue)</a>
      """
    }
    return """
      <form class="versions-form" action="\(Link("views", view.id))">\(query.hiddenFields(except: "with"))\
      <label>Compare with version <input type="number" name="with" min="\(view.firstVersion)" max="\(view.version)" \
      value="\(other)"></label> <button>Compare</button> \
      \(earlier(other)) \
      <span class="quick">\(forms.joined(by: " "))</span> \
      <a href="\(json)">JSON</a></form>

      """
  }

  /// Earlier versions with one click: `1, 3, 10 diffs ago · mount`, without those that are not
  /// kept.
  private func earlier(_ other: Int) -> HTML? {
    func choice(_ with: Int, _ text: HTML, _ name: HTML) -> HTML {
      """
      <a href="\(link { $0.with = with == version - 1 ? nil : with })" aria-label="\(name)"\
      \(with == other ? " aria-current=\"true\"" as HTML : nil)>\(text)</a>
      """
    }
    let steps = [1, 3, 10].filter { version - $0 >= view.firstVersion }
    let ago = steps.map { choice(version - $0, "\($0)", "Compare with \(HTML.count($0, "diff")) ago") }
    let mount: HTML? = view.firstVersion == 0 && version > 0 ? choice(0, "mount", "Compare with the mount") : nil
    let words: HTML? = ago.isEmpty ? nil : "\(ago.joined(by: ", ")) \(ago.count == 1 ? "diff" : "diffs") ago"
    let parts = [words, mount].compactMap { $0 }
    return parts.isEmpty ? nil : "<span class=\"earlier\">\(parts.joined(by: " · "))</span>"
  }
}
