import MarkupDocument
import MirrorSupport
import NodeObservation
import TestSupport
import Testing

@Suite struct PublicationTests {
  let heard = Heard()

  @Test func `work runs at once outside of a publication`() throws {
    #expect(!Publication.isRunning)
    try Publication.afterwards("work") { [heard] in heard.note("work \(Publication.isRunning)") }
    #expect(heard.all == ["work true"])
    #expect(!Publication.isRunning)
  }

  @Test func `work is deferred until the outermost publication ends and runs in order`() throws {
    try Publication.run {
      try Publication.run {
        try Publication.afterwards("one") { [heard] in
          heard.note("one")
          try? Publication.afterwards("three") { heard.note("three") }
          heard.note("end of one")
        }
        try Publication.afterwards("two") { [heard] in heard.note("two") }
        heard.note("inner")
      }
      heard.note("outer")
    }
    #expect(heard.all == ["inner", "outer", "one", "end of one", "two", "three"])
  }

  @Test func `sending a signal is a publication`() {
    let publishers = NodePublishers()
    let node = NodeRef(epoch: 1, number: 2)
    let subscriptions = ["first", "second"].map { name in
      publishers.subscribe(to: node) { [heard] _ in
        heard.note("\(name) \(Publication.isRunning)")
        try? Publication.afterwards(name) { heard.note("after \(name)") }
      }
    }
    publishers.send(to: node)
    #expect(heard.all == ["first true", "second true", "after first", "after second"])
    #expect(!Publication.isRunning)
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `work that is deferred several times under one key runs once`() throws {
    try Publication.run {
      for number in 0..<10 {
        try Publication.afterwards(once: "key", "work") { [heard] in
          heard.note("\(number)")
          // The work is running, so its key can be used again.
          if heard.all.count == 1 { try? Publication.afterwards(once: "key", "again") { heard.note("again") } }
        }
      }
      try Publication.afterwards(once: "other", "work") { [heard] in heard.note("other") }
    }
    #expect(heard.all == ["0", "other", "again"])
    try Publication.afterwards(once: "key", "work") { [heard] in heard.note("later") }
    #expect(heard.all.last == "later")
  }

  @Test func `deferred work runs even if the publication throws`() {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try Publication.run {
        try Publication.afterwards("work") { [heard] in heard.note("work") }
        throw Stop()
      }
    }
    #expect(heard.all == ["work"])
    #expect(!Publication.isRunning)
  }

  @Test func `work that defers itself without end is stopped and the error names the cycle`() {
    let ran = Guarded(0)
    let cycle = Box<PublicationCycle>()
    @Sendable func turn(_ labels: [String]) {
      do throws(PublicationCycle) {
        try Publication.afterwards(labels[0]) {
          ran.withLock { $0 += 1 }
          turn(Array(labels.count > 3 ? labels[1...] : labels[1...] + [labels[0]]))
        }
      } catch { cycle.value = error }
    }
    turn(["open", "a", "b", "c"])
    #expect(ran.current == Publication.maximumDepth)
    #expect(cycle.value?.chain.count == Publication.maximumDepth + 1)
    #expect(cycle.value?.beginning == ["open"])
    #expect(cycle.value?.cycle == ["a", "b", "c"])
    #expect(
      cycle.value?.description == "the publication does not end: open → a → b → c → a (100 times deferred)")
    #expect(!Publication.isRunning)
  }

  @Test func `a chain without repetition is described by its ends`() {
    let cycle = Box<PublicationCycle>()
    @Sendable func turn(_ number: Int) {
      do throws(PublicationCycle) {
        try Publication.afterwards("\(number)") { turn(number + 1) }
      } catch { cycle.value = error }
    }
    turn(1)
    #expect(cycle.value?.cycle == [])
    #expect(
      cycle.value?.description == "the publication does not end: 1 → 2 → 3 → … → 99 → 100 → 101 (100 times deferred)")
  }

  @Test func `work beside a cycle still runs`() throws {
    @Sendable func again() { try? Publication.afterwards("again") { again() } }
    try Publication.run {
      again()
      try Publication.afterwards("work") { [heard] in heard.note("work") }
    }
    #expect(heard.all == ["work"])
  }

  @Test func `a publication belongs to one thread`() async throws {
    try Publication.run {
      try Publication.afterwards("work") { [heard] in heard.note("work") }
      let other = Heard()
      OtherThread.run { other.note("\(Publication.isRunning)") }
      #expect(other.all == ["false"])
      #expect(heard.all == [])
    }
    #expect(heard.all == ["work"])
  }

  @Test func `a branching cascade is stopped although its chains are short`() {
    let ran = Guarded(0)
    let cycle = Box<PublicationCycle>()
    @Sendable func branch() {
      for label in ["left", "right"] {
        do throws(PublicationCycle) {
          try Publication.afterwards(label) {
            ran.withLock { $0 += 1 }
            branch()
          }
        } catch { cycle.value = error }
      }
    }
    for _ in 0..<2 {
      ran.withLock { $0 = 0 }
      Publication.run { branch() }
      #expect(ran.current == Publication.maximumFollowUps + 2)
      #expect(cycle.value.map { $0.chain.count < Publication.maximumDepth } == true)
    }
  }

  @Test func `many pieces of work deferred by one call are not a cascade`() throws {
    let ran = Guarded(0)
    try Publication.run {
      for _ in 0...Publication.maximumFollowUps {
        try Publication.afterwards("work") { ran.withLock { $0 += 1 } }
      }
    }
    #expect(ran.current == Publication.maximumFollowUps + 1)
  }
}
