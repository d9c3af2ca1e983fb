import MarkupDocument
import Testing

/// Predicts by comparing trees whether patching a page again changes nothing, and compares the
/// prediction with a morph.
@Suite struct SecondPatchTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var before: String
    var page: String
    /// `nil` if comparing the trees cannot decide it.
    var isStable: Bool?
    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "a new list whose selected option the next patch marks", before: "",
      page: "<select><option>a<option>b</select>", isStable: false),
    Case(
      name: "a list whose selected option is marked", before: "<select><option selected>a<option>b</select>",
      page: "<select><option>a<option>b</select>", isStable: true),
    Case(
      name: "an ignored element", before: "<div id=i phx-update=ignore><p>a</p></div>",
      page: "<div id=i phx-update=ignore><p>b</p></div>", isStable: true),
    Case(
      name: "text in a container", before: "<ul id=l phx-update=append><li id=a></li></ul>",
      page: "<ul id=l phx-update=append><li id=b></li><li id=a></li></ul>", isStable: true),
    Case(
      name: "an element without an id in a new container", before: "<p></p>",
      page: "<ul id=l phx-update=stream><li>x</li></ul>", isStable: false),
    // The client replaces one of two elements with the same content.
    Case(
      name: "a duplicate id in a container",
      before: "<ul id=l phx-update=prepend><li id=b></li><li id=a></li><li id=a></li></ul>",
      page: "<ul id=l phx-update=prepend><li>no id</li><li id=a></li></ul>", isStable: nil),
  ]

  @Test(arguments: cases)
  func `the predicted effect of a second patch is its real effect`(_ example: Case) {
    var held = ContentBeforeJoin(example.before)
    let page = Page(parsing: Array(example.page.utf8), dialect: .html)
    let morph = Morph.changes(from: held.document, to: page)
    held.update(example.page)
    let second = Morph.changes(from: held.document, to: page)
    let isStable = morph.isStable(showing: page, version: .newest)
    #expect(isStable == example.isStable)
    if let isStable { #expect(isStable == second.changes.changes.isEmpty) }
    #expect(morph.shows(page) == (held.document.tree.isEqual(to: page.tree)))
  }

  @Test
  func `there is no prediction without the tree`() {
    let page = Page(parsing: Array("<select></select>".utf8), dialect: .html)
    var morph = Morph.changes(from: ContentBeforeJoin("").document, to: page)
    morph.forgetTree()
    #expect(morph.isStable(showing: page, version: .newest) == nil)
  }

  @Test
  func `streams delete the elements with an id from the first to the last`() {
    var held = ContentBeforeJoin("<i id=a>1</i><b><i id=a>2</i></b><i id=a>3</i>")
    held.update("<i id=a>1</i><b></b><i id=a>3</i>", streams: [StreamTests.patch(deletes: ["a", "a"])])
    #expect(held.markup == "<i id=\"a\">1</i><b></b><i id=\"a\">3</i>")
  }
}
