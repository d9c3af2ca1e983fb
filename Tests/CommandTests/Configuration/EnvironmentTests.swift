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
}
