import MarkupDocument
import Testing

@testable import MirrorInspector

/// Links from template lines into an editor.
@Suite struct EditorTests {
  private let location = SourceLocation(file: "lib/shop web/x&y.ex", line: 12)

  @Test(arguments: [
    ("vscode", "vscode://file/app/lib/shop%20web/x%26y.ex:12"),
    ("ZED", "zed://file/app/lib/shop%20web/x%26y.ex:12"),
    ("idea", "idea://open?file=/app/lib/shop%20web/x%26y.ex&line=12"),
    ("emacs", "emacs://open?url=file:///app/lib/shop%20web/x%26y.ex&line=12"),
    ("vscode://file/__FILE__:__LINE__", "vscode://file//app/lib/shop%20web/x%26y.ex:12"),
    ("http://localhost:63342/api/file{file}:{line}", "http://localhost:63342/api/file/app/lib/shop%20web/x%26y.ex:12"),
    ("my-editor+x://__FILE__", "my-editor+x:///app/lib/shop%20web/x%26y.ex"),
    ("x://open/__RELATIVEFILE__#__LINE__", "x://open/lib/shop%20web/x%26y.ex#12"),
  ])
  func `a name or pattern makes a percent-encoded link`(text: String, expected: String) throws {
    #expect(try #require(Editor(text, appRoot: "/app/")).link(to: location) == expected)
  }

  @Test func `every named editor has an allowed pattern with a file and a line`() throws {
    for (name, pattern) in Editor.named {
      let editor = try #require(Editor(name, appRoot: "/a"))
      let link = try #require(editor.link(to: location))
      #expect(link.contains("/a/lib/") && link.contains("12") && !link.contains("__"), "\(name)")
      #expect(Editor(pattern) == Editor(name))
    }
  }

  @Test(arguments: [
    "", "notepad", "javascript:alert('__FILE__')", "JavaScript:x//__FILE__", "data:text/html,__FILE__",
    "vbscript:__FILE__",
    "__FILE__:__LINE__", "://__FILE__", "1x://__FILE__", "java\nscript:__FILE__", " javascript:__FILE__", "x://no-file",
    "view-source:__FILE__", "x://\u{e9}__FILE__", "blob:__FILE__",
  ])
  func `other texts are refused`(text: String) { #expect(Editor(text) == nil) }

  @Test func `a relative file needs the folder of the app`() throws {
    let editor = try #require(Editor("zed"))
    #expect(editor.link(to: location) == nil)
    #expect(editor.link(to: SourceLocation(file: "/x.ex", line: 1)) == "zed://file/x.ex:1")
    #expect(Editor("zed", appRoot: "/")?.link(to: SourceLocation(file: "x.ex", line: 1)) == "zed://file/x.ex:1")
  }

  @Test(arguments: ["", "../x.ex", "lib/../../x.ex", "//host/x.ex", "a\nb.ex", "a\u{0}.ex", ".."])
  func `a file outside of the app has no link`(file: String) throws {
    #expect(try #require(Editor("zed", appRoot: "/app")).link(to: SourceLocation(file: file, line: 1)) == nil)
  }

  @Test func `a file cannot add a placeholder, a query or markup`() throws {
    let editor = try #require(Editor("idea", appRoot: "/app"))
    #expect(
      editor.link(to: SourceLocation(file: "__LINE__?a=\"<b>#x", line: 3))
        == "idea://open?file=/app/__LINE__%3Fa%3D%22%3Cb%3E%23x&line=3")
  }
}
