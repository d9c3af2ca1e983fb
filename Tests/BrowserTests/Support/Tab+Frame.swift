/// The document in the frame of a mirrored page, which is `page` in expressions.
extension Tab {
  static let frame = "document.querySelector('iframe').contentDocument"

  func evaluate(inFrame expression: String) throws -> Received { try evaluate(Self.inFrame(expression)) }
  func wait(untilInFrame condition: String) throws -> Bool { try wait(until: Self.inFrame(condition)) }

  private static func inFrame(_ expression: String) -> String {
    "(() => { const page = \(frame); return \(expression) })()"
  }

  /// Clicks with the mouse in the middle of an element.
  func click(inFrame selector: String) throws {
    let place = try evaluate(
      inFrame: """
        (() => { const outer = document.querySelector('iframe').getBoundingClientRect();
          const inner = page.querySelector('\(selector)').getBoundingClientRect();
          return [outer.x + inner.x + inner.width / 2, outer.y + inner.y + inner.height / 2] })()
        """
    ).array.compactMap(\.double)
    for type in ["mousePressed", "mouseReleased"] {
      _ = try call(
        "Input.dispatchMouseEvent", ["type": type, "x": place[0], "y": place[1], "button": "left", "clickCount": 1])
    }
  }
}
