import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import RenderedTree

/// Reduces a fault to a readable input.
///
/// A later page of a view can be mounted directly, so the diffs before it are removed. Parts of the
/// page that are unrelated to the fault are removed too. Such a mount lacks the stream items that
/// were already sent; if the fault needs them, more diffs are kept.
struct Shrinker {
  let dialect: Dialect
  let client: String
  private(set) var inputs: [String]
  private(set) var reason: String
  /// Bounds the reduction of a fault that needs the complete inputs: each attempt replays them,
  /// which is slow.
  private let deadline = ContinuousClock.now + .seconds(20)
  private var isLate: Bool { ContinuousClock.now > deadline }

  /// Whether strings are cut too. Only for hostile pages, because a cut can make valid markup
  /// invalid.
  private let cutsTexts: Bool

  init(_ fault: OracleRun.Fault) {
    (dialect, client, inputs, reason) = (fault.dialect, fault.client, fault.inputs, fault.reason)
    cutsTexts = fault.isOfHostilePage
    dropBeginning()
    dropPieces()
  }

  /// - Returns: the fault, if it occurs at the last input and not before.
  private func fault(of inputs: [String]) -> String? {
    var pair = OraclePair()
    guard let mount = inputs.first else { return nil }
    if let fault = pair.mount(mount, dialect, client: client) { return inputs.count == 1 ? fault : nil }
    for (index, diff) in inputs.enumerated().dropFirst() {
      if diff.isFrame {
        try? pair.receive(diff)
        continue
      }
      let fault = pair.update(diff, isThorough: true)
      if index == inputs.count - 1 { return fault }
      if fault != nil || pair.wasRejected { return nil }
    }
    return nil
  }

  private mutating func accept(_ candidate: [String]) -> Bool {
    guard !isLate, let fault = fault(of: candidate), fault.kind == reason.kind else {
      return false
    }
    (inputs, reason) = (candidate, fault)
    return true
  }

  /// Mounts the latest state with which the fault still occurs.
  private mutating func dropBeginning() {
    guard inputs.count > 2, let mount = inputs.first else { return }
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: .full).withAnalyses)
    var states: [String] = []
    do throws(UpdateError) {
      try view.mount(Array(mount.utf8), dialect: dialect)
      states.append(mount)
      for diff in inputs.dropFirst().dropLast() {
        if diff.isFrame { try view.receive(frame: diff) } else { try view.update(diff) }
        states.append(view.view?.rendered.json.text ?? "")
      }
    } catch { return }
    var kept = 1
    while kept < inputs.count {
      let state = states.count - kept
      guard state > 0 else { return }
      if accept([states[state]] + inputs.suffix(kept)) { return }
      kept += kept < 4 ? 1 : kept / 2
    }
  }

  /// Empties slots, and removes other parts of the diff and statics, as long as the same fault
  /// occurs.
  private mutating func dropPieces() {
    var isSmaller = true
    while isSmaller, !isLate {
      isSmaller = false
      for index in inputs.indices where !inputs[index].isFrame {
        var place = 0
        while let (candidate, count) = JSONPieces.without(place, in: inputs[index], cuttingTexts: cutsTexts),
          place < count
        {
          var smaller = inputs
          smaller[index] = candidate
          if candidate.utf8.count < inputs[index].utf8.count, accept(smaller) { isSmaller = true } else { place += 1 }
          if isLate { return }
        }
      }
    }
  }
}

extension String {
  /// A fault's reason without numbers and names.
  fileprivate var kind: Substring { prefix { !$0.isNumber && $0 != ":" && $0 != "#" } }
}
