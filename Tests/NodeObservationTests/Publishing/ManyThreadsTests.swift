import DocumentInvariants
import MarkupDocument
import MirrorSupport
import NodeObservation
import TestSupport
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// Eight threads that subscribe, cancel and publish. These tests are most useful with the thread
/// sanitizer:
///
/// ```sh
/// swift build --build-tests --sanitize thread --scratch-path .build-tsan
/// swift test --skip-build --sanitize thread --scratch-path .build-tsan --disable-xctest --no-parallel \
///   --filter NodeObservationTests
/// ```
///
/// The sanitizer does not see reference counts. It therefore also reports an array or a document
/// that was copied under a lock and read without it, if the owner changes its own storage in place
/// after the copy was released. Such a report is false.
@Suite struct ManyThreadsTests {
  static let rounds = 300

  @Test func `no subscriber is called after cancel has returned`() {
    let publishers = NodePublishers()
    let nodes = (1...4).map { NodeRef(epoch: 1, number: $0) }
    OtherThread.onEach { thread in
      for round in 0..<Self.rounds {
        let node = nodes[(thread + round) % nodes.count]
        let isCancelled = Guarded(false)
        let subscription = publishers.subscribe(to: node) { _ in #expect(!isCancelled.current) }
        publishers.send(to: nodes[round % nodes.count])
        subscription.cancel()
        isCancelled.withLock { $0 = true }
        publishers.send(to: node)
      }
    }
    #expect(publishers.counts() == [:])
  }

  @Test func `subscribers on several threads cancel each other and defer work`() {
    let publishers = NodePublishers()
    let nodes = (1...4).map { NodeRef(epoch: 1, number: $0) }
    let held = Guarded<[NodeSubscription]>([])
    let worked = Guarded(0)
    OtherThread.onEach { thread in
      for round in 0..<Self.rounds {
        let node = nodes[(thread &* 7 &+ round) % nodes.count]
        let subscription = publishers.subscribe(to: node) { _ in
          let victim = held.withLock { $0.count > 8 ? $0.removeFirst() : nil }
          victim?.cancel()
          try? Publication.afterwards("work") { worked.withLock { $0 += 1 } }
        }
        held.withLock { $0.append(subscription) }
        publishers.send(to: node)
        if round % 50 == 0 { publishers.finish(node) }
      }
    }
    for subscription in held.current { subscription.cancel() }
    held.withLock { $0 = [] }
    #expect(publishers.counts() == [:])
    #expect(worked.current > 0)
  }

  @Test func `observers are added and removed while the document changes`() {
    let coordinator = DocumentCoordinator(markup: "", dialect: .html)
    let signals = Guarded(0)
    let stale = Guarded(0)
    OtherThread.onEach { thread in
      for round in 0..<Self.rounds / 3 {
        if thread < 2 {
          let items = (0..<8).filter { ($0 + round) % 3 != thread }.map { #"<li id="i\#($0)" class="c\#(round)">"# }
          coordinator.update(markup: #"<ul id="l" class="c\#(round)">"# + items.joined() + "</ul>")
          if round % 40 == 39 { coordinator.replace(markup: "") }
        } else {
          let node = coordinator.node(id: thread % 2 == 0 ? "l" : "i\(round % 8)")
          let isCancelled = Guarded(false)
          let observer = Observer(of: node, in: coordinator, observeChildren: thread % 2 == 0) { _ in
            signals.withLock { $0 += 1 }
            if isCancelled.current { stale.withLock { $0 += 1 } }
          }
          let sink = observer.changes.sink { _ in _ = observer.element }
          let once = coordinator.elementChanged(node).coalesced().sink { _ in _ = observer.children }
          _ = (observer.element, observer.children, observer.signalCount, observer.isFinished)
          sink.cancel()
          observer.cancel()
          isCancelled.withLock { $0 = true }
          once.cancel()
        }
      }
    }
    #expect(stale.current == 0)
    #expect(coordinator.publishers.counts() == [:])
    #expect(coordinator.document.checkInvariants() == [])
  }

  @Test func `every thread sends to a relay and subscribes to it`() {
    let relay = Relay<Int>()
    OtherThread.onEach { thread in
      for round in 0..<Self.rounds {
        let isCancelled = Guarded(false)
        let sink = relay.publisher.coalesced().sink { _ in #expect(!isCancelled.current) }
        relay.send(thread &* 1000 &+ round)
        sink.cancel()
        isCancelled.withLock { $0 = true }
      }
    }
    #expect(relay.send(0) == 0)
  }

  /// Finds data races with the thread sanitizer.
  @Test func `an observer is cancelled while other threads read its element`() {
    let coordinator = DocumentCoordinator(markup: #"<p id="a">1</p>"#, dialect: .html)
    let node = coordinator.node(id: "a")
    for _ in 0..<Self.rounds / 10 {
      let observer = Observer(of: node, in: coordinator)
      OtherThread.onEach { thread in if thread == 0 { observer.cancel() } else { _ = observer.element } }
    }
    #expect(coordinator.publishers.counts() == [:])
  }
}
