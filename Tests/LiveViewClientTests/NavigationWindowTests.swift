import MirrorSupport
import Testing

@testable import LiveViewClient

@Suite struct NavigationWindowTests {
  /// A window at a time that the test sets, without randomness.
  private struct Fixture {
    var window = NavigationWindow()
    var now = MonotonicTime(nanoseconds: 0)

    mutating func note(after time: Duration = .zero, jitter: Double = 0) -> NavigationWindow.Pause? {
      now = MonotonicTime(nanoseconds: now.nanoseconds + Int64(time / .nanoseconds(1)))
      return window.note(at: now, jitter: jitter)
    }
  }

  @Test func `twenty navigations in ten seconds are not delayed, and the next ones are`() {
    var it = Fixture()
    for _ in 0..<20 { #expect(it.note(after: .milliseconds(400)) == nil) }
    #expect(it.note(after: .milliseconds(400)) == .init(delay: .seconds(6), isFirst: true))
    #expect(it.note(after: .seconds(6), jitter: 1) == .init(delay: .seconds(8), isFirst: false))
    // The loop lasts although fewer than 20 navigations are in the window now.
    for _ in 0..<5 { #expect(it.note(after: .seconds(8)) == .init(delay: .seconds(6), isFirst: false)) }
  }

  @Test func `twenty navigations in more than ten seconds are never delayed`() {
    var it = Fixture()
    for _ in 0..<200 { #expect(it.note(after: .milliseconds(500)) == nil) }
  }

  @Test func `a loop ends ten seconds after its last navigation`() {
    var it = Fixture()
    for _ in 0..<20 { #expect(it.note() == nil) }
    #expect(it.note()?.isFirst == true)
    // The delayed navigation takes place after 6 s, and the next one follows it within 10 s.
    #expect(it.note(after: .milliseconds(15_999))?.isFirst == false)
    #expect(it.note(after: .seconds(16)) == nil)
    for _ in 0..<19 { #expect(it.note() == nil) }
    #expect(it.note()?.isFirst == true)
  }
}
