import MarkupDocument
import MirrorSupport
import MirrorViews
import NodeObservation
import RecordingFixtures
import TestSupport
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// Shared values, observing closures and views on eight threads. ``ManyThreadsTests`` describes how
/// to run these tests with the thread sanitizer.
@Suite struct SharedThreadsTests {
  static let rounds = 200

  let store = InMemoryStore()

  @Test func `no change from several threads is lost`() {
    let count = Shared(SharedKey("count", default: 0, in: store))
    OtherThread.onEach { _ in for _ in 0..<Self.rounds { count.withLock { $0 += 1 } } }
    #expect(count.wrappedValue == OtherThread.count * Self.rounds)
  }

  @Test func `a publisher ends with the last value and sends no value twice`() {
    let count = Shared(SharedKey("count", default: 0, in: store))
    let heard = Guarded<[Int]>([])
    let cancellable = count.publisher.sink { value in heard.withLock { $0.append(value) } }
    OtherThread.onEach { _ in for _ in 0..<Self.rounds { count.withLock { $0 += 1 } } }
    // Each change adds one, so the values arrive in this order.
    let all = heard.current
    #expect(all == Array(0...OtherThread.count * Self.rounds))
    cancellable.cancel()
  }

  @Test func `a subscriber that is added during changes misses no value`() {
    let count = Shared(SharedKey("count", default: 0, in: store))
    let gaps = Heard()
    OtherThread.onEach { thread in
      for _ in 0..<Self.rounds {
        if thread < 4 {
          count.withLock { $0 += 1 }
        } else {
          let last = Guarded<Int?>(nil)
          let cancellable = count.publisher.sink { value in
            last.withLock { last in
              if let before = last, value != before + 1 { gaps.note("\(before) → \(value)") }
              last = value
            }
          }
          cancellable.cancel()
        }
      }
    }
    #expect(gaps.all == [])
  }

  @Test func `observing closures end with the last value`() {
    let values = (0..<4).map { Shared(SharedKey("\($0)", default: 0, in: store)) }
    let seen = Guarded(-1)
    let observer = observe {
      let sum = values.reduce(0) { $0 + $1.wrappedValue }
      seen.withLock { $0 = sum }
    }
    OtherThread.onEach { thread in
      for round in 0..<Self.rounds {
        values[thread % 4].withLock { $0 += 1 }
        if round % 50 == 0 { observe { _ = values[0].wrappedValue }.cancel() }
      }
    }
    #expect(seen.current == OtherThread.count * Self.rounds)
    observer.cancel()
    #expect(observer.sourceCount == 0)
  }

  @Test func `views end with the last value`() {
    let keys = (0..<2).map { SharedKey("\($0)", default: 0, in: store) }
    let stage = Stage { Group { ForEach(keys, id: \.name) { SharedViewTests.Reading($0) } } }
    stage.draw()
    OtherThread.onEach { thread in
      for round in 0..<Self.rounds {
        Shared(keys[thread % 2]).withLock { $0 += 1 }
        if round % 40 == 0 { _ = stage.page.markup }
      }
    }
    #expect(stage.draw() == "<b>800</b><b>800</b>")
  }

  @Test func `keys are reassigned while other threads set values`() {
    let keys = (0..<2).map { SharedKey("\($0)", default: 0, in: store) }
    let moving = Shared(keys[0])
    let observer = observe { _ = moving.wrappedValue }
    OtherThread.onEach { thread in
      for round in 0..<Self.rounds {
        if thread == 0 { moving.load(keys[round % 2]) } else { moving.withLock { $0 += 1 } }
      }
    }
    let sum = keys.reduce(0) { $0 + Shared($1).wrappedValue }
    #expect(sum == 7 * Self.rounds)
    observer.cancel()
  }

  @Test func `a publisher ends with the value of the last key`() {
    let keys = (0..<OtherThread.count).map { SharedKey("\($0)", default: $0, in: store) }
    let moving = Shared(keys[0])
    let last = Guarded(-1)
    let cancellable = moving.publisher.sink { value in last.withLock { $0 = value } }
    for _ in 0..<Self.rounds {
      OtherThread.onEach { moving.load(keys[$0]) }
      #expect(moving.key == keys[moving.wrappedValue])
      #expect(last.current == moving.wrappedValue)
    }
    cancellable.cancel()
  }

  /// A million with `MIRROR_LONG_TESTS=1`.
  @Test func `subscriptions of every kind are made and cancelled on eight threads`() {
    let count = Shared(SharedKey("count", default: 0, in: store))
    let coordinator = DocumentCoordinator(markup: #"<p id="a">1</p>"#, dialect: .html)
    let node = coordinator.node(id: "a")
    let heard = Guarded(0)
    let subscriptions = TestEffort.count(40_000, all: 200_000, long: 1_000_000)
    OtherThread.onEach { thread in
      for round in 0..<subscriptions / OtherThread.count {
        let isCancelled = Guarded(false)
        let note: @Sendable () -> Void = {
          heard.withLock { $0 += 1 }
          #expect(!isCancelled.current)
        }
        let cancel: () -> Void
        switch round % 4 {
        case 0:
          let token = observe {
            _ = count.wrappedValue
            note()
          }
          cancel = {
            token.cancel()
            #expect(token.sourceCount == 0)
          }
        case 1: cancel = count.publisher.sink { _ in note() }.cancel
        case 2: cancel = coordinator.publishers.subscribe(to: node) { _ in note() }.cancel
        default: cancel = Observer(of: node, in: coordinator) { _ in note() }.cancel
        }
        if round % 100 == 99 { count.withLock { $0 += 1 } }
        if round % 1000 == thread { coordinator.update(markup: #"<p id="a">\#(thread) \#(round)</p>"#) }
        cancel()
        isCancelled.withLock { $0 = true }
      }
    }
    #expect(count.wrappedValue == OtherThread.count * (subscriptions / OtherThread.count / 100))
    #expect(heard.current >= subscriptions / 2)
    #expect(coordinator.publishers.counts() == [:])
  }

  @Test func `inside a delivery no thread waits for another one`() {
    let values = (0..<2).map { Shared(SharedKey("\($0)", default: 0, in: store)) }
    let inside = (0..<2).map { _ in Gate() }
    let done = (0..<2).map { _ in Gate() }
    let coordinator = DocumentCoordinator(markup: #"<p id="a">1</p>"#, dialect: .html)
    let page = ViewTree(of: coordinator)
    let tokens = values.map { value in observe { _ = value.wrappedValue } }
    let sinks = (0..<2).map { own in
      let other = 1 - own
      return values[own].publisher.dropFirst().prefix(1).sink { _ in
        // Both threads are inside a delivery, and neither leaves it before the other has done
        // everything.
        inside[own].open()
        inside[other].wait()
        _ = values[other].wrappedValue
        values[other].withLock { $0 += 10 }
        tokens[other].cancel()
        observe { _ = values[other].wrappedValue }.cancel()
        values[other].publisher.sink { _ in }.cancel()
        Observer(of: coordinator.node(id: "a"), in: coordinator).cancel()
        _ = page.markup
        done[own].open()
        done[other].wait()
      }
    }
    OtherThread.onEach { thread in if thread < 2 { values[thread].withLock { $0 += 1 } } }
    #expect(values.map(\.wrappedValue) == [11, 11])
    sinks.forEach { $0.cancel() }
  }
}
