import MarkupDocument
import Testing

@testable import LiveViewClient

@Suite struct PlainFormTests {
  private func forms(_ markup: String) -> [PlainForm] {
    PlainForm.all(in: MarkupParser.parse(Array(markup.utf8), dialect: .html).tree)
  }

  @Test func `a form sends what a browser sends`() throws {
    let form = try #require(
      forms(
        """
        <form method="get"><input name="q"></form>
        <form action="/in" method="POST"><input type="hidden" name="token" value="a+b"><input name="user">
        <input name="off" value="x" disabled><input type="checkbox" name="keep" checked><input type="checkbox" name="no">
        <textarea name="note">two words</textarea><select name="role"><option>guest<option value="a" selected>admin</select>
        <select name="first"><option value="1">one<option value="2">two</select><input type="file" name="f">
        <button name="how" value="mail">Mail</button><button name="how" value="sms">SMS</button></form>
        """
      ).first)
    #expect(form.action == "/in")
    #expect(form.names == ["token", "user", "keep", "no", "note", "role", "first"])
    #expect(
      form.encoded(with: [("user", "Ada & co")])
        == "token=a%2Bb&keep=on&note=two+words&role=a&first=1&how=mail&user=Ada+%26+co")
  }

  @Test func `a page without a form that is posted has none`() {
    #expect(forms("<form><input name=a></form><input name=b>").isEmpty)
  }
}
