internal import LiveViewMirror
internal import MirrorAnalysis
package import MarkupDocument
internal import MirrorSupport
internal import NodeObservation

/// Plays a recording and measures it. `check` and `compare` make one for each recording.
/// ``measure(_:)`` may be called once only, because the views and the sums of a recording are not
/// reset.
package final class Recorder {
  private let views: LiveViews
  private let listener = AnswerListener()
  private let dialect: Dialect
  private var measurement: Measurement
  private var origins: [String: ViewOrigin] = [:]
  /// The pages of each mount, in order; empty unless they are kept.
  private(set) var playbacks: [Playback] = []
  private let keepsPages: Bool
  /// For each view, the index of its newest mount in ``playbacks``.
  private var newest: [String: Int] = [:]
  private var duplicates: Set<Duplicate> = []

  private struct Duplicate: Hashable {
    var view: String
    var id: String
  }

  /// - Parameters:
  ///   - name: the file or address, for messages.
  ///   - dialect: the dialect of pages that do not name one.
  ///   - keepsPages: whether the pages are kept for a ``Comparison``.
  package init(name: String, dialect: Dialect = .html, keepsPages: Bool = false) {
    measurement = Measurement(name: name)
    self.keepsPages = keepsPages
    self.dialect = dialect
    // A quarter of the largest number, because the mirror doubles some limits, which must not
    // overflow.
    let unlimited = Int.max / 4
    views = LiveViews(
      options: UpdateOptions(drawsPage: true).withAnalyses,
      limits: MirrorLimits(versions: unlimited, logBytes: unlimited, pageBytes: unlimited, views: unlimited),
      listener: listener)
  }

  /// Plays a file.
  ///
  /// - Throws: ``RecordingError`` if the file cannot be read, or has no view.
  package func measure(_ file: [UInt8]) throws(RecordingError) -> Measurement {
    let traffic: LiveViews.FileTraffic
    do throws(UpdateError) { traffic = try views.traffic(of: file) } catch {
      throw RecordingError(name: measurement.name, reason: error.description)
    }
    let report = views.feed(
      traffic, dialect: dialect,
      each: { outcome in
        switch outcome {
        case .applied(let record): add(record)
        case .ignored: break
        case .rejected(let rejected): add(rejected)
        }
      })
    guard !measurement.mounts.isEmpty else {
      let first = measurement.rejected.first.map { ". Frame \($0.frame): \($0.reason)" } ?? ""
      throw RecordingError(
        name: measurement.name,
        reason: "none of the \(traffic.count) frames mounts a view: begin the recording before the page loads\(first)")
    }
    measurement.views = report.views
    measurement.emptyAnswers = listener.answers.map { answer in
      EmptyAnswer(cause: answer.cause, origin: origins[answer.view] ?? ViewOrigin(), latency: answer.latency)
    }
    measurement.wastedSlots = wastedSlots
    return measurement
  }

  // MARK: - Updates

  private func add(_ record: ChangeRecord) {
    let viewVersion = ViewVersion(view: record.view, epoch: record.epoch, version: record.version)
    let cause = record.cause.map { DiffCause.event($0.event) } ?? .serverPush
    addFaults(record, at: viewVersion, record.version == 0 ? nil : cause)
    if keepsPages { keep(record, cause) }
    if record.version == 0 {
      let origin = origin(of: record)
      origins[record.view] = origin
      measurement.mounts.append(MeasuredMount(viewVersion: viewVersion, origin: origin, bytes: record.bytes))
      return
    }
    let evaluations = record.isolation.views
    measurement.diffs.append(
      MeasuredDiff(
        viewVersion: viewVersion, origin: origins[record.view] ?? ViewOrigin(), cause: cause, bytes: record.bytes,
        nodes: record.changeSet.changes.count,
        wastedBytes: record.waste.bytes, renders: evaluations?.evaluations.count ?? 0,
        idleRenders: evaluations?.forNothing ?? 0, latency: record.cause?.latency, resentLists: resentLists(record),
        lostIdentities: record.changeSet.lostIdentities))
  }

  /// The module and the page of a mounted view.
  private func origin(of record: ChangeRecord) -> ViewOrigin {
    let url = views.reports(of: [record.view]).first?.life.url
    return ViewOrigin(module: views[record.view]?.view(ofEpoch: record.epoch)?.module, page: url.map(Self.path))
  }

  /// The path of an address, without parameters.
  private static func path(of url: String) -> String {
    var text = url.prefix { $0 != "?" && $0 != "#" }
    if let scheme = text.firstRange(of: "://") { text = text[scheme.upperBound...].drop { $0 != "/" } }
    return text.isEmpty ? "/" : String(text)
  }

  private func keep(_ record: ChangeRecord, _ cause: DiffCause) {
    let ordinal = measurement.mounts.count + measurement.diffs.count
    if record.version == 0 {
      guard let document = views[record.view]?.document else { return }
      newest[record.view] = playbacks.count
      playbacks.append(Playback(record, of: document, ordinal: ordinal))
    } else if let index = newest[record.view] {
      playbacks[index].add(record, cause, ordinal: ordinal)
    }
  }

  private func addFaults(_ record: ChangeRecord, at viewVersion: ViewVersion, _ cause: DiffCause?) {
    for diagnostic in record.diagnostics {
      switch diagnostic.code {
      case "duplicate-id" where diagnostic.node != nil:
        guard duplicates.insert(Duplicate(view: record.view, id: diagnostic.subject)).inserted else { continue }
        let paths = diagnostic.locatedNodes.map(\.path).joined(separator: " and at ")
        measurement.duplicateIDs.append(
          .init(viewVersion: viewVersion, cause: cause, text: "the id \"\(diagnostic.subject)\" is at \(paths)"))
      case "version-skew":
        measurement.versionSkews.append(.init(viewVersion: viewVersion, cause: cause, text: diagnostic.message))
      case "client-throws":
        measurement.clientThrows.append(.init(viewVersion: viewVersion, cause: cause, text: diagnostic.message))
      default: break
      }
    }
  }

  private func add(_ rejected: LiveViews.FramesReport.Rejected) {
    measurement.rejectedFrameCount += 1
    guard measurement.rejected.count < Measurement.listedRejections else { return }
    measurement.rejected.append(
      .init(frame: rejected.index, view: rejected.view, reason: rejected.error.description))
  }

  // MARK: - Lists

  /// The lists whose entries a diff has sent needlessly.
  private func resentLists(_ record: ChangeRecord) -> [MeasuredResentList] {
    guard let view = views[record.view]?.view(ofEpoch: record.epoch) else { return [] }
    let shifted = record.shiftedLists.lists
    let slots = Set(shifted.map(\.slot))
    let unchanged = record.resentLists.filter { $0.isRedundant && !slots.contains($0.slot) }
    let sources = view.templateSources(of: slots.union(unchanged.map(\.slot)))
    return shifted.map { list in
      MeasuredResentList(
        slot: list.slot, reason: list.isPositional ? .positional : .shifted, entries: list.entries, count: list.count,
        source: sources[list.slot]?.location)
    }
      + unchanged.map { list in
        MeasuredResentList(
          slot: list.slot, reason: .unchanged, entries: list.unchanged, count: list.sent,
          source: sources[list.slot]?.location)
      }
  }

  /// The slots with the most wasted bytes of all views.
  private var wastedSlots: [Measurement.WastedSlot] {
    let slots = measurement.mounts.compactMap { views[$0.viewVersion.view]?.view(ofEpoch: $0.viewVersion.epoch) }
      .flatMap { view in
        view.wasteReport(by: .wastedBytes).slots.prefix(Measurement.listedSlots).filter { $0.wastedBytes > 0 }
      }
    return slots.sorted { ($1.wastedBytes, $0.slot) < ($0.wastedBytes, $1.slot) }.prefix(Measurement.listedSlots).map {
      Measurement.WastedSlot(slot: $0.slot, bytes: $0.wastedBytes, source: $0.source.location)
    }
  }
}

