import MarkupDocument
import MirrorSupport
import MirrorViews
import NodeObservation
import TestSupport
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// Values behind keys: reading, setting, publishing, and values that set each other.
@Suite struct SharedTests {
  let store = InMemoryStore()
  let heard = Heard()

  func key(_ name: String, _ value: Int = 0) -> SharedKey<Int> { SharedKey(name, default: value, in: store) }

  // MARK: - One value

  @Test func `all properties with one key have the same value`() {
    @Shared(key("a", 7)) var first
    @Shared(key("a", 8)) var second
    final class Holder {
      @Shared var value: Int
      init(_ key: SharedKey<Int>) { _value = Shared(key) }
    }
    let holder = Holder(key("a"))
    #expect((first, second, holder.value) == (7, 7, 7))
    holder.value = 1
    #expect((first, second, holder.value) == (1, 1, 1))
    @Shared(key("b")) var other
    #expect(other == 0)
    @Shared(SharedKey("a", default: 0, in: InMemoryStore())) var elsewhere
    #expect(elsewhere == 0)
  }

  @Test func `one name with two types is two values and is reported`() {
    @Shared(key("a", 1)) var number
    @Shared(SharedKey("a", default: "x", in: store)) var text
    #expect(number == 1)
    text = "y"
    #expect(number == 1)
    #expect(store.lastError == .otherType(key: "a", known: "Int", asked: "String"))
  }

  @Test func `a binding and bindings to its members read and set the value`() {
    struct Point: Equatable { var (x, y) = (0, 0) }
    @Shared(SharedKey("point", default: Point(), in: store)) var point
    let x = $point.x
    x.wrappedValue = 3
    Binding($point).wrappedValue.y = 4
    #expect(point == Point(x: 3, y: 4))
    #expect(x.wrappedValue == 3)
  }

  // MARK: - Publishing

  @Test func `the publisher sends the current value and then each change`() {
    @Shared(key("a", 1)) var a
    let cancellable = $a.publisher.sink { [heard] in heard.note("\($0)") }
    a = 2
    a = 2
    a = 3
    cancellable.cancel()
    a = 4
    #expect(heard.all == ["1", "2", "3"])
  }

  @Test func `a subscriber without demand later receives the newest value`() {
    @Shared(key("a", 1)) var a
    let taker = Taker<Int>(demand: 1)
    $a.publisher.subscribe(taker)
    a = 2
    a = 3
    #expect(taker.heard.all == ["1"])
    taker.request(5)
    #expect(taker.heard.all == ["1", "3"])
  }

  @Test func `the publisher sends the value of the new key after a reassignment`() {
    @Shared(key("a", 1)) var a
    @Shared(key("b", 10)) var b
    #expect((a, b) == (1, 10))
    let cancellable = $a.publisher.sink { [heard] in heard.note("\($0)") }
    $a.load(key("b"))
    b = 11
    @Shared(key("a")) var old
    old = 2
    #expect(a == 11)
    #expect(heard.all == ["1", "10", "11"])
    cancellable.cancel()
  }

  // MARK: - Changes by subscribers

  @Test func `a value that a subscriber sets is applied after all subscribers are notified`() {
    @Shared(key("a")) var a
    let (reference, heard) = ($a, heard)
    let first = $a.publisher.dropFirst().sink { value in
      if value == 1 { reference.wrappedValue = 2 }
      heard.note("first \(value), a is \(reference.wrappedValue)")
    }
    let second = $a.publisher.dropFirst().sink { heard.note("second \($0)") }
    a = 1
    #expect(heard.all == ["first 1, a is 1", "second 1", "first 2, a is 2", "second 2"])
    first.cancel()
    second.cancel()
  }

  @Test func `several changes by one subscriber are all applied`() throws {
    @Shared(key("a")) var a
    @Shared(key("sum")) var sum
    let reference = $sum
    let cancellable = $a.publisher.dropFirst().sink { _ in
      reference.withLock { $0 += 1 }
      reference.withLock { $0 += 10 }
    }
    a = 1
    #expect(sum == 11)
    cancellable.cancel()
  }

  @Test func `two values that set each other are stopped and named in the error`() throws {
    @Shared(key("a")) var a
    @Shared(key("b")) var b
    let (left, right, heard) = ($a, $b, heard)
    let errors = store.errors.sink { heard.note("\($0)") }
    let first = $a.publisher.dropFirst().sink { right.wrappedValue = $0 + 1 }
    let second = $b.publisher.dropFirst().sink { left.wrappedValue = $0 + 1 }
    a = 1
    guard case .cycle(let key, let cycle)? = store.lastError else {
      Issue.record("the store has the error \(String(describing: store.lastError))")
      return
    }
    #expect(cycle.cycle.sorted() == ["a", "b"])
    #expect(heard.all.count == 1)
    #expect(heard.all[0].contains("changes of shared `\(key)` cause each other") && heard.all[0].contains(" → "))
    // The last applied value is kept, and later changes work once the cycle is removed.
    let last = max(a, b)
    #expect(last == Publication.maximumDepth + 1)
    second.cancel()
    a = -5
    #expect(b == -4)
    first.cancel()
    errors.cancel()
  }

