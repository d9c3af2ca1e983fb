import Foundation
import ScriptedPhoenix
import Testing

/// A page with the tap in a browser, with a mirror that gets its frames.
struct TappedBurst {
  let app: BurstPage
  let mirror: Mirror
  let browser: Chromium
  let tab: Tab
  let page: String
  var view: String { "lv:burst~\(page)" }

  /// Opens the page, and waits until the mirror has its view.
  ///
  /// - Parameters:
  ///   - arguments: of the mirror.
  ///   - fragment: the end of the page's address.
  ///   - script: runs before the scripts of the page.
  init(_ arguments: [String] = [], fragment: String = "", script: String = "") throws {
    let port = try freePort()
    app = try BurstPage(tap: "http://127.0.0.1:\(port)/assets/tap.js", burst: 1)
    mirror = try Mirror(["--port", "\(port)", "--allow-origin", app.server.address] + arguments)
    browser = try Chromium()
    tab = try Tab(browser)
    _ = try tab.call(
      "Page.addScriptToEvaluateOnNewDocument",
      [
        "source": """
        // Lets the page receive diffs. Each has a text of a repeated character, which is one diff
        // and one version.
        window.receive = (count, length, character = "a") => {
          for (let i = 0; i < count; i++) {
            const data = JSON.stringify(["4", null, "lv:burst", "diff", { 0: i + " " + Math.random() + character.repeat(length) }])
            socket.dispatchEvent(new MessageEvent("message", { data }))
          }
        };
        \(script)
        """
      ])
    try tab.open("\(app.server.address)/\(fragment)")
    page = try #require(try tab.evaluate("liveViewMirrorTap.page").string)
    let (mirror, view) = (mirror, "lv:burst~\(page)")
    try #require(try tab.wait(for: 60) { (try? mirror.version(of: view)) == 0 }, "\(tab.messages) \(tab.complaints)")
  }

  /// What the mirror knows about the page.
  func report() throws -> Received {
    Received(try JSONSerialization.jsonObject(with: Data(mirror.get("/pages/\(page)").body.utf8)))
  }

  /// Waits until the mirror has a version of the view.
  func reaches(_ version: Int, seconds: Double = 60) throws -> Bool {
    try tab.wait(for: seconds) { (try? mirror.version(of: view)) == version }
  }

  /// How many frames and bytes the tap has given up.
  func lost() throws -> [Int?] {
    let lost = try report()["lost"]
    return [lost["frames"].int, lost["bytes"].int]
  }
}
