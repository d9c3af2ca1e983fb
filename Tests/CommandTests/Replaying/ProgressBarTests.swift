import Testing

@testable import liveview_mirror

@Suite struct ProgressBarTests {
  @Test func `the bar shows the share and the numbers`() {
    #expect(
      ProgressBar(done: 41_000, total: 100_000).text(columns: 60)
        == " 41 % [==========>              ] 41,000 of 100,000 frames")
    #expect(ProgressBar(done: 0, total: 10).text(columns: 40) == "  0 % [>              ] 0 of 10 frames")
    #expect(ProgressBar(done: 10, total: 10).text(columns: 40) == "100 % [==============] 10 of 10 frames")
  }

  @Test func `the line is shorter than the terminal`() {
    for columns in 1...200 {
      for done in [0, 1, 999, 1_000, 123_456] {
        #expect(ProgressBar(done: done, total: 123_456).text(columns: columns).count < columns)
      }
    }
  }

  @Test func `a bar without a total is complete`() {
    #expect(ProgressBar(done: 0, total: 0).text(columns: 20) == "100 %  0 of 0 frame")
  }
}
