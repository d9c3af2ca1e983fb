internal import LiveViewMirror

// The nine steps of the update process.

extension Schema {
  static let steps = object([
    "view": viewID, "epoch": epoch, "version": version, "path": path,
    "steps": array(of: object(stepMembers), longest: 6),
  ]).described("The steps of one update.").named("Steps")

  static let step = allOf([
    object([
      "view": viewID, "epoch": epoch, "version": version, "path": path,
      "artifact": any.described(
        """
        What the step gave: `rendered` or `diff`, `cause`, `parts` with `markup`, `nodes` or `pairs`, or `changes` and `notified`; `null` \
        for an event if the server pushed the diff.
        """),
    ]),
    object(stepMembers),
  ]).described("One step of an update.").named("Step")

  private static let path = oneOf(["scoped", "full"])
  private static let party = oneOf(UpdateStep.Party.allCases.map(\.rawValue))

  private static var stepMembers: KeyValuePairs<String, Schema> {
    [
      "step": integer(from: 1, upTo: 9), "name": oneOf(UpdateStep.allCases.map(\.name)), "from": party, "to": party,
      "microseconds": count, "input_bytes": count.described("The size of what the step before gave, as text."),
      "output_bytes": count.described("The size of what the step gave, as text."), "summary": string,
      "artifacts": array(of: object(["name": string, "href": string]), longest: 1),
    ]
  }
}
