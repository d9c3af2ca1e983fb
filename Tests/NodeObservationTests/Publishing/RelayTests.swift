import MirrorSupport
import NodeObservation
import TestSupport
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

@Suite struct RelayTests {
  let relay = Relay<Int>()
  let heard = Heard()

  func sink(_ name: String) -> AnyCancellable {
    relay.publisher.sink(
      receiveCompletion: { [heard] _ in heard.note("\(name) finished") },
      receiveValue: { [heard] in heard.note("\(name) \($0)") })
  }

  @Test func `subscribers are called in subscription order and not after they cancel`() {
    let sinks = ["a", "b", "c"].map(sink)
    #expect(relay.send(1) == 3)
    sinks[1].cancel()
    #expect(relay.send(2) == 2)
    #expect(heard.take() == ["a 1", "b 1", "c 1", "a 2", "c 2"])
    relay.finish()
    relay.finish()
    #expect(relay.send(3) == 0)
    #expect(heard.take() == ["a finished", "c finished"])
    _ = (sinks, sink("late"))
    #expect(heard.take() == ["late finished"])
  }

  @Test func `a subscriber without demand later receives the newest value`() {
    let taker = Taker<Int>(demand: 1)
    relay.publisher.receive(subscriber: taker)
    for value in 1...4 { relay.send(value) }
    relay.finish()
    #expect(taker.heard.take() == ["1"])
    taker.request(1)
    #expect(taker.heard.take() == ["4", "finished"])
    taker.request(1)
    #expect(taker.heard.take() == [])
  }

  @Test func `a value that a subscriber sends is delivered after it returns`() {
    let taker = Taker<Int>(demand: 10) { [relay, heard] value in
      if value < 3 { relay.send(value + 1) }
      heard.note("\(value) done")
    }
    relay.publisher.receive(subscriber: taker)
    relay.send(1)
    #expect(heard.all == ["1 done", "2 done", "3 done"])
    #expect(taker.heard.all == ["1", "2", "3"])
  }

  @Test func `a subscriber is called by one thread at a time and misses no value`() {
    let inside = Guarded(0)
    let sum = Guarded(0)
    let sink = relay.publisher.sink { value in
      #expect(
        inside.withLock {
          $0 += 1; return $0
        } == 1)
      sum.withLock { $0 += value }
      inside.withLock { $0 -= 1 }
    }
    let threads = (0..<4).map { _ in OtherThread { [relay] in for value in 1...500 { relay.send(value) } } }
    for thread in threads { thread.join() }
    #expect(sum.current == 4 * 500 * 501 / 2)
    sink.cancel()
  }

  @Test func `two relays that feed each other on two threads do not deadlock`() {
    let other = Relay<Int>()
    let (inFirst, inSecond) = (Gate(), Gate())
    let sinks = [
      relay.publisher.sink { [heard] value in
        heard.note("relay \(value)")
        guard value == 0 else { return }
        inFirst.open()
        inSecond.wait()
        other.send(1)
      },
      other.publisher.sink { [heard, relay] value in
        heard.note("other \(value)")
        guard value == 0 else { return }
        inSecond.open()
        inFirst.wait()
        relay.send(1)
      },
    ]
    let threads = [relay, other].map { relay in OtherThread { relay.send(0) } }
    for thread in threads { thread.join() }
    #expect(Set(heard.all) == ["relay 0", "relay 1", "other 0", "other 1"])
    withExtendedLifetime(sinks) {}
  }

  @Test func `a cancelled subscription retains nothing`() {
    var token: Heard? = Heard()
    let look = WeakBox(token)
    let sink = relay.publisher.sink { [token] _ in token?.note("") }
    token = nil
    #expect(look.value != nil)
    sink.cancel()
    #expect(look.value == nil)
  }

  @Test func `a subscriber that sends each value again is stopped`() {
    let calls = Guarded(0)
    let sink = relay.publisher.sink { [relay] value in
      calls.withLock { $0 += 1 }
      relay.send(value)
    }
    for round in 1...2 {
      relay.send(1)
      #expect(calls.current == round * (Publication.maximumDepth + 1))
    }
    sink.cancel()
  }

  @Test func `a subscriber that sends each value twice is stopped`() {
    let calls = Guarded(0)
    let sink = relay.publisher.sink { [relay] value in
      calls.withLock { $0 += 1 }
      for _ in 0..<2 { relay.send(value) }
    }
    relay.send(1)
    #expect(calls.current <= Publication.maximumFollowUps + 1)
    sink.cancel()
  }

  @Test func `two relays that feed each other without end are stopped`() {
    let other = Relay<Int>()
    let sinks = [
      relay.publisher.sink { [heard] value in
        heard.note("\(value)")
        other.send(value)
      },
      other.publisher.sink { [relay] in relay.send($0 + 1) },
    ]
    relay.send(0)
    #expect(heard.take() == (0...Publication.maximumDepth).map { "\($0)" })
    relay.send(-1)
    #expect(heard.take().count == Publication.maximumDepth + 1)
    withExtendedLifetime(sinks) {}
  }

  @Test func `a thousand values sent by one subscriber are all delivered`() {
    let sink = relay.publisher.sink { [relay, heard] value in
      heard.note("\(value)")
      if value == 0 { for value in 1...1000 { relay.send(value) } }
    }
    relay.send(0)
    #expect(heard.all == (0...1000).map { "\($0)" })
    sink.cancel()
  }
}
