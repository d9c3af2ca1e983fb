internal import LiveViewMirror

/// The document as a rendered page, in a frame without scripts.
extension ViewPage {
  var mirror: HTML {
    let source = versioned("page").with("frame", 1)
    return """
      <p class="note heat-note">Frames mark what one of the last \(Heat.span) diffs changed, solid for the shown one.</p>
      <iframe sandbox="allow-same-origin allow-forms" referrerpolicy="no-referrer" title="The document as a page" src="\(source)"></iframe>

      """
  }
}
