/// The common parts of the inspector's pages: head, skip links, landmarks. ``ViewPage``,
/// ``ViewsPage`` and the smaller pages fill it. ``DocumentPage`` does not use it.
///
/// It contains no inline script and no inline style, because the content security policy forbids
/// both. A page with ``live`` loads the inspector's script, which shows new entries as they arrive.
/// Without the script, a reload shows new entries.
struct PageLayout {
  var title: String
  /// The name of the layout in the style sheet.
  var kind: String
  /// The targets of the skip links: an id and its name.
  var places: [(id: String, name: String)] = []
  /// The style sheets of this page alone, by their paths in `Public/`.
  var styles: [HTML] = []
  var live: Live?
  var header: HTML
  var main: HTML

  /// The configuration of the script.
  struct Live {
    /// The reaction of the script to new events: with `past`, the script only counts the events;
    /// with every other value, it shows their results.
    var kind: HTML
    /// The path of the script in `Public/`.
    var script: HTML = "inspector/inspector.js"
    /// The address of the events.
    var events: Link?
    /// The id of the newest event whose result the page already shows.
    var eventID: EventID?
    /// The version that the page shows.
    var version: Int?

    fileprivate var attributes: HTML {
      """
       data-live="\(kind)"\(events.map { " data-events=\"\($0)\"" as HTML })\
      \(eventID.map { " data-event-id=\"\($0.description)\"" as HTML })\
      \(version.map { " data-version=\"\($0)\"" as HTML })
      """
    }
  }

  var html: HTML {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(title) · LiveView Mirror</title>
    <link rel="icon" href="/assets/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/assets/inspector/inspector.css">
    \(styles.map { "<link rel=\"stylesheet\" href=\"/assets/\($0)\">\n" as HTML })\
    \(live.map { "<script type=\"module\" src=\"/assets/\($0.script)\"></script>\n" as HTML })\
    </head>
    <body class="\(kind)"\(live?.attributes)>
    \(places.map { "<a class=\"skip\" href=\"#\($0.id)\">Skip to \($0.name)</a>\n" as HTML })\
    <header id="bar">
    \(header)
    \(live == nil ? nil : "<div class=\"controls\" data-own></div>\n" as HTML)</header>
    <main>
    \(main)
    </main>
    </body>
    </html>

    """
  }
}
