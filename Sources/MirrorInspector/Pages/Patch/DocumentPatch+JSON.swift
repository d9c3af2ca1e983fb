internal import MirrorSupport

extension DocumentPatch {
  /// `{"epoch", "from", "version", "attributes": [{"node", "attributes"}], "removed": [node],
  /// "runs": [{"parent", "after", "before", "content": [{"text"} or {"node"} or {"markup",
  /// "node"}]}]}`.
  ///
  /// `Public/frame/patch.js` applies this JSON to the page that the inspector shows in a frame.
  var json: [UInt8] {
    JSONWriter { json in
      json.member("epoch", epoch)
      json.member("from", from)
      json.member("version", version)
      json.objects("attributes", attributes) { json, element in
        json.member("node", element.node)
        json.object("attributes") { json in
          for change in element.changes { json.member(named: change.name, change.value) }
        }
      }
      json.array("removed", removed) { $0.value($1) }
      json.objects("runs", runs) { json, run in
        json.member("parent", run.parent)
        json.member("after", run.after)
        json.member("before", run.before)
        json.array("content", run.content) { $1.write(to: &$0) }
      }
    }.bytes
  }
}

extension DocumentPatch.Run.Item {
  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      switch self {
      case .text(let text): json.member("text", text)
      case .node(let node): json.member("node", node)
      case .markup(let markup, let node):
        json.member("markup", markup)
        if let node { json.member("node", node) }
      }
    }
  }
}

extension DocumentPatch.Refusal {
  /// `{"epoch", "version", "whole"}`, instead of a patch: if the frame shows another version than
  /// this one, it must load the whole document.
  func json(epoch: Int, version: Int) -> [UInt8] {
    JSONWriter { json in
      json.member("epoch", epoch)
      json.member("version", version)
      json.member("whole", rawValue)
    }.bytes
  }
}
