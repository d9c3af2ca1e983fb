@testable import MirrorViews
import Testing

@Suite struct AllowedURLTests {
  private func isAllowed(_ text: String) -> Bool { (try? AllowedURL(attribute: text)) != nil }
  private func isAllowedForImages(_ text: String) -> Bool { (try? AllowedImageURL(attribute: text)) != nil }

  @Test(arguments: [
    "https://example.com/a?b=1&c=2#d", "http://localhost:4000/", "HTTPS://EXAMPLE.COM", "/items/1", "items/1",
    "../up", "?page=2", "#top", "//example.com/a", "/a:b", "?a=javascript:b", "#x:y", "/漢字",
    // Drawn as `&amp;#106;…`: a relative path, because the reference is not resolved twice.
    "&#106;avascript:alert(1)",
  ])
  func `an http or https URL or a path is allowed`(_ text: String) throws {
    #expect(try AllowedURL(attribute: text).text == text)
    #expect(isAllowedForImages(text))
  }

  @Test(arguments: [
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", "vbscript:msgbox", "data:text/html,<script>alert(1)</script>",
    "data:text/html;base64,PHNjcmlwdD4=", "blob:https://example.com/1", "file:///etc/passwd", "ftp://example.com",
    "filesystem:http://x/", "view-source:https://example.com", "mailto:a@example.com", "about:blank", "x:y", ":", "",
    // White space and control characters that a browser strips, before the scheme and inside it.
    " javascript:alert(1)", "\u{1}javascript:alert(1)", "\u{0}javascript:alert(1)", "\u{1F}javascript:alert(1)",
    "\tjavascript:alert(1)", "java\tscript:alert(1)", "java\nscript:alert(1)", "java\rscript:alert(1)",
    "javascript\t:alert(1)", "javascript:alert(1)\n", "\u{7F}javascript:alert(1)", "\n", " ",
    // Unresolved character references, and characters that look like those of an allowed scheme.
    "javascript&colon;alert(1):", "\u{FEFF}javascript:alert(1)",
    "\u{200B}javascript:alert(1)", "\u{A0}javascript:alert(1)", "%6Aavascript:alert(1)",
    // Browsers read a backslash as a slash.
    "\\\\example.com", "/\\example.com", "https:\\\\example.com", "http://a b/",
  ])
  func `every other URL is refused`(_ text: String) {
    #expect(!isAllowed(text))
    #expect(!isAllowedForImages(text))
  }

  @Test(arguments: ["data:image/png;base64,AAAA", "DATA:IMAGE/svg+xml;base64,AAAA", "data:image/gif,"])
  func `an image URL may contain an image but not a page`(_ text: String) {
    #expect(isAllowedForImages(text))
    #expect(!isAllowed(text))
  }

  @Test(arguments: [
    "data:text/html,x", "data:,x", "data:image", "data:text/html;image/png,x", "data: image/png,x", "data:imag/png,",
    "xdata:image/png,", "data:image/png,<svg onload=alert(1)>\n",
  ])
  func `an image URL with other data is refused`(_ text: String) { #expect(!isAllowedForImages(text)) }

  @Test func `the problem of a refused URL describes the expected value`() {
    #expect(throws: AttributeMismatch("an address: http, https, or a path")) { try AllowedURL(attribute: "x:y") }
  }
}
