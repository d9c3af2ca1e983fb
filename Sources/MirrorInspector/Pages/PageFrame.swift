/// What every page has: the head, the links that skip, the landmarks.
///
/// No script and no style of its own: the policy that the server sends forbids both. A page that is ``live`` loads the
/// inspector's script, which shows what is new as it comes; without it, a reload shows the same.
struct PageFrame {
  var title: String
  /// Names the layout in the stylesheet.
  var kind: String
  /// Where a reader may want to go at once: the id of a place and its name.
  var places: [(id: String, name: String)] = []
  var live: Live?
  var header: HTML
  var main: HTML

  /// What the script has to know.
  struct Live {
    /// What is done when there is something new: `past` counts it, all others show it.
    var kind: HTML
    /// Which file does it.
    var script: HTML = "inspector.js"
    /// Where the events are.
    var events: Link?
    /// The last event that is in what is shown.
    var eventID: EventID?
    /// The version that is shown.
    var version: Int?
    /// What is shown, in a few words.
    var summary: HTML?

    fileprivate var attributes: HTML {
      """
       data-live="\(kind)"\(events.map { " data-events=\"\($0)\"" as HTML })\
      \(eventID.map { " data-event-id=\"\($0.description)\"" as HTML })\
      \(version.map { " data-version=\"\($0)\"" as HTML })\(summary.map { " data-summary=\"\($0)\"" as HTML })
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
    <link rel="stylesheet" href="/assets/inspector.css">
    \(live.map { "<script type=\"module\" src=\"/assets/\($0.script)\"></script>\n" as HTML })\
    </head>
    <body class="\(kind)"\(live?.attributes)>
    \(places.map { "<a class=\"skip\" href=\"#\($0.id)\">Skip to \($0.name)</a>\n" as HTML })\
    <header>
    \(header)
    </header>
    <main>
    \(main)
    </main>
    </body>
    </html>

    """
  }
}
