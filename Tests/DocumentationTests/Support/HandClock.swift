#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// A clock for Combine's operators whose time passes when a test says so.
final class HandClock: Scheduler {
  struct Time: Strideable {
    var nanoseconds = 0
    func distance(to other: Time) -> Interval { Interval(nanoseconds: other.nanoseconds - nanoseconds) }
    func advanced(by interval: Interval) -> Time { Time(nanoseconds: nanoseconds + interval.nanoseconds) }
  }

  struct Interval: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric {
    var nanoseconds: Int
    init(nanoseconds: Int) { self.nanoseconds = nanoseconds }
    init(integerLiteral seconds: Int) { nanoseconds = seconds * 1_000_000_000 }
    init?(exactly source: some BinaryInteger) { self.init(integerLiteral: Int(source)) }

    var magnitude: Int { abs(nanoseconds) }
    static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }
    static func + (a: Self, b: Self) -> Self { Self(nanoseconds: a.nanoseconds + b.nanoseconds) }
    static func - (a: Self, b: Self) -> Self { Self(nanoseconds: a.nanoseconds - b.nanoseconds) }
    static func * (a: Self, b: Self) -> Self { Self(nanoseconds: a.nanoseconds * b.nanoseconds) }
    static func *= (a: inout Self, b: Self) { a = a * b }

    static func seconds(_ count: Int) -> Self { Self(nanoseconds: count * 1_000_000_000) }
    static func seconds(_ count: Double) -> Self { Self(nanoseconds: Int(count * 1e9)) }
    static func milliseconds(_ count: Int) -> Self { Self(nanoseconds: count * 1_000_000) }
    static func microseconds(_ count: Int) -> Self { Self(nanoseconds: count * 1_000) }
    static func nanoseconds(_ count: Int) -> Self { Self(nanoseconds: count) }
  }

  private(set) var now = Time()
  let minimumTolerance = Interval(nanoseconds: 0)
  private var jobs: [Job] = []

  private final class Job: Cancellable {
    var time: Time
    let interval: Interval?
    let work: () -> Void
    var isCancelled = false

    init(at time: Time, every interval: Interval? = nil, _ work: @escaping () -> Void) {
      self.time = time
      self.interval = interval
      self.work = work
    }

    func cancel() { isCancelled = true }
  }

  func schedule(options: Never?, _ action: @escaping () -> Void) { jobs.append(Job(at: now, action)) }

  func schedule(after date: Time, tolerance: Interval, options: Never?, _ action: @escaping () -> Void) {
    jobs.append(Job(at: date, action))
  }

  func schedule(
    after date: Time, interval: Interval, tolerance: Interval, options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let job = Job(at: date, every: interval, action)
    jobs.append(job)
    return job
  }

  /// Lets time pass, and does what is due, in its order.
  func advance(by interval: Interval) {
    let end = now.advanced(by: interval)
    while let next = jobs.indices.filter({ jobs[$0].time <= end }).min(by: { jobs[$0].time < jobs[$1].time }) {
      let job = jobs.remove(at: next)
      if job.isCancelled { continue }
      now = max(now, job.time)
      job.work()
      guard let interval = job.interval else { continue }
      job.time = job.time.advanced(by: interval)
      jobs.append(job)
    }
    now = end
  }
}
