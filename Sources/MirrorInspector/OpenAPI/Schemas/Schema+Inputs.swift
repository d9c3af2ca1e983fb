// The schemas of what a feed sends, and of the reports that it gets. `FeedRoutes` reads the bodies
// of `POST /frames` and of the mounts and diffs of a view, `FileRoutes` the files of `POST /views`.
// Both write the reports. `ViewExport` writes the lines of `GET /views/{view}/export`.

extension Schema {
  static let rendered = object(
    ["s": anyOf([array(of: string, shortest: 1), integer(from: 0)])],
    optional: ["c": dictionary(of: any), "t": any, "p": dictionary(of: array(of: string))], others: any
  ).described(
    """
    The page of a LiveView as its server sends it: `s` are the statics, and the members with numbers the slots between them. See \
    docs/update-process.md.
    """
  ).named("Rendered")

  static let diff = object(
    [:],
    optional: ["e": array(of: any), "t": any, "c": dictionary(of: any), "p": dictionary(of: array(of: string))],
    others: any
  ).described(
    "A diff of a LiveView: the slots that changed, and `c` (components), `e` (events), `r` (reply), `t` (title)."
  ).named("Diff")

  static let frame = tuple([joinRef, ref, string, string, any]).described(
    "A channel frame (protocol 2.0.0): `[join_ref, ref, topic, event, payload]`."
  ).named("Frame")

  private static let joinRef = anyOf([string, integer(), null]).described("The `ref` of the join.")
  private static let ref = any.described("A text or `null`. Other values are ignored.")

  // The payloads are named schemas, because some generators of API clients drop an unnamed object
  // inside of a tuple.

  static let joinReply = tuple([joinRef, ref, string, constant("phx_reply"), joinPayload]).described(
    "The server's reply to a join."
  ).named("JoinReply")

  static let joinPayload = object([
    "status": constant("ok"), "response": object(["rendered": rendered]),
  ]).named("JoinPayload")

  static let diffFrame = anyOf([
    tuple([joinRef, ref, string, constant("diff"), diff]),
    tuple([joinRef, ref, string, constant("phx_reply"), diffPayload]),
  ]).described("A diff that the server pushes, or its reply to an event.").named("DiffFrame")

  static let diffPayload = object(["status": constant("ok"), "response": object(["diff": diff])]).named("DiffPayload")

  static let timedFrame = object(
    ["frame": frame],
    optional: [
      "at": number.orNull.described("The time of the frame, in milliseconds since 1970."),
      "sent": boolean.orNull.described("Whether the client sent the frame."),
    ]
  ).described("A frame with its time and sender.").named("TimedFrame")

  static let frameLine = anyOf([frame, timedFrame, exportLine]).named("FrameLine")

  static let recording = object(
    ["steps": array(of: object(["frame": frame], others: any))],
    optional: ["format": string.described("`html`, or the name of a native format.")], others: any
  ).described("A recorded session.").named("Recording")

  static let exportLine = object(
    ["view": string],
    optional: [
      "liveview_mirror": object(["export": integer(from: 1)]),
      "topic": string, "url": string,
      "page": object(["id": pageID], optional: ["url": string, "title": string]),
      "at": number, "epoch": epoch, "over": string, "before": string, "dialect": dialect,
      "liveview_version": string, "client": string, "container": array(of: any), "cause": cause.orNull,
      "rendered": rendered, "diff": diff, "destroyed": array(of: integer()),
    ]
  ).described("A line of an export: the view, its mount, a diff, or the components that the server destroyed.").named(
    "ExportLine")

  // MARK: - Reports

  static let rejectedFrame = object([
    "frame": count.described("The number of the frame in the input, from 0."),
    "view": string.orNull, "problem": problem,
  ]).described("A frame that does not fit.").named("RejectedFrame")

  static let framesReport = object([
    "all_rejected": boolean.described("No frame was applied, and at least one was rejected."),
    "frames": count.described("All frames of the input."),
    "applied": count.described("Frames that mounted or updated a view."),
    "ignored": count.described("Frames without a page or a diff, and stale frames."),
    "known_frames": count.described("Frames that were in an earlier input, by `first`."),
    "missing_frames": count.described("Frames between the last input and this one, by `first`."),
    "destroyed_components": count,
    "stale_frames": count.described("Frames of an earlier join."),
    "rejected_frames": count,
    "rejected": array(of: rejectedFrame, longest: 100).described("The first 100 rejected frames."),
    "client_throws": array(
      of: object(["frame": count, "view": viewID, "version": count, "message": string]), longest: 100
    ).described("The first 100 updates at which LiveView's client stops with an error."),
  ]).named("FramesReport")

  static let importReport = object(
    [
      "format": oneOf(["frames", "export", "har", "table"]).described("What the file was recognised as."),
      "views": array(of: viewID), "pages": array(of: pageID),
      "frames": count, "applied": count, "skipped_messages": count, "rejected_frames": count,
      "rejected": array(of: rejectedFrame, longest: 100),
    ],
    optional: [
      "incomplete_views": array(of: viewID).described("Views that have lost their first versions, or were evicted.")
    ]
  ).named("ImportReport")
}
