internal import LiveViewMirror
internal import MarkupDocument

/// Lines of templates, as links into the editor if there is one.
extension ViewPage {
  /// `basic.ex:146`.
  func sourceLink(_ location: SourceLocation) -> HTML {
    let file = location.file.split(separator: "/").last.map(String.init) ?? location.file
    let title: HTML = "\(location.file):\(location.line)"
    guard let link = editor?.link(to: location) else {
      return "<span class=\"source\" title=\"\(title)\">\(file):\(location.line)</span>"
    }
    return "<a class=\"source editor\" href=\"\(link)\" title=\"Open \(title)\">\(file):\(location.line)</a>"
  }

  /// `<.button>` for a function component, `TodoLive` for the render function of a module.
  func functionName(_ function: String) -> String {
    let parts = function.split(separator: ".").map(String.init)
    guard let name = parts.last else { return function }
    if name == "render" { return parts.dropLast().last ?? function }
    return "<.\(name)>"
  }

  /// How to see the lines of the templates, for an app without annotations.
  var annotationHint: HTML? {
    hasAnnotations
      ? nil
      : """
      <details class="input annotation-hint"><summary>No template lines: how to enable them</summary>
      <p class="note">\(WasteReport.annotationHint)</p></details>

      """
  }
}