/// A recording that cannot be measured.
package struct RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file or address.
  package var name: String
  /// What is wrong and what to do about it.
  package var reason: String

  package init(name: String, reason: String) { (self.name, self.reason) = (name, reason) }

  package var description: String { "\(name): \(reason)" }
}

/// Collects the latencies of events that the server has answered without a diff.
private final class AnswerListener: LogListener {
  private let collected = Guarded<[(cause: DiffCause, view: String, latency: Double)]>([])

  var answers: [(cause: DiffCause, view: String, latency: Double)] { collected.current }

  func wrote(_ entry: ChangeLog.Entry, of view: String) {}

  func removed(_ view: String, because reason: RemovalReason) {}

  func answered(_ cause: UpdateCause, of view: String) {
    guard let latency = cause.latency else { return }
    collected.withLock { $0.append((.event(cause.event), view, latency)) }
  }
}

extension ChangeSet {
  /// The elements with an id that the changes remove and add again.
  ///
  /// - Complexity: O(*changes* + *added nodes*).
  var lostIdentities: [LostIdentity] {
    var removed: [String: String] = [:]
    for case .remove(_, _, .element(let tag, let id?)) in changes { removed[id] = tag }
    if removed.isEmpty { return [] }
    var lost: [LostIdentity] = []
    for case .add(let subtree, _) in changes {
      for node in subtree.nodes {
        guard let element = node.content.element, let id = element.id, let tag = removed.removeValue(forKey: id)
        else { continue }
        lost.append(LostIdentity(id: id, oldTag: tag, newTag: element.tag))
      }
    }
    return lost
  }
}
