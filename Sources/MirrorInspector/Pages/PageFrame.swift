/// What every page has: the head, the links that skip, the landmarks.
///
/// No script and no style of its own: the policy that the server sends forbids both.
struct PageFrame {
  var title: String
  /// Names the layout in the stylesheet.
  var kind: String
  /// Where a reader may want to go at once: the id of a place and its name.
  var places: [(id: String, name: String)] = []
  var header: HTML
  var main: HTML

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
    </head>
    <body class="\(kind)">
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
