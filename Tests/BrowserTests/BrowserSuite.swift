import Testing

/// What only a real browser can tell. One test at a time: each has a browser of its own.
@Suite(.serialized, .enabled(if: Chromium.isThere, "no Chromium is installed"))
enum BrowserSuite {}
