import DocumentInvariants
import LiveViewMirror
import MarkupDocument
import MirrorViews
import RenderedTree
import Testing

/// After a rejected diff, the next valid diff is applied as a correct scoped update.
@Suite struct ScopedRejectionTests {
  /// A diff that changes every part of the page and swaps two entries.
  static let good = #"{"0":"2","1":{"k":{"0":1,"1":[0,{"0":"X"}],"kc":2}},"3":{"0":"IN"},"c":{"1":{"0":"C"}}}"#

  /// Sends `bad` before each of three valid diffs. These must have the same results as in a view
  /// without bad diffs.
  private func check(_ bad: [UInt8]) throws {
    let view = try LiveViewCoordinator.mounted(BadInputTests.page)
    let untouched = try LiveViewCoordinator.mounted(BadInputTests.page)
    for good in [Self.good, Self.good, #"{"0":"3"}"#] {
      #expect(throws: UpdateError.self) { try view.update(bad) }
      let (record, wanted) = (try view.update(good), try untouched.update(good))
      #expect(record.path == .scoped)
      #expect(record.lines == wanted.lines)
      #expect(record.notified == wanted.notified)
      #expect(view.markup == untouched.markup)
    }
    #expect(view.document?.checkInvariants() == [])
    #expect(view.view?.rendered.json == untouched.view?.rendered.json)
  }

  @Test(arguments: BadInputTests.malformed + BadInputTests.shapes)
  func `input that is not JSON or not a diff leaves the scoped state unchanged`(bad: BadInputTests.Case) throws {
    try check(bad.body)
  }

  @Test(arguments: BadInputTests.misfits)
  func `a diff that does not fit the tree leaves the scoped state unchanged`(bad: BadInputTests.Case) throws {
    try check(bad.body)
  }

  @Test(
    arguments: BadInputTests.misfits.filter {
      !$0.body.contains(UInt8(ascii: "p")) && $0.name != "a page that is short"
    })
  func `valid changes before an invalid one are undone`(bad: BadInputTests.Case) throws {
    // The valid members precede the invalid ones, because a merge applies members in this order:
    // slots, then components. A valid member for the first slot of the invalid case is left out.
    let members = String(decoding: bad.body.dropFirst().dropLast(), as: UTF8.self)
    let goods = [
      ("\"0\"", #""0":"2""#), ("\"1\"", #""1":{"k":{"0":1,"1":[0,{"0":"X"}],"kc":2}}"#), ("\"3\"", #""3":{"0":"IN"}"#),
    ]
    let before = goods.filter { !members.hasPrefix($0.0) }.map(\.1).joined(separator: ",")
    try check(Array("{\(before),\(members)}".utf8))
  }
}
