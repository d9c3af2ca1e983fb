import Foundation
import Testing

/// Keys and the mouse, as the browser receives them from a person.
extension Tab {
  private struct Key {
    var code: Int
    var text: String?
  }

  private static let keys: [String: Key] = [
    "Tab": Key(code: 9), "Enter": Key(code: 13, text: "\r"), "Escape": Key(code: 27), "End": Key(code: 35),
    "Home": Key(code: 36), "ArrowLeft": Key(code: 37), "ArrowUp": Key(code: 38), "ArrowRight": Key(code: 39),
    "ArrowDown": Key(code: 40),
  ]

  /// Presses a key: a character, or a name such as `ArrowDown` or `Shift+Tab`.
  func press(_ key: String) throws {
    let withShift = key.hasPrefix("Shift+")
    let name = withShift ? String(key.dropFirst(6)) : key
    // The codes of other characters are those of other keys: the one of a full stop is Delete.
    let isPlain = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let code = isPlain ? name.uppercased().unicodeScalars.first?.value ?? 0 : 0
    let known = Self.keys[name] ?? Key(code: Int(code), text: name)
    var event: [String: Any] = [
      "key": name, "code": Self.keys[name] == nil ? "" : name, "windowsVirtualKeyCode": known.code,
      "modifiers": withShift ? 8 : 0,
    ]
    if let text = known.text { event["text"] = text }
    event["type"] = known.text == nil ? "rawKeyDown" : "keyDown"
    try call("Input.dispatchKeyEvent", event)
    event["type"] = "keyUp"
    event["text"] = nil
    try call("Input.dispatchKeyEvent", event)
  }

  func type(_ text: String) throws {
    for character in text { try press(String(character)) }
  }

  /// Clicks the middle of an element.
  func click(_ selector: String) throws {
    let place = try middle(of: selector)
    try mouse("mouseMoved", place)
    try mouse("mousePressed", place)
    try mouse("mouseReleased", place)
  }

  func hover(_ selector: String) throws { try mouse("mouseMoved", middle(of: selector)) }

  /// Drags the middle of an element to the right by a number of CSS pixels.
  func drag(_ selector: String, by distance: Double) throws {
    var place = try middle(of: selector)
    try mouse("mouseMoved", place)
    try mouse("mousePressed", place)
    for _ in 0..<4 {
      place.x += distance / 4
      try mouse("mouseMoved", place, isHeld: true)
    }
    try mouse("mouseReleased", place)
  }

  private func middle(of selector: String) throws -> (x: Double, y: Double) {
    let name = Self.quoted(selector)
    // The page may be about to be replaced by the one that contains the element.
    _ = try wait(
      until: "document.readyState !== 'loading' && document.querySelector(\(name))?.getClientRects().length")
    // The element moves while what is before it is laid out.
    let place = try settled(for: 0.02) {
      try evaluate(
        """
        (() => {
          const element = document.querySelector(\(name));
          if (!element) return [];
          element.scrollIntoView({ block: "nearest" });
          // Of a link over several lines, the first one.
          const { x, y, width, height } = element.getClientRects()[0] ?? {};
          return [x + width / 2, y + height / 2];
        })()
        """
      ).array.map(\.double)
    }
    try #require(place.count == 2, "\(selector) is not shown")
    return (try #require(place[0], "\(selector)"), try #require(place[1], "\(selector)"))
  }

  private func mouse(_ type: String, _ place: (x: Double, y: Double), isHeld: Bool = false) throws {
    let isHeld = isHeld || type != "mouseMoved"
    try call(
      "Input.dispatchMouseEvent",
      [
        "type": type, "x": place.x, "y": place.y, "button": isHeld ? "left" : "none", "buttons": isHeld ? 1 : 0,
        "clickCount": type == "mouseMoved" ? 0 : 1,
      ])
  }

  /// A text as a literal of JavaScript.
  static func quoted(_ text: String) -> String {
    let data = try? JSONSerialization.data(withJSONObject: [text])
    return String(String(decoding: data ?? Data(), as: UTF8.self).dropFirst().dropLast())
  }
}
