// Server-Sent Events, and the body of a push. The schema of a stream is that of one event, whose
// data is JSON. `EventRoutes` and `PushRoutes` open the streams, `Event` and `Push` write the
// events, and `PushBody` reads the body.

extension Schema {
  private static let eventID = string(matching: "^[0-9]+(\\.[0-9]+){0,2}$").described(
    "`EPOCH.VERSION`, or `EPOCH.VERSION.N` for the `N`th rejection after a version.")

  private static func event(_ name: String, _ data: Schema, hasID: Bool = true) -> Schema {
    object(
      ["event": constant(name), "data": text(of: data)],
      optional: ["id": hasID ? eventID : string, "retry": count])
  }

  static let viewEvent = anyOf([
    event("mount", changeSet), event("change", changeSet), event("rejected", rejection),
    event(
      "reset",
      object(["reason": string, "from": eventID, "oldest": eventID.orNull, "version": eventID])
    ).described("Some events after `from` are no longer kept."),
    event(
      "close", object(["reason": oneOf(["deleted", "expired", "evicted", "node removed", "stopping"])]), hasID: false
    ).described("The last event."),
    // The greeting of a stream has no field `event`.
    object([:], optional: ["id": eventID, "retry": count]),
  ]).named("ViewEvent")

  static let pushEvent = anyOf([
    event(
      "push",
      object(["id": integer(from: 1), "view": viewID, "topic": string, "event": string, "payload": any]), hasID: false
    ).described(
      """
      The carrier sends `[join_ref, ref, topic, event, payload]` through its socket. `live_patch` has `{"url"}`, and `live_redirect` \
      `{"to", "kind"}`, which the carrier follows as the client follows a link.
      """),
    object([:], optional: ["retry": count]),
  ]).named("PushEvent")

  // MARK: - Pushes

  private static let kind = string(longest: 200).orNull.described(
    "What happens to the element: `click`, `change`, `submit`, `keydown`, `focus` and so on.")

  /// What a person does to an element. The element is named by a node or by a selector.
  private static func action(on element: KeyValuePairs<String, Schema>) -> Schema {
    object(
      element,
      optional: [
        "event": kind, "value": pushValue.orNull,
        "epoch": epoch.orNull.described("The mount that the node belongs to."),
        "entries": array(of: array(of: string, shortest: 2, longest: 2)).orNull.described(
          "The entries of the form: a name and a text each."),
        "submitter": node.orNull.described("The button that submits the form."),
        "default": boolean.orNull.described("Whether a link is followed and a form is submitted, as in a browser."),
      ], isClosed: true)
  }

  static let pushValue = dictionary(of: any).described("Added to the value of the event.").named("PushValue")

  static let push = anyOf([
    action(on: ["node": node]),
    action(on: [
      "selector": string(shortest: 1, longest: 2_000).described("A CSS selector; the first match in document order.")
    ]),
    object(
      ["event": string(shortest: 1, longest: 200).described("The name of the event, such as `inc`.")],
      optional: [
        "type": string(longest: 200).orNull.described("The kind of the event, such as `click`."),
        "value": any.described("JSON, or a text with an encoded form."),
        "target": integer(from: 1).orNull.described("The component that handles the event."),
      ], isClosed: true
    ).described("The event as a client sends it."),
  ]).named("Push")
}
