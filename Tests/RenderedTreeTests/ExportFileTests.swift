import RenderedTree
import Testing

/// Exports in several files.
@Suite struct ExportFileTests {
  private func export(_ view: String, _ page: String?) -> [UInt8] {
    let place = page.map { #","page":{"id":"\#($0)"}"# } ?? ""
    return Array(#"{"liveview_mirror":{"export":1},"view":"\#(view)"\#(place)}"#.utf8)
  }

  private let other = Array(#"{"diff":{}}"#.utf8)

  @Test func `exports of one page are a group, also in UTF-16 and with a mark`() {
    let wide = export("lv:c~p", "p").flatMap { [$0, 0] as [UInt8] }
    let files: [[UInt8]] = [
      export("lv:a~p", "p"), other, export("lv:b~q", "q"), [0xEF, 0xBB, 0xBF] + export("lv:b~p", "p"), wide, [],
    ]
    #expect(ExportFile.groups(files) == [[0, 3, 4], [1], [2], [5]])
  }

  @Test func `views without a page, and a view that occurs twice, stay apart`() {
    #expect(ExportFile.groups([export("a", nil), export("b", nil)]) == [[0], [1]])
    let (a, b) = (export("lv:a~p", "p"), export("lv:b~p", "p"))
    #expect(ExportFile.groups([a, b, a, b]) == [[0, 1], [2], [3]])
  }

  @Test func `a file with views of two pages joins their groups`() {
    let both = export("lv:c~p", "p") + Array("\n".utf8) + export("lv:c~q", "q")
    #expect(ExportFile.groups([export("lv:a~p", "p"), export("lv:a~q", "q"), both]) == [[0, 1, 2]])
  }

  @Test func `joined files are separate lines`() throws {
    let (a, b) = (export("lv:a~p", "p"), export("lv:b~p", "p"))
    let joined = ExportFile.joined([a, [0xEF, 0xBB, 0xBF] as [UInt8] + b])
    #expect(joined == a + Array("\n".utf8) + b + Array("\n".utf8))
    #expect(try CaptureReader.read(joined).pages.map(\.view) == ["lv:a~p", "lv:b~p"])
    #expect(ExportFile.joined([a]) == a + Array("\n".utf8))
  }
}
