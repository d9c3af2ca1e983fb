import Testing

/// What kind of pages the oracle looks at.
struct OracleProfile: Sendable, CustomTestStringConvertible {
  var name: String
  /// How many of a hundred choices are made against the rules of HTML and of HEEx.
  var hostility = 0
  /// How many of a hundred ids are one that may stand elsewhere too.
  var duplicateIDs = 0
  /// How many of a hundred lists are streams.
  var streams = 8
  /// How many of a hundred holes for a child hold a component.
  var components = 15
  /// How many of a hundred ids and components are handed to another owner in the diff in which their owner leaves, and how
  /// many components stay in the tree after they left the page.
  var handovers = 0
  /// How many of a hundred elements LiveView's client patches by rules of its own: append and prepend containers, streams
  /// among other children, templates and portals, controls of forms, sticky elements and ignored attributes.
  var rules = 0
  /// How many of a thousand diffs are spoiled, so that both pipelines should reject them alike.
  var spoiled = 0
  /// How much of its diffs must be updated by scope, of a hundred.
  var scopedShare = 0

  var testDescription: String { name }

  /// Pages as HEEx writes them.
  static let phoenix = OracleProfile(name: "phoenix", scopedShare: 75)
  /// Markup that leaks out of its place: unclosed tags in raw strings, blocks in `p`, text in tables.
  static let hostile = OracleProfile(name: "hostile", hostility: 12, duplicateIDs: 12, spoiled: 20)
  /// Streams and components, moved and nested in each other, with an accident now and then.
  static let streams = OracleProfile(
    name: "streams and components", hostility: 1, duplicateIDs: 3, streams: 60, components: 45, spoiled: 5)
  /// Ids, components and slots that change their owners in most diffs.
  static let owners = OracleProfile(name: "owners", streams: 15, components: 55, handovers: 70, scopedShare: 45)

  /// Elements for which LiveView's client has rules of its own.
  static let rules = OracleProfile(
    name: "client rules", duplicateIDs: 1, streams: 25, components: 25, handovers: 15, rules: 22)

  static let all = [phoenix, hostile, streams, owners, rules]
}
