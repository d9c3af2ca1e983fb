import Foundation
@testable import LiveViewMirror
import MarkupDocument
import MirrorSupport
import NodeObservation
import RecordingFixtures
import Testing

@testable import MirrorInspector

/// The biography of an element includes its texts and its children.
@Suite struct NodeHistoryTests {
  private func json(_ view: ViewState, _ node: Int) throws -> JSONValue {
    let bytes = try #require(view.nodeJSON(NodeRef(epoch: view.epoch, number: node)))
    #expect(Description.shared.faults(of: String(decoding: bytes, as: UTF8.self), named: "NodeDetails") == [])
    return JSONValue(try JSONSerialization.jsonObject(with: Data(bytes)))
  }

  @Test func `an element has the number of changes of its text and the last ten values`() throws {
    let view = try SampleView.counter(diffs: (1...25).map { #"{"0":"\#($0)"}"# })
    let history = NodeHistory(of: NodeRef(epoch: 1, number: 2), in: view.log)
    #expect(history.texts.count == 25 && history.texts.lastVersion == 25)
    #expect(history.texts.recent.map(\.version) == Array(16...25))
    #expect(history.texts.recent.last?.before == "Count: 24" && history.texts.recent.last?.after == "Count: 25")
    #expect(history.events.count == 1 && history.notifiedOnly == 25)
    #expect(history.children.count == 0 && history.children.lastVersion == nil)
    let node = try json(view, 2)
    #expect(node["text_changes"]["count"].int == 25 && node["text_changes"]["last_version"].int == 25)
    #expect(node["text_changes"]["recent"].array.count == 10)
    #expect(node["text_changes"]["recent"][9]["after"].string == "Count: 25")
    #expect(node["biography"].array.count == 1)
    // The text itself has its changes in its own biography.
    #expect(try json(view, 3)["text_changes"]["count"].int == 0 && json(view, 3)["biography"].array.count == 26)
  }

  @Test func `an element has its children that were added, removed and moved`() throws {
    let view = try SampleView.mounted(
      #"{"0":{"k":{"0":{"0":"a"},"1":{"0":"b"},"2":{"0":"c"},"kc":3},"s":["<li>","</li>"]},"s":["<ul>","</ul>"]}"#,
      diffs: [
        #"{"0":{"k":{"3":{"0":"d"},"kc":4}}}"#, #"{"0":{"k":{"0":3,"1":0,"2":1,"3":2,"kc":4}}}"#,
        #"{"0":{"k":{"kc":2}}}"#,
      ])
    let history = NodeHistory(of: NodeRef(epoch: 1, number: 2), in: view.log)
    #expect((history.children.added, history.children.moved, history.children.removed) == (1, 1, 2))
    #expect(
      history.children.recent.map { "v\($0.version) \($0.did)" } == ["v1 add", "v2 move", "v3 remove", "v3 remove"])
    let node = try json(view, 2)["children_changes"]
    #expect(node["count"].int == 4 && node["last_version"].int == 3)
    #expect(node["recent"][0]["tag"].string == "li" && node["recent"][0]["did"].string == "add")
  }

  @Test func `a biography reads all kept entries, however large they are`() throws {
    let text = String(repeating: "x", count: 400_000)
    let view = try SampleView.counter(diffs: (0..<30).map { #"{"0":"\#($0)\#(text)"}"# })
    #expect(NodeHistory(of: NodeRef(epoch: 1, number: 2), in: view.log).texts.count == 30)
  }

  /// For every node of a recording, the sums of the biographies are those of the log.
  @Test(arguments: Recording.all)
  func `the biographies of a recording have each change of a text or child once`(recording: Recording) throws {
    let view = try SampleView.recorded(recording)
    var (texts, moves, others) = (0, 0, 0)
    var nodes: Set<NodeRef> = [view.document.root]
    for record in view.log.records {
      for change in record.changeSet.changes {
        for parent in change.parents { nodes.insert(parent) }
        switch change {
        case .text(_, _, let before, let after): texts += (before + after).allSatisfy(\.isWhitespace) ? 0 : 1
        case .add(let subtree, _): others += Self.isListed(subtree.displayName) ? 1 : 0
        case .remove(_, _, let name): others += Self.isListed(name) ? 1 : 0
        case .move(_, let name, let from, let to):
          moves += Self.isListed(name) ? from.parent == to.parent ? 1 : 2 : 0
        case .attributes: break
        }
      }
    }
    let histories = nodes.map { NodeHistory(of: $0, in: view.log) }
    #expect(histories.reduce(0) { $0 + $1.texts.count } == texts)
    #expect(histories.reduce(0) { $0 + $1.children.moved } == moves)
    #expect(histories.reduce(0) { $0 + $1.children.added + $1.children.removed } == others)
  }

  /// White space and comments are not listed.
  private static func isListed(_ name: DisplayName) -> Bool {
    switch name {
    case .element, .text: true
    case .blank, .comment, .processingInstruction: false
    }
  }

  @Test func `a change set names its notified elements`() throws {
    let view = try SampleView.mounted(
      ##"{"0":"a","s":["<p id=\"x\">","</p><b>y</b>"]}"##, diffs: [##"{"0":"b"}"##])
    let record = try #require(view.log.record(of: 1))
    let json = JSONValue(try JSONSerialization.jsonObject(with: Data(record.json().bytes)))
    #expect(json["notified_elements"].description == ##"[{"id":"x","node":2,"tag":"p"}]"##)
    let mount = JSONValue(
      try JSONSerialization.jsonObject(with: Data(try #require(view.log.record(of: 0)).json().bytes)))
    #expect(mount["notified_elements"].array.map { $0["node"] } == mount["notified"].array)
  }

  // MARK: - The changes below a node

  /// Every version's documents decide which changes are below a node.
  @Test(arguments: Recording.all.filter { !$0.name.hasSuffix("big_table") })
  func `the history of a node has the changes of everything below it at that time`(recording: Recording) throws {
    let view = try SampleView.recorded(recording)
    let documents = try (view.firstVersion...view.version).map { try #require(view.document(at: $0)) }
    var nodes: Set<NodeRef> = []
    for document in [documents.first, documents.last].compactMap({ $0 }) {
      nodes.formUnion(document.nodes(from: document.root).enumerated().filter { $0.offset % 3 == 0 }.map(\.element))
    }
    for node in nodes {
      let removal = NodeHistory(of: node, in: view.log).removedAt
      let history = SubtreeHistory(of: node, in: view, removedAt: removal, includingBlanks: true)
      var expected: [Int: Int] = [:]
      for record in view.log.records {
        let after = documents[record.version - view.firstVersion]
        let before = record.version > view.firstVersion ? documents[record.version - view.firstVersion - 1] : after
        let count = record.changeSet.changes.count { change in
          if change.concerns(node) { return true }
          let (old, new) =
            switch change {
            case .text(let changed, _, _, _), .attributes(let changed, _, _): (changed, changed)
            case .add(_, let position): (position.parent, position.parent)
            case .remove(let nodes, _, _): (nodes[0], nodes[0])
            case .move(let changed, _, _, _): (changed, changed)
            }
          if case .add = change { return after.path(to: new).contains(node) }
          return before.path(to: old).contains(node) || after.path(to: new).contains(node)
        }
        if count > 0 { expected[record.version] = count }
      }
      let listed = history.versions.map { ($0.record.version, $0.own.count + $0.below.count + $0.more) }
      #expect(Dictionary(uniqueKeysWithValues: listed) == expected, "node \(node.number)")
      #expect(listed.map(\.0) == listed.map(\.0).sorted(by: >) && history.earlierCount == 0)
    }
  }

  @Test func `a history is bounded in versions and in changes of one version`() throws {
    let rows = { (count: Int, value: Int) in (0..<count).map { #""\#($0)":{"0":"\#(value)"}"# }.joined(separator: ",") }
    let view = try SampleView.mounted(
      #"{"0":{"k":{\#(rows(9, 0)),"kc":9},"s":["<li>","</li>"]},"s":["<ul>","</ul>"]}"#,
      diffs: (1...60).map { #"{"0":{"k":{\#(rows(9, $0)),"kc":9}}}"# })
    let list = try #require(view.document.nodes(from: view.document.root).dropFirst().first { _ in true })
    let history = SubtreeHistory(of: list, in: view, removedAt: nil, includingBlanks: false)
    #expect(history.versions.count == 50 && history.earlierCount == 11)
    #expect(history.versions.allSatisfy { $0.below.count == 5 && $0.more == 4 })
    let page = ParsedPage(try view.page(.init(node: Int(list.number))))
    let words = page.text(of: try #require(page.elements("ol", class: "biography").first).place)
    #expect(words.contains("… 4 more changes in v60") && words.contains("… 11 earlier versions"))
  }
}
