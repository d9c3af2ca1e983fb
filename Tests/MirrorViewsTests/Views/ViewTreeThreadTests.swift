import Foundation
import MarkupDocument
import MirrorViews
import NodeObservation
import Testing

/// Drawing, updating and setting state on several threads. Also run with the thread sanitizer:
///
///     swift test --sanitize thread --scratch-path .build-tsan --filter ViewTreeThreadTests
@Suite struct ViewTreeThreadTests {
  struct Row: PageView {
    @ObservedElement var element
    var body: some View {
      Tag("li") { Children(of: element) }
    }
  }

  @Test func `a drawing while other threads update shows every row once, and a later one shows the last version`() {
    @Sendable func markup(_ version: Int) -> String {
      "<ul>" + (0..<20).map { #"<r id="\#(($0 &* 7 &+ version) % 20)">\#(version)</r>"# }.joined() + "</ul>"
    }
    let coordinator = DocumentCoordinator(markup: markup(0), dialect: .native)
    var registry = ViewRegistry.html
    registry.register("r") { _ in Row() }
    let page = ViewTree(of: coordinator, registry: registry)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for round in 1...60 {
        switch thread {
        case 0, 1: coordinator.update(markup: markup(round))
        case 2:
          // The rows are those of one version. Their texts may be of two: each view reads its
          // element when it is evaluated.
          let rows = page.markup.split(separator: "<li>").dropFirst()
          #expect(rows.count == 20)
        default: _ = page.takeEvaluations().count + page.count + page.problems.count
        }
      }
    }
    coordinator.update(markup: markup(99))
    #expect(page.markup == markup(99).replacing(/<r id="\d+">/, with: "<li>").replacing("</r>", with: "</li>"))
    #expect(page.problems == [])
  }

  @Test func `released trees leave no observers while other threads update`() {
    let coordinator = DocumentCoordinator(markup: "<p>0</p>", dialect: .html)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for round in 1...100 {
        if thread == 0 {
          coordinator.update(markup: "<p>\(round)</p>")
        } else {
          let page = ViewTree(of: coordinator)
          #expect(page.markup.hasPrefix("<p>"))
        }
      }
    }
    #expect(coordinator.publishers.counts() == [:])
  }
}
