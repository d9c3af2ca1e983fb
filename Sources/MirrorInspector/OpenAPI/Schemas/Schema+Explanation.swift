internal import LiveViewMirror

// The parts of a diff in the protocol's terms.

extension Schema {
  static let explanation = allOf([
    explainedPart,
    object(
      [:],
      optional: [
        "unmarked_waste": count.described("The number of slots that were sent without effect, but are not marked.")
      ]),
  ]).described("A diff or Rendered as a tree of its parts. The root is the whole of it.").named("Explanation")

  static let explainedPart = object(
    [
      "path": string.described("As in `slots`: `0.3`, `2.k.4`. Empty for the root."),
      "kind": oneOf(DiffExplanation.Kind.allCases.map(\.rawValue)).described("The term of the protocol."),
      "summary": string.described("One phrase for people."),
      "bytes": count.described("The size of the value in the JSON of the update, without its name."),
      "value": string.orNull.described("The beginning of a value without children."),
      "changes": array(of: count, longest: DiffExplanation.Limits.changes).described(
        "The changes that the part caused: indexes in `changes` of the change set."),
      "nodes": array(of: node).described("The nodes of these changes."),
      "waste": boolean.described("Whether the tree had this value already."),
      "children": array(of: reference(to: "ExplainedPart")).described("In the order of the JSON."),
      "more": count.described("The number of children that are not listed."),
    ],
    optional: ["more_changes": count.described("The number of changes that are not listed.")]
  ).described("A value of a diff or Rendered.").named("ExplainedPart")
}
