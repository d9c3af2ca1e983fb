import Testing

@testable import liveview_mirror

@Suite struct EnvironmentTests {
  @Test func `an unknown variable is reported with the most similar known one`() {
    #expect(
      Environment.warnings(about: ["MIRROR_PORT", "MIRROR_PROT", "MIRROR_MAXBODY", "MIRROR_SOMETHING_ELSE", "HOME"])
        == [
          "there is no setting MIRROR_MAXBODY; did you mean MIRROR_MAX_BODY?",
          "there is no setting MIRROR_PROT; did you mean MIRROR_PORT?",
          "there is no setting MIRROR_SOMETHING_ELSE",
        ])
    #expect(Environment.warnings(about: Setting.all.map(\.variable)).isEmpty)
  }

  @Test(arguments: [("", "", 0), ("a", "", 1), ("", "ab", 2), ("port", "prot", 2), ("kitten", "sitting", 3)])
  func `the distance of two names is the number of letters to change`(a: String, b: String, distance: Int) {
    #expect(Environment.distance(a, b) == distance)
    #expect(Environment.distance(b, a) == distance)
  }
}
