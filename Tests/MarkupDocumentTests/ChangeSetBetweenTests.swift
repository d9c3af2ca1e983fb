import MarkupDocument
import Testing

@Suite struct ChangeSetBetweenTests {
  @Test(arguments: RandomPages.Identity.allCases)
  func `the changes between two versions turn the first into the second`(identity: RandomPages.Identity) {
    var pages = RandomPages(seed: 11, identity: identity)
    for _ in 0..<100 {
      var held = ContentBeforeJoin(pages.next())
      var versions = [held.document]
      for _ in 0..<6 {
        held.update(pages.next())
        versions.append(held.document)
      }
      for first in versions.indices {
        for last in versions.indices where first <= last {
          var document = versions[first]
          let changes = ChangeSet(from: document, to: versions[last])
          document.apply(changes)
          guard document.isSame(as: versions[last]) else {
            Issue.record(
              "\(changes.changes)\nturn \(versions[first].markup(of: held.document.root))\ninto \(document.markup(of: document.root))"
            )
            return
          }
          if first == last { #expect(changes.isEmpty) }
        }
      }
    }
  }
}
