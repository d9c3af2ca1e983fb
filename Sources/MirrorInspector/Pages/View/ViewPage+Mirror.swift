internal import LiveViewMirror

/// The document as a rendered page, in a frame without scripts.
extension ViewPage {
  var mirror: HTML {
    let source = versioned("page").with("frame", 1)
    return """
      <iframe sandbox="allow-same-origin allow-forms" referrerpolicy="no-referrer" title="The document as a page" src="\(source)"></iframe>

      """
  }
}
