import Foundation
import RecordingFixtures
import Testing

/// The page of one recorded view in a browser, over the built program.
final class InspectorPage {
  let mirror: Mirror
  private let browser: Chromium
  let tab: Tab
  /// The id of the view.
  let view: String

  /// - Parameters:
  ///   - recording: the name of a recording, which becomes the view.
  ///   - query: the parameters of the page that is opened first.
  ///   - arguments: those of the program.
  init(_ recording: String = "1.2.10/03_todo", _ query: String = "", _ arguments: [String] = []) throws {
    mirror = try Mirror(arguments)
    view = try mirror.feed(recording)
    browser = try Chromium()
    tab = try Tab(browser)
    try tab.call(
      "Emulation.setDeviceMetricsOverride", ["width": 1440, "height": 900, "deviceScaleFactor": 1, "mobile": false])
    try open(query)
  }

  /// Opens the page with these parameters, such as `?version=3`.
  func open(_ query: String = "") throws { try tab.open("\(mirror.address)/views/\(view)\(query)") }

  /// Sends a diff to the view.
  func post(_ diff: String) throws { try mirror.post("/views/\(view)/diffs", diff) }

  /// Presses keys one after the other.
  func press(_ keys: String...) throws { for key in keys { try tab.press(key) } }

  // MARK: - Reading

  func value(_ expression: String) throws -> Received { try tab.evaluate(expression) }
  func bool(_ expression: String) throws -> Bool { try tab.evaluate("!!(\(expression))").bool == true }
  func count(_ selector: String) throws -> Int? {
    try value("document.querySelectorAll(\(Tab.quoted(selector))).length").int
  }

  /// The text of the first element, with single spaces.
  func text(_ selector: String) throws -> String? {
    try value(
      "document.querySelector(\(Tab.quoted(selector)))?.textContent.replaceAll('\\u00a0', ' ').replace(/\\s+/g, ' ').trim()"
    ).string
  }

  /// The texts of all elements that match.
  func texts(_ selector: String) throws -> [String] {
    try value(
      "[...document.querySelectorAll(\(Tab.quoted(selector)))].map((e) => e.textContent.replace(/\\s+/g, ' ').trim())"
    ).array.compactMap(\.string)
  }

  /// The parameters in the address bar.
  var query: String { get throws { try value("location.search").string ?? "" } }

  /// The id of the element with the focus, or of the line around it.
  var focused: String? {
    get throws { try value("document.activeElement.closest('[id]')?.id").string }
  }

  /// Waits until an expression is true, and records an issue if it does not become true. The
  /// address bar changes before the document is read, so an expression about the address alone
  /// waits for the document too.
  func expect(_ expression: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(
      try tab.wait(until: "document.readyState !== 'loading' && (\(expression))"), "\(expression)",
      sourceLocation: sourceLocation)
  }

  /// Waits until the page shows a version.
  func expectVersion(_ version: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try expect(
      "document.querySelector('header .version').textContent === 'version \(version)'", sourceLocation: sourceLocation)
  }

  /// Errors and warnings that the page has written to the console, or that the browser reports.
  func expectNoComplaint(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(tab.complaints == [], sourceLocation: sourceLocation)
  }

  /// The entries of the log as `GET …/log` returns them.
  func log() throws -> [[String: Any]] {
    let body = try mirror.get("/views/\(view)/log?limit=1000").body
    let json = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
    return try #require(json?["entries"] as? [[String: Any]])
  }
}

extension Mirror {
  /// Posts the frames of a recording with their directions and times, as a page `p`. Returns the id
  /// of its first view.
  func feed(_ name: String) throws -> String {
    let recording = try #require(Recording.committed.first { $0.name == name })
    let dialect = recording.isNative ? "&dialect=native" : ""
    try post("/frames?page=p&url=http://localhost:4000/p\(dialect)", TimedTraffic(recording).lines)
    let json = try JSONSerialization.jsonObject(with: Data(get("/pages/p").body.utf8)) as? [String: Any]
    let views = json?["views"] as? [[String: Any]]
    return try #require(views?.first?["view"] as? String)
  }
}
