internal import Foundation
package import RecordingFixtures

/// The page whose LiveViews a recording shows, as the server of the recording rendered it: before
/// JavaScript has run.
package struct RecordedPage: Sendable {
  /// The path of the page, with its query.
  package let target: String
  package let html: String
  /// The origin of the recorded server, such as `http://127.0.0.1:4000`.
  package let origin: String

  package init(_ recording: Recording, _ session: RecordedSession) {
    let join = session.steps.lazy.flatMap(\.sent).first { $0.event == "phx_join" }
    let payload = join?.payload as? [String: Any]
    let url = payload?["url"] as? String ?? ""
    let address = URLComponents(string: url)
    origin = "http://127.0.0.1:\(address?.port ?? 0)"
    target = url.hasPrefix(origin) ? String(url.dropFirst(origin.count)) : "/"
    let content = recording.steps.first { $0.kind == "mount" }?.html ?? ""
    html = Self.html(
      id: recording.rootID, content: content.replacing("data-phx-static=\"\"", with: "data-phx-static=\"TOKEN\""))
  }

  /// A page with one main LiveView.
  package static func html(id: String, content: String = "", session: String = "TOKEN") -> String {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"><meta name="csrf-token" content="TOKEN"><title>App</title></head>
    <body><div id="\(id)" data-phx-main data-phx-session="\(session)" data-phx-static="TOKEN">\(content)</div></body></html>
    """
  }
}
