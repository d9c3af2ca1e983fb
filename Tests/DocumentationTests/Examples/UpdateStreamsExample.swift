import MarkupDocument
import NodeObservation
import TestSupport

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

enum UpdateStreamsExample: Example {
  static func run() throws {
    // example: UpdateStreams
    let coordinator = DocumentCoordinator(markup: #"<b id="a">1</b><b id="b">1</b>"#, dialect: .html)
    let document = coordinator.document
    guard let a = document.node(withID: "a"), let b = document.node(withID: "b") else { fatalError("no prices") }

    let prices = [a, b].publisher.flatMap { coordinator.elementChanged($0) }.map { _ in "a price changed" }
    let each = prices.sink { print("each:", $0) }
    let once = prices.coalesced().sink { print("once:", $0) }
    coordinator.update(markup: #"<b id="a">2</b><b id="b">2</b>"#)
    // end
    each.cancel()
    once.cancel()

    let clock = HandClock()
    // example: UpdateStreams
    let settled = coordinator.elementChanged(a).debounce(for: .milliseconds(100), scheduler: clock)
      .sink { _ in print("it has been quiet for 100 ms") }
    let steady = coordinator.elementChanged(a).throttle(for: .milliseconds(100), scheduler: clock, latest: true)
      .sink { _ in print("at most every 100 ms") }
    // end
    for value in 3...6 {
      coordinator.update(markup: #"<b id="a">\#(value)</b><b id="b">2</b>"#)
      clock.advance(by: .milliseconds(30))
    }
    clock.advance(by: .milliseconds(300))
    settled.cancel()
    steady.cancel()
  }
}
