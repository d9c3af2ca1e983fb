import MarkupDocument
import Testing

/// Whether a page that is patched in once more changes nothing: told from the trees, as the morph tells it.
@Suite struct SecondPatchTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var before: String
    var page: String
    /// `nil` where the trees do not tell it.
    var isSettled: Bool?
    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "a new list, of which the next patch marks the selected option", before: "",
      page: "<select><option>a<option>b</select>", isSettled: false),
    Case(
      name: "a list of which the selected option is marked", before: "<select><option selected>a<option>b</select>",
      page: "<select><option>a<option>b</select>", isSettled: true),
    Case(
      name: "an ignored element", before: "<div id=i phx-update=ignore><p>a</p></div>",
      page: "<div id=i phx-update=ignore><p>b</p></div>", isSettled: true),
    Case(
      name: "text in a container", before: "<ul id=l phx-update=append><li id=a></li></ul>",
      page: "<ul id=l phx-update=append><li id=b></li><li id=a></li></ul>", isSettled: true),
    Case(
      name: "an element without an id in a new container", before: "<p></p>",
      page: "<ul id=l phx-update=stream><li>x</li></ul>", isSettled: false),
    // The client exchanges one of two elements that say the same.
    Case(
      name: "an id that stands twice in a container",
      before: "<ul id=l phx-update=prepend><li id=b></li><li id=a></li><li id=a></li></ul>",
      page: "<ul id=l phx-update=prepend><li>no id</li><li id=a></li></ul>", isSettled: nil),
  ]

  @Test("a second patch is foreseen as it is", arguments: cases)
  func foreseen(_ example: Case) {
    var held = Held(example.before)
    let page = Page(parsing: Array(example.page.utf8), dialect: .html)
    let morph = Morph.changes(from: held.document, to: page)
    held.update(example.page)
    let second = Morph.changes(from: held.document, to: page)
    let isSettled = morph.isSettled(showing: page, version: .newest)
    #expect(isSettled == example.isSettled)
    if let isSettled { #expect(isSettled == second.changes.changes.isEmpty) }
    #expect(morph.shows(page) == (held.document.tree.isEqual(to: page.tree)))
  }

  @Test("without the tree nothing is said")
  func forgotten() {
    let page = Page(parsing: Array("<select></select>".utf8), dialect: .html)
    var morph = Morph.changes(from: Held("").document, to: page)
    morph.forgetTree()
    #expect(morph.isSettled(showing: page, version: .newest) == nil)
  }

  @Test("streams delete the elements with an id from the first to the last")
  func deletes() {
    var held = Held("<i id=a>1</i><b><i id=a>2</i></b><i id=a>3</i>")
    held.update("<i id=a>1</i><b></b><i id=a>3</i>", streams: [StreamTests.patch(deletes: ["a", "a"])])
    #expect(held.markup == "<i id=\"a\">1</i><b></b><i id=\"a\">3</i>")
  }
}
