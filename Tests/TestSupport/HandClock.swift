#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif

/// A clock for Combine's operators whose time is advanced by the test.
public final class HandClock: Scheduler {
  public struct Time: Strideable {
    public var nanoseconds = 0
    public func distance(to other: Time) -> Interval { Interval(nanoseconds: other.nanoseconds - nanoseconds) }
    public func advanced(by interval: Interval) -> Time { Time(nanoseconds: nanoseconds + interval.nanoseconds) }
  }

  public struct Interval: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric {
    public var nanoseconds: Int
    public init(nanoseconds: Int) { self.nanoseconds = nanoseconds }
    public init(integerLiteral seconds: Int) { nanoseconds = seconds * 1_000_000_000 }
    public init?(exactly source: some BinaryInteger) { self.init(integerLiteral: Int(source)) }

    public var magnitude: Int { abs(nanoseconds) }
    public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }
    public static func + (a: Self, b: Self) -> Self { Self(nanoseconds: a.nanoseconds + b.nanoseconds) }
    public static func - (a: Self, b: Self) -> Self { Self(nanoseconds: a.nanoseconds - b.nanoseconds) }
    public static func * (a: Self, b: Self) -> Self { Self(nanoseconds: a.nanoseconds * b.nanoseconds) }
    public static func *= (a: inout Self, b: Self) { a = a * b }

    public static func seconds(_ count: Int) -> Self { Self(nanoseconds: count * 1_000_000_000) }
    public static func seconds(_ count: Double) -> Self { Self(nanoseconds: Int(count * 1e9)) }
    public static func milliseconds(_ count: Int) -> Self { Self(nanoseconds: count * 1_000_000) }
    public static func microseconds(_ count: Int) -> Self { Self(nanoseconds: count * 1_000) }
    public static func nanoseconds(_ count: Int) -> Self { Self(nanoseconds: count) }
  }

  public private(set) var now = Time()
  public let minimumTolerance = Interval(nanoseconds: 0)
  private var jobs: [Job] = []

  public init() {}

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

  public func schedule(options: Never?, _ action: @escaping () -> Void) { jobs.append(Job(at: now, action)) }

  public func schedule(after date: Time, tolerance: Interval, options: Never?, _ action: @escaping () -> Void) {
    jobs.append(Job(at: date, action))
  }

  public func schedule(
    after date: Time, interval: Interval, tolerance: Interval, options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let job = Job(at: date, every: interval, action)
    jobs.append(job)
    return job
  }

  /// Advances the time and runs the due jobs in the order of their times.
  public func advance(by interval: Interval) {
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
