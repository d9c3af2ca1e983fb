internal import LiveViewMirror

// Views and page loads. `ViewRoutes` and `PageLoadRoutes` respond with them. `ViewState+JSON.swift`
// and `LiveViews+JSON.swift` write most of what these schemas describe. The tests compare responses
// with these schemas, so a member must be added in both places.

extension Schema {
  static let viewLife = object([
    "page": pageID.orNull.described("The page that the view belongs to."),
    "parent": string.orNull.described("The view of the same page that contains this one."),
    "status": oneOf(ViewStatus.allCases.map(\.rawValue)),
    "resumed": boolean.described(
      "Whether the feed has sent what the client holds instead of joining again: earlier versions are missing."),
    "refusal": string.orNull.described("The reason that the server gave for refusing the join."),
    "url": string.orNull,
    "container": object(["tag": string, "attributes": dictionary(of: string)]).orNull.described("The view's element."),
  ]).described("What the frames of a view's channel say about it.").named("ViewLife")

  static let view = allOf([
    object([
      "view": viewID, "epoch": epoch, "version": version, "dialect": dialect, "nodes": count,
      "observers": count, "clients": count, "subscriptions": count, "diffs": count, "rejected": count,
      "isolation": object(["selective": count, "filtered": count, "whole": count, "diffs": count]).described(
        "The sums of all diffs."),
      "bytes": count,
      "log": object([
        "entries": count, "bytes": count, "first": position.orNull, "evicted": count,
      ]).described("The kept part of the log."),
      "title": string.orNull, "client": string.described("The version of LiveView's client whose rules are followed."),
      "server": string.orNull.described("The version of LiveView that the join reply names."),
      "module": string.orNull.described("The module of the LiveView, if the app has HEEx's debug annotations."),
      "mounted_at": time, "updated_at": time,
      "epochs": array(
        of: object([
          "epoch": epoch, "versions": count.described("The number of versions that are kept."),
          "first_version": version, "mounted_at": time,
          "ended_at": time.orNull.described("The time of the remount; `null` for the current epoch."),
          "diffs": count,
        ])
      ).described("The readable epochs, newest first."),
    ]), viewLife,
  ]).described("The summary of a view.").named("View")

  static let views = object([
    "views": array(of: view),
    "limits": object([
      "versions": count, "log_bytes": count, "page_bytes": count, "views": count, "clients": count,
      "subscriptions": count, "followed_nodes": count, "expire_seconds": count.orNull,
    ]),
    "usage": object([
      "views": count, "log_entries": count, "log_bytes": count,
      "log_share": count.described(
        "The limit for the log of one view: `log_bytes` of `limits`, since the views share it."),
      "page_bytes": count,
      "clients": count, "subscriptions": count, "followed_nodes": count, "evicted_views": count,
      "expired_views": count, "evicted_entries": count, "stale_frames": count,
    ]),
    "rejected_feed": object([
      "at": time, "frames": count, "rejected_frames": count,
      "view": string.orNull.described("The view of the first rejected frame."),
      "reason": string.described("Why this frame was rejected."),
    ]).orNull.described("The last input of `POST /frames` with `all_rejected`."),
    "refused_origins": array(of: object(["origin": string, "at": time])).described(
      "The origins whose taps were refused, because `--allow-origin` does not name them; at most \(RefusedOrigins.most)."
    ),
    "journal_problem": string.orNull.described(
      "Why the journal accepts no changes, so that diffs are answered with 503; `null` while it does."),
  ]).named("Views")

  static let inspector = object([
    "view": viewID, "epoch": epoch, "version": version, "title": string, "kind": string,
    "live": boolean.described("Whether the page follows the newest version."), "event_id": string.orNull,
    "summary": string,
    "regions": array(
      of: object(
        ["id": string],
        optional: [
          "digest": string, "html": string.described("Left out if its digest is known."),
          "lines": array(of: array(of: string)).described("The key, the digest and the HTML of each line."),
        ])),
    "acted_node": node.orNull.described("With the mirror: the element with which a user caused the shown version."),
    "selected_node": node.orNull,
    "heat": dictionary(of: integer(from: 1, upTo: 4)).described(
      "How recently the elements changed, by number: 4 for the shown version. At most \(Heat.mostElements) elements."),
  ]).described("The inspector's page in pieces.").named("InspectorPage")

  // MARK: - Pages

  private static let lost = object(["frames": count, "bytes": count]).described("What the feed could not deliver.")

  static let page = object([
    "page": pageID, "url": string.orNull, "title": string.orNull, "user_agent": string.orNull,
    "client": string.orNull.described("The version of LiveView's client in the page."),
    "opened_at": time, "closed_at": time.orNull,
    "carrier": boolean.described("Whether the feed can send events to the LiveViews."),
    "carrier_connected": boolean.described("Whether it reads the events now."), "lost": lost,
    "views": array(of: allOf([object(["view": viewID]), viewLife])),
  ]).described("One load of a page in a browser tab.").named("Page")

  static let pages = object(["pages": array(of: page)]).named("Pages")

  private static let shortText = string(longest: PageLoadRoutes.longestText).orNull

  static let newPage = object(
    [:],
    optional: [
      "url": shortText, "title": shortText, "user_agent": shortText,
      "client": clientVersion.orNull,
      "carrier": boolean.orNull.described("Whether the feed can send events to the LiveViews."),
      "lost": object(
        [:], optional: ["frames": integer(from: 0).orNull, "bytes": integer(from: 0).orNull],
        isClosed: true
      ).orNull.described("Adds to what the feed could not deliver."),
      "closed": boolean.orNull.described("Whether the page has closed, as after `DELETE`."),
    ], isClosed: true
  ).named("NewPage")
}
