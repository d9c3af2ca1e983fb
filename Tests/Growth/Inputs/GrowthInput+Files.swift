import LiveViewMirror
import MarkupDocument
import MirrorChecks
import RenderedTree

extension GrowthInput {
  /// Recordings with many views, and actions whose commands search the page.
  static var files: [GrowthInput] {
    [
      .work("files/many views are checked", "check", size: 1_250) { n in
        let file = recording(n)
        return { _ = try Recorder(name: "a").measure(file) }
      },
      .work("files/many views are compared", "compare", size: 1_250) { n in
        let file = recording(n)
        return {
          let (old, new) = (Recorder(name: "a", keepsPages: true), Recorder(name: "b", keepsPages: true))
          _ = Comparison((old, try old.measure(file)), (new, try new.measure(file)))
        }
      },
      // Most of the views are evicted.
      .work("files/many views are imported", "import", size: 1_250) { n in
        let (views, file) = (LiveViews(limits: MirrorLimits(views: 100)), recording(n))
        return { _ = try views.receive(frames: file, dialect: .html) }
      },
      // The work of one action is bounded, so it does not grow with the square.
      .work("files/many commands search a page", "act", size: 250) { n in
        let views = LiveViews()
        let commands = Array(repeating: #"[\"focus\",{\"to\":\"p ~ p ~ p ~ i\"}]"#, count: n).joined(separator: ",")
        let mount = #"{"s":["<a phx-click='[\#(commands)]'></a>\#(repeated("<p></p>", 16 * n))"]}"#
        _ = try views.mount("main", Array(mount.utf8), dialect: .html)
        let link = NodeRef(epoch: 1, number: 2)
        return { _ = try? views.plan(NodeAction(on: link), of: "main") }
      },
    ]
  }

  /// The answers to the joins of `n` views.
  private static func recording(_ n: Int) -> [UInt8] {
    let rendered = #"{"status":"ok","response":{"rendered":{"s":["<p>a</p>"]}}}"#
    return Array((0..<n).map { #"["1","1","lv:v\#($0)","phx_reply",\#(rendered)]"# }.joined(separator: "\n").utf8)
  }
}
