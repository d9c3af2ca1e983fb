import Testing

@testable import liveview_mirror

@Suite struct EnvironmentTests {
  @Test func `an unknown variable is reported with the most similar known one`() {
    #expect(
      Environment.warnings(about: [
        "MIRROR_PORT", "MIRROR_PROT", "MIRROR_MAXBODY", "MIRROR_SOMETHING_ELSE", "MIRROR_FOO", "HOME",
      ])
        == [
          "MIRROR_FOO is not a setting", "MIRROR_MAXBODY is not a setting: did you mean MIRROR_MAX_BODY?",
          "MIRROR_PROT is not a setting: did you mean MIRROR_PORT?",
          "MIRROR_SOMETHING_ELSE is not a setting",
        ])
    #expect(Environment.warnings(about: Setting.all.map(\.variable)).isEmpty)
  }
}
