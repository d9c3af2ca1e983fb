internal import MirrorSupport

/// What a budget limits. The raw values are the keys of `mirror.yml`. Reports list the rules in the
/// order of the cases.
package enum BudgetRule: String, Sendable, Hashable, CaseIterable {
  /// The bytes of each mount.
  case mountBytes = "mount_bytes"
  /// The bytes of each diff.
  case bytes
  /// The changed nodes of each diff.
  case nodes
  /// The number of diffs.
  case diffs
  /// The bytes of all diffs together.
  case totalBytes = "total_bytes"
  /// The share of the bytes without effect.
  case waste
  /// The share of the idle re-renders.
  case idleRenders = "idle_renders"
  case latencyP50 = "latency_p50"
  case latencyP95 = "latency_p95"
  case latencyP99 = "latency_p99"
  /// The number of lists that a diff has sent again.
  case resentLists = "resent_lists"
  /// The number of elements that a diff has removed and added again.
  case lostIdentities = "lost_identities"
  /// The number of ids that are on more than one element.
  case duplicateIDs = "duplicate_ids"
  /// The number of rejected frames.
  case rejected
  /// The number of updates at which LiveView's client stops with an error.
  case clientThrows = "client_throws"
  /// The number of views whose client and server are different minor versions of LiveView.
  case versionSkew = "version_skew"

  /// The unit of a limit.
  package enum Unit: Sendable {
    case bytes
    case count
    /// From 0 to 1.
    case share
    case milliseconds
  }

  /// The parts of a recording that a limit can be about besides the whole.
  enum Parts {
    /// Views and pages, but not events, because an event has no mount. As for ``replacing``, a part
    /// with a limit of its own is exempt from the limit of the whole.
    case views
    /// Events, the pushes of the server, views and pages. A part with a limit of its own is exempt
    /// from the limit of the whole.
    case replacing
    /// As ``replacing``, but the limit of the whole includes every part.
    case including
    /// The whole recording only.
    case none
  }

  package var unit: Unit {
    switch self {
    case .mountBytes, .bytes, .totalBytes: .bytes
    case .waste, .idleRenders: .share
    case .latencyP50, .latencyP95, .latencyP99: .milliseconds
    default: .count
    }
  }

  var parts: Parts {
    switch self {
    case .mountBytes: .views
    case .bytes, .nodes, .resentLists, .lostIdentities: .replacing
    case .diffs, .totalBytes, .waste, .idleRenders, .latencyP50, .latencyP95, .latencyP99: .including
    case .duplicateIDs, .rejected, .clientThrows, .versionSkew: .none
    }
  }

  /// Whether a value above 0 is a fault of the app. Faults are checked without a budget too.
  package var isFault: Bool {
    switch self {
    case .resentLists, .lostIdentities, .duplicateIDs, .rejected, .clientThrows, .versionSkew: true
    default: false
    }
  }

  /// A few words for readers.
  package var title: String {
    switch self {
    case .mountBytes: "bytes of a mount"
    case .bytes: "bytes of a diff"
    case .nodes: "changed nodes of a diff"
    case .diffs: "number of diffs"
    case .totalBytes: "bytes of all diffs"
    case .waste: "bytes without effect"
    case .idleRenders: "idle re-renders"
    case .latencyP50: "latency, 50th percentile"
    case .latencyP95: "latency, 95th percentile"
    case .latencyP99: "latency, 99th percentile"
    case .resentLists: "lists sent again"
    case .lostIdentities: "lost identities"
    case .duplicateIDs: "duplicate ids"
    case .rejected: "rejected frames"
    case .clientThrows: "client errors"
    case .versionSkew: "version skews"
    }
  }

  /// The flag of the command, such as `--latency-p95`.
  package var flag: String { "--" + rawValue.replacing("_", with: "-") }
}

extension BudgetRule {
  /// A measured value or a limit for readers: `412 B`, `12.5 %`, `9 ms`, `3`.
  package func text(_ value: Double) -> String {
    switch unit {
    case .bytes: Formatted.bytes(Int(value))
    case .count: Formatted.grouped(value)
    case .share: Formatted.percent(value)
    case .milliseconds: "\(Formatted.tenths(value)) ms"
    }
  }

  /// What the developer of the app can do.
  ///
  /// - Parameter isPositional: whether a list of the finding has the form of LiveView 1.0, which
  ///   has no `:key`.
  package func advice(isPositional: Bool) -> String {
    switch self {
    case .mountBytes:
      "Load long lists in parts, with a stream and a limit, and large values with assign_async after the mount."
    case .bytes:
      "liveview-mirror replay shows the diff. Assign only what changed, use a stream for a long list, and keep large values out of the "
        + "assigns that an event changes."
    case .nodes:
      "liveview-mirror replay shows the changes. Keep ids, tags and keys stable, so that nodes are changed instead of replaced."
    case .diffs, .totalBytes:
      "liveview-mirror replay shows the diffs. Answer an event once, join several messages into one assign, and let timers and PubSub "
        + "assign only what the page shows."
    case .waste:
      "Assign a value only if it differs, and split templates and components so that a changed assign reaches only what depends on it."
    case .idleRenders:
      "liveview-mirror replay names the views, and why they were evaluated. Change attributes and assigns only if the page shows them."
    case .latencyP50, .latencyP95, .latencyP99:
      "Measure handle_event and its queries: assign_async and start_async answer at once and send the result later."
    case .resentLists:
      isPositional
        ? "Use a stream, because comprehensions of LiveView 1.0 have no :key; read only the entry in the comprehension."
        : "Give each entry a :key, such as :key={item.id}, or use a stream; read only the entry in the comprehension."
    case .lostIdentities: "Keep the tag and the id of the element, or give the two elements different ids."
    case .duplicateIDs:
      "Give every element an id of its own: prefix those in components and list entries with the id of the entry."
    case .rejected:
      "Begin the recording before the page loads. If it is complete, this is a fault: the client could not have applied the diff either."
    case .clientThrows:
      "The browser shows only a part of the update, and may stay wrong until the page is loaded again. Change the template so that the "
        + "reason above disappears."
    case .versionSkew:
      "Build the assets again with the client of the installed phoenix_live_view, and load the pages again that were open before."
    }
  }
}
