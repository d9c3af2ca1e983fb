import Testing

@testable import MirrorSupport

@Suite struct EditDistanceTests {
  @Test(arguments: [("", "", 0), ("a", "", 1), ("", "ab", 2), ("port", "prot", 2), ("kitten", "sitting", 3)])
  func `the distance of two names is the number of letters to change`(a: String, b: String, distance: Int) {
    #expect(a.editDistance(to: b) == distance)
    #expect(b.editDistance(to: a) == distance)
  }

  @Test func `the most similar name is found within a limit`() {
    #expect("prot".mostSimilar(among: ["host", "port"]) == "port")
    #expect("prot".mostSimilar(among: ["address"]) == nil)
    #expect("prot".mostSimilar(among: []) == nil)
    #expect("FOO".mostSimilar(among: ["PORT", "GRACE"]) == nil)
  }
}
