import MarkupDocument
import MirrorSupport
import NodeObservation
import TestSupport
import Testing

@Suite struct PublicationTests {
  let heard = Heard()

  @Test func `work is done at once where no publication runs`() throws {
    #expect(!Publication.isRunning)
    try Publication.afterwards("work") { [heard] in heard.note("work \(Publication.isRunning)") }
    #expect(heard.all == ["work true"])
    #expect(!Publication.isRunning)
  }

  @Test func `work is put off until the outermost publication ends and runs in its order`() throws {
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

  @Test func `what is sent is a publication`() {
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

  @Test func `work that is asked for several times under one key runs once`() throws {
    try Publication.run {
      for number in 0..<10 {
        try Publication.afterwards(once: "key", "work") { [heard] in
          heard.note("\(number)")
          // It runs, so it may be asked for again.
          if heard.all.count == 1 { try? Publication.afterwards(once: "key", "again") { heard.note("again") } }
        }
      }
      try Publication.afterwards(once: "other", "work") { [heard] in heard.note("other") }
    }
    #expect(heard.all == ["0", "other", "again"])
    try Publication.afterwards(once: "key", "work") { [heard] in heard.note("later") }
    #expect(heard.all.last == "later")
  }

  @Test func `what is thrown out of a publication does not keep work from running`() {
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

  @Test func `work that puts itself off for ever is stopped and the cycle named`() {
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
    #expect(ran.withLock { $0 } == Publication.maximumDepth)
    #expect(cycle.value?.chain.count == Publication.maximumDepth + 1)
    #expect(cycle.value?.beginning == ["open"])
    #expect(cycle.value?.cycle == ["a", "b", "c"])
    #expect(
      cycle.value?.description == "the publication does not end: open → a → b → c → a (100 times put off)")
    #expect(!Publication.isRunning)
  }

  @Test func `a chain that repeats nothing is named by its ends`() {
    let cycle = Box<PublicationCycle>()
    @Sendable func turn(_ number: Int) {
      do throws(PublicationCycle) {
        try Publication.afterwards("\(number)") { turn(number + 1) }
      } catch { cycle.value = error }
    }
    turn(1)
    #expect(cycle.value?.cycle == [])
    #expect(
      cycle.value?.description == "the publication does not end: 1 → 2 → 3 → … → 99 → 100 → 101 (100 times put off)")
  }

  @Test func `work beside a cycle still runs`() throws {
    @Sendable func again() { try? Publication.afterwards("again") { again() } }
    try Publication.run {
      again()
      try Publication.afterwards("work") { [heard] in heard.note("work") }
    }
    #expect(heard.all == ["work"])
  }

  @Test func `a publication ends with its thread and concerns no other`() async throws {
    try Publication.run {
      try Publication.afterwards("work") { [heard] in heard.note("work") }
      let other = Heard()
      OtherThread.run { other.note("\(Publication.isRunning)") }
      #expect(other.all == ["false"])
      #expect(heard.all == [])
    }
    #expect(heard.all == ["work"])
  }

  @Test func `a cascade that branches is stopped though it is not deep`() {
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
      #expect(ran.withLock { $0 } == Publication.maximumFollowUps + 2)
      #expect(cycle.value.map { $0.chain.count < Publication.maximumDepth } == true)
    }
  }

  @Test func `many things put off by one are no cascade`() throws {
    let ran = Guarded(0)
    try Publication.run {
      for _ in 0...Publication.maximumFollowUps {
        try Publication.afterwards("work") { ran.withLock { $0 += 1 } }
      }
    }
    #expect(ran.withLock { $0 } == Publication.maximumFollowUps + 1)
  }
}
