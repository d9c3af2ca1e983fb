import LiveViewMirror
import MirrorAnalysis
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
        let (views, file) = (
          LiveViews(options: UpdateOptions().withAnalyses, limits: MirrorLimits(views: 100)), recording(n)
        )
        return { _ = try views.receive(frames: file, dialect: .html) }
      },
      // The work of one action is bounded, so it does not grow with the square.
      .work("files/many commands search a page", "act", size: 2_000) { n in
        let views = LiveViews(options: UpdateOptions().withAnalyses)
        let commands = Array(repeating: #"[\"focus\",{\"to\":\"p ~ p ~ p ~ i\"}]"#, count: n).joined(separator: ",")
        let mount = #"{"s":["<a phx-click='[\#(commands)]'></a>\#(repeated("<p></p>", 4 * n))"]}"#
        _ = try views.mount("main", Array(mount.utf8), dialect: .html)
        let link = NodeRef(epoch: 1, number: 2)
        return { _ = try? views.plan(NodeAction(on: link), of: "main") }
      },
      .work("files/many events are checked and compared", "check", size: 250) { n in
        let file = session(#"{"s":["<p>","</p>"],"0":"x"}"#, (0..<n).map { ("e\($0)", #"{"0":"\#($0)"}"#) })
        return {
          let (old, new) = (Recorder(name: "a", keepsPages: true), Recorder(name: "b", keepsPages: true))
          let measurements = (try old.measure(file), try new.measure(file))
          _ = Comparison((old, measurements.0), (new, measurements.1))
          let budget = Budget.standard.updated(from: [measurements.0])
          _ = CheckJSON.text(
            CheckReport([Check(measurements.0, within: budget)], within: budget, of: nil, isStrict: false))
        }
      },
      .work("files/pages that look the same are compared", "compare", size: 500) { n in
        func file(_ blank: String) -> [UInt8] {
          let page = #"{"s":["<p>","</p>\#(repeated("<b>y</b>", n))"],"0":"\#(blank)"}"#
          return session(page, (0..<n / 10).map { ("e", #"{"0":"\#($0)\#(blank)"}"#) })
        }
        let (a, b) = (file(" "), file("  "))
        return {
          let (old, new) = (Recorder(name: "a", keepsPages: true), Recorder(name: "b", keepsPages: true))
          _ = Comparison((old, try old.measure(a)), (new, try new.measure(b)))
        }
      },
      .work("files/many lists are sent again", "check", size: 60) { n in
        let list = JSON.keyed(statics: ["<li>", "</li>"], 0..<3, count: 3) { #"{"0":"v\#($0)"}"# }
        let same = JSON.keyed(0..<3, count: 3) { #"{"0":"v\#($0)"}"# }
        let statics = ["<ul>"] + Array(repeating: "</ul><ul>", count: n - 1) + ["</ul>"]
        let page = #"{"s":\#(JSON.texts(statics)),\#(JSON.members(0..<n) { _ in list })}"#
        let file = session(page, Array(repeating: ("e", "{\(JSON.members(0..<n) { _ in same })}"), count: 10))
        return { _ = try Recorder(name: "a").measure(file) }
      },
      .work("files/a budget with many keys twice", "read", size: 250) { n in
        let yaml = Array((0..<n).map { "k\($0): 1\nk\($0): 2\n" }.joined().utf8)
        return { _ = try? BudgetReader.read(yaml, name: "mirror.yml") }
      },
    ]
  }

  /// A view, and events with their diffs.
  private static func session(_ page: String, _ diffs: [(event: String, diff: String)]) -> [UInt8] {
    let join = #"["4","4","lv:a","phx_reply",{"status":"ok","response":{"rendered":\#(page)}}]"#
    let frames = diffs.enumerated().map { number, update in
      """
      ["4","\(number + 5)","lv:a","event",{"type":"click","event":"\(update.event)","value":{}}]
      ["4","\(number + 5)","lv:a","phx_reply",{"status":"ok","response":{"diff":\(update.diff)}}]
      """
    }
    return Array(([join] + frames).joined(separator: "\n").utf8)
  }

  /// The answers to the joins of `n` views.
  private static func recording(_ n: Int) -> [UInt8] {
    let rendered = #"{"status":"ok","response":{"rendered":{"s":["<p>a</p>"]}}}"#
    return Array((0..<n).map { #"["1","1","lv:v\#($0)","phx_reply",\#(rendered)]"# }.joined(separator: "\n").utf8)
  }
}
