import LiveViewMirror
import MarkupDocument
import RecordingFixtures
import Testing

@testable import MirrorInspector

/// The positions of changes as readers count them.
@Suite struct ChangedItemsTests {
  /// The position of an element among the elements of its parent, from 1.
  private func item(_ position: Position, in document: Document) -> Int? {
    let children = document.children(of: position.parent)
    guard children.indices.contains(position.index) else { return nil }
    let isElement = children.map { document.content(of: $0)?.element != nil }
    return isElement[position.index] ? isElement[...position.index].count { $0 } : nil
  }

  @Test(arguments: Recording.all.filter { !$0.name.hasSuffix("big_table") })
  func `positions are those of the elements in both versions`(recording: Recording) throws {
    let view = try SampleView.recorded(recording)
    for record in view.log.records where record.version > view.firstVersion {
      let (old, new) = (view.document(at: record.version - 1), view.document(at: record.version))
      let (before, after) = (try #require(old), try #require(new))
      let items = ChangedItems(of: record.changeSet.changes, in: after)
      for change in record.changeSet.changes {
        switch change {
        case .add(_, let position): #expect(items.after[position] == item(position, in: after))
        case .remove(_, let position, _):
          #expect(!after.contains(position.parent) || items.before[position] == item(position, in: before))
        case .move(_, _, let from, let to):
          #expect(!after.contains(from.parent) || items.before[from] == item(from, in: before))
          #expect(items.after[to] == item(to, in: after))
        case .text, .attributes: break
        }
      }
    }
  }

  /// White space between the items of a list is not counted.
  @Test func `a line says the item of the list`() throws {
    let item = { (id: String) in #"\n  <li id=\"\#(id)\">\#(id)</li>"# }
    let list = { (ids: [String]) in "\(ids.map(item).joined())\\n" }
    let view = try SampleView.mounted(
      #"{"0":"\#(list(["a", "b", "c"]))","s":["<ul>","</ul>"]}"#,
      diffs: [list(["c", "a", "b"]), list(["c", "a", "n", "b"]), list(["c", "n", "b"])].map { #"{"0":"\#($0)"}"# })
    func lines(_ version: Int) throws -> [String] {
      let page = ParsedPage(try view.page(.init(version: version)))
      return page.elements("span", class: "where").map { page.words(of: $0.place) }
    }
    let all = try (1...3).map(lines)
    #expect(all[0].contains { $0.contains(/^from item 3 to item 1 of \d+ <ul>$/) }, "\(all[0])")
    #expect(all[1].contains { $0.hasPrefix("as item 3 of ") }, "\(all[1])")
    #expect(all[2].contains { $0.hasPrefix("was item 2 of ") }, "\(all[2])")
  }
}
