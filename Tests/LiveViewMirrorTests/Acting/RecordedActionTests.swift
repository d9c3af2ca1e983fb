import Foundation
import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import MirrorSupport
import RecordingFixtures
import RenderedTree
import Testing

/// Actions on the document against the frames that LiveView's own client sent for the same actions
/// in a browser.
@Suite struct RecordedActionTests {
  /// What the person did, as the recorder notes it: `click #inc`, `fill #user_name Ada`.
  private struct Action {
    let verb: String
    let selector: String
    let value: String

    init?(_ text: String) {
      guard let space = text.firstIndex(of: " ") else { return nil }
      verb = String(text[..<space])
      guard ["click", "fill", "select", "check", "uncheck", "submit"].contains(verb) else { return nil }
      let rest = text[text.index(after: space)...]
      // Selectors of clicks contain spaces; the others are ids.
      let end = verb == "click" ? nil : rest.firstIndex(of: " ")
      selector = String(rest[..<(end ?? rest.endIndex)])
      value = end.map { String(rest[rest.index(after: $0)...]) } ?? ""
    }

    func on(_ node: NodeRef) -> NodeAction {
      var action = NodeAction(on: node)
      switch verb {
      case "fill": action.value.set("value", to: .string(value))
      case "select":
        action.value.set(
          "value", to: value.hasPrefix("[") ? MirrorSupport.JSON(parsing: value) ?? .null : .string(value))
      case "check", "uncheck": action.value.set("checked", to: .bool(verb == "check"))
      default: break
      }
      if verb != "click", verb != "submit" { action.kind = .change }
      return action
    }
  }

  @Test(arguments: Recording.all.filter { !$0.isNative })
  func `an action sends the frame that the browser has sent`(recording: Recording) throws {
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: recording.url)) as? [String: Any])
    let steps = try #require(json["steps"] as? [[String: Any]])
    let views = LiveViews(options: UpdateOptions().withAnalyses)
    var compared = 0
    for (step, recorded) in zip(recording.steps, steps) {
      let sent = (recorded["sent"] as? [[Any]] ?? [])
      for frame in sent where frame[3] as? String == "event" || frame[3] as? String == "live_patch" {
        guard let topic = frame[2] as? String, let payload = frame[4] as? [String: Any],
          payload["type"] as? String != "hook", let action = Action(step.action)
        else { continue }
        let view = try #require(views[topic]?.view)
        let selector = try #require(Selector(action.selector))
        let node = try #require(view.document.node(matching: selector))
        // A browser may report a field once more when it loses the focus; that frame names another
        // field than the action.
        if let meta = payload["meta"] as? [String: Any], let target = meta["_target"] as? String,
          target != view.document.content(of: node)?.element?["name"]
        {
          continue
        }
        let plan = try views.plan(action.on(node), of: topic)
        views.didSend(plan)
        #expect(plan.pushes.count == 1)
        let push = try #require(plan.pushes.first)
        #expect(push.frame == frame[3] as? String)
        #expect(push.view == topic)
        #expect(try Self.canonical(push.payload) == Self.text(payload), "\(step.action)")
        compared += 1
      }
      let frames = sent.map { Self.text(["sent": true, "frame": $0]) } + [String(decoding: step.frame, as: UTF8.self)]
      _ = try views.receive(
        frames: Array(frames.joined(separator: "\n").utf8), dialect: .html, container: nil,
        of: nil
      ) { _ in }
    }
    #expect(compared > 0 || recording.name.contains("raw_html"))
  }

  private static func canonical(_ members: MirrorSupport.JSON.Members) throws -> String {
    text(try JSONSerialization.jsonObject(with: Data(MirrorSupport.JSON.object(members).encoded.utf8)))
  }

  private static func text(_ json: Any) -> String {
    let data = try? JSONSerialization.data(
      withJSONObject: json, options: [.sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes])
    return String(decoding: data ?? Data(), as: UTF8.self)
  }
}
