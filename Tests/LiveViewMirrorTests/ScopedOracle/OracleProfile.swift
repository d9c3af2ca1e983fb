import Testing

/// The kind of random pages that the oracle generates.
struct OracleProfile: Sendable, CustomTestStringConvertible {
  var name: String
  /// Percentage of choices that violate the rules of HTML and HEEx.
  var hostility = 0
  /// Percentage of ids that may also be used elsewhere.
  var duplicateIDs = 0
  /// Percentage of lists that are streams.
  var streams = 8
  /// Percentage of child slots that contain a component.
  var components = 15
  /// Percentage of ids and components that get another owner in the diff that removes their owner.
  /// Also the percentage of components that stay in the tree after the page stopped showing them.
  var handovers = 0
  /// Percentage of elements with rules of LiveView's client: append and prepend containers, streams
  /// among other children, templates and portals, form controls, sticky elements and ignored
  /// attributes.
  var rules = 0
  /// Number of damaged diffs per thousand. Both pipelines must reject the same diffs.
  var spoiled = 0
  /// The minimum percentage of applied diffs that must be scoped updates.
  var scopedShare = 0
  /// The number of diffs with each permitted difference between scoped and full updates, on the
  /// pages of `ScopedOracleTests/countedSeeds`. The numbers may only become smaller: then write the
  /// new ones, which the test prints, here.
  var deviations: [String: Int] = [:]

  var testDescription: String { name }

  /// Pages in the form that HEEx generates. A third of them has the rules of an older client, which
  /// need more full updates: in 8,400 steps, 75.5 % of the updates were scoped.
  static let phoenix = OracleProfile(
    name: "phoenix", scopedShare: 73,
    deviations: ["causes": 121, "diagnostics": 38, "identity": 3, "number of changes": 1])
  /// Markup with effects outside of its slot: unclosed tags in raw strings, blocks in `p`, text in
  /// tables.
  static let hostile = OracleProfile(
    name: "hostile", hostility: 12, duplicateIDs: 12, spoiled: 20,
    deviations: ["causes": 13, "diagnostics": 154, "identity": 1, "number of changes": 1])
  /// Streams and components that are moved and nested in each other, with a few invalid choices.
  static let streams = OracleProfile(
    name: "streams and components", hostility: 1, duplicateIDs: 3, streams: 60, components: 45, spoiled: 5,
    deviations: ["causes": 69, "diagnostics": 143, "identity": 3, "number of changes": 3])
  /// Ids, components and slots that change their owners in most diffs.
  static let owners = OracleProfile(
    name: "owners", streams: 15, components: 55, handovers: 70, scopedShare: 45, deviations: ["causes": 47])

  /// Elements for which LiveView's client has rules of its own.
  static let rules = OracleProfile(
    name: "client rules", duplicateIDs: 1, streams: 25, components: 25, handovers: 15, rules: 22,
    deviations: ["causes": 19, "diagnostics": 22])

  static let all = [phoenix, hostile, streams, owners, rules]
}
