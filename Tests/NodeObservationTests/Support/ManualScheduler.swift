#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// A scheduler whose time passes when a test says so.
final class ManualScheduler: Scheduler {
  struct Time: Strideable {
    var ticks: Int
    func distance(to other: Time) -> Interval { Interval(ticks: other.ticks - ticks) }
    func advanced(by interval: Interval) -> Time { Time(ticks: ticks + interval.ticks) }
  }

  struct Interval: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByIntegerLiteral {
    var ticks: Int
    init(ticks: Int) { self.ticks = ticks }
    init(integerLiteral value: Int) { ticks = value }
    init?<Source: BinaryInteger>(exactly source: Source) { ticks = Int(source) }
    var magnitude: Int { abs(ticks) }
    static func < (a: Self, b: Self) -> Bool { a.ticks < b.ticks }
    static func + (a: Self, b: Self) -> Self { Self(ticks: a.ticks + b.ticks) }
    static func - (a: Self, b: Self) -> Self { Self(ticks: a.ticks - b.ticks) }
    static func * (a: Self, b: Self) -> Self { Self(ticks: a.ticks * b.ticks) }
    static func *= (a: inout Self, b: Self) { a = a * b }
    static func seconds(_ s: Int) -> Self { Self(ticks: s * 1000) }
    static func seconds(_ s: Double) -> Self { Self(ticks: Int(s * 1000)) }
    static func milliseconds(_ ms: Int) -> Self { Self(ticks: ms) }
    static func microseconds(_ us: Int) -> Self { Self(ticks: us / 1000) }
    static func nanoseconds(_ ns: Int) -> Self { Self(ticks: ns / 1_000_000) }
  }

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

  private(set) var now = Time(ticks: 0)
  let minimumTolerance = Interval(ticks: 0)
  private var jobs: [Job] = []

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

  func advance(by ticks: Int) {
    let end = Time(ticks: now.ticks + ticks)
    while let position = jobs.indices.filter({ jobs[$0].time <= end }).min(by: { jobs[$0].time < jobs[$1].time }) {
      let job = jobs.remove(at: position)
      guard !job.isCancelled else { continue }
      now = max(now, job.time)
      job.work()
      if let interval = job.interval {
        job.time = job.time.advanced(by: interval)
        jobs.append(job)
      }
    }
    now = end
  }
}
