import Testing

@testable import MirrorChecks

@Suite struct CheckOutputTests {
  @Test func print() throws {
    let check = try Session.shopCheck()
    let w = ["mirror.yml: 100% wrong"]
    var t = CheckText(check, style: TextStyle(isColoured: false, columns: 80)).text
    t += CheckText.conclusion([check], style: .plain)
    t += "----\n" + CheckText(check, style: TextStyle(isColoured: true, columns: 120)).text
    t += "----\n" + CheckJSON.text([check], warnings: w)
    t += "----\n" + JUnitReport.text([check])
    t += "----\n" + GitHubAnnotations.text([check], warnings: w)
    t += "----\n" + CheckMarkdown.text([check], warnings: w)
    Swift.print(t)
  }
}
