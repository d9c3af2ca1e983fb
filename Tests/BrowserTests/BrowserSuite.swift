import Testing

/// Tests that need a real browser. They run one at a time, because each one starts a browser.
@Suite(.serialized, .enabled(if: Chromium.isThere, "no Chromium is installed"))
enum BrowserSuite {}