  @Test func `the throwing setter reports a cycle to the caller`() {
    @Shared(key("a")) var a
    let (reference, heard) = ($a, heard)
    let cancellable = $a.publisher.dropFirst().sink { value in
      do throws(PublicationCycle) {
        try reference.set(value + 1)
      } catch {
        heard.note("\(error)")
      }
    }
    a = 1
    #expect(heard.all == ["the publication does not end: a → a (\(Publication.maximumDepth) times deferred)"])
    #expect(store.lastError == nil)
    #expect(a == Publication.maximumDepth + 1)
    cancellable.cancel()
  }

  /// Compared with a dictionary: a read returns the last value that was set, and each publisher
  /// ends with it.
  @Test(arguments: 0..<20) func `random operations have the same result as a dictionary`(seed: UInt64) {
    var random = Lcg(state: seed)
    var expected = [0: 0, 1: 0, 2: 0]
    var pointsTo = 0
    let names = ["a", "b", "c"]
    let keys = names.map { key($0) }
    @Shared(keys[0]) var moving
    let last = Box<Int>()
    let cancellable = $moving.publisher.sink { last.value = $0 }
    for _ in 0..<300 {
      let (target, value) = (random.next(3), random.next(4))
      switch random.next(4) {
      case 0:
        @Shared(keys[target]) var other
        other = value
        expected[target] = value
      case 1:
        moving = value
        expected[pointsTo] = value
      case 2:
        $moving.load(keys[target])
        pointsTo = target
      default:
        $moving.withLock { $0 += 1 }
        expected[pointsTo, default: 0] += 1
      }
      #expect(moving == expected[pointsTo])
      #expect(last.value == expected[pointsTo])
    }
    cancellable.cancel()
  }

  @Test func `a branching cascade of changes is stopped and reported`() {
    let (a, b, c) = (Shared(key("a")), Shared(key("b")), Shared(key("c")))
    let count = Guarded(0)
    let sinks = [
      a.publisher.dropFirst().sink { _ in
        let next = count.withLock { count in
          count += 1
          return count
        }
        guard next < 3 * Publication.maximumFollowUps else { return }
        b.wrappedValue = next
        c.wrappedValue = next
      },
      b.publisher.dropFirst().sink { a.wrappedValue = 2 * $0 + 1_000_000 },
      c.publisher.dropFirst().sink { a.wrappedValue = 2 * $0 + 1_000_001 },
    ]
    a.wrappedValue = 1
    #expect(count.current < Publication.maximumFollowUps)
    guard case .cycle? = store.lastError else {
      Issue.record("the store has the error \(String(describing: store.lastError))")
      return
    }
    for sink in sinks { sink.cancel() }
  }

  // MARK: - Reads of the store

  /// Counts the reads, and runs a closure during a read.
  final class AskedStore: SharedStore {
    let values = SharedValues()
    private let names = Heard()
    private let next: Guarded<(@Sendable () -> Void)?> = Guarded(nil)

    var asked: [String] { names.all }
    func whenAskedNext(_ work: @escaping @Sendable () -> Void) { next.withLock { $0 = work } }

    func load<Value: Codable>(_ type: Value.Type, of name: String) throws(SharedError) -> Value? {
      names.note(name)
      let work = next.withLock { next in
        defer { next = nil }
        return next
      }
      work?()
      return nil
    }

    func save<Value: Codable>(_ value: Value, of name: String) throws(SharedError) {}
  }

  @Test func `creating a property does not read the store`() {
    let store = AskedStore()
    let property = Shared(SharedKey("a", default: 7, in: store as any SharedStore))
    #expect(store.asked == [])
    #expect(property.wrappedValue == 7)
    #expect(property.wrappedValue == 7)
    #expect(store.asked == ["a"])
    #expect(property.projectedValue == property.projectedValue)
  }

  @Test func `after two concurrent reassignments the property has the last key and its value`() {
    let store = AskedStore()
    let keys = (0..<3).map { SharedKey("\($0)", default: $0, in: store as any SharedStore) }
    let reference = Shared(keys[0])
    let cancellable = reference.publisher.sink { [heard] in heard.note("\($0)") }
    // Runs while the first reassignment reads its value.
    store.whenAskedNext { OtherThread.run { reference.load(keys[2]) } }
    reference.load(keys[1])
    #expect(reference.key == keys[2])
    #expect(reference.wrappedValue == 2)
    #expect(heard.all == ["0", "2"])
    cancellable.cancel()
  }
}
