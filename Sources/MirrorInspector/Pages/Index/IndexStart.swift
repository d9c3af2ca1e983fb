/// The instructions that ``ViewsPage`` shows in place of its list while there is no view. They
/// consist of two commands to try, and three ways to connect a Phoenix server.
struct IndexStart {
  /// The address of this server for a terminal.
  let address: String
  /// Whether this server asks for a token. The commands then read it from `MIRROR_TOKEN`, and the
  /// page never contains it.
  let asksForToken: Bool

  var html: HTML {
    """
    <section class="start" aria-labelledby="start-title">
    <h2 id="start-title">No view yet</h2>
    <p>The mirror holds the page that a LiveView client would hold, and shows what each diff changes in it, why, and for which \
    subscribers.</p>
    \(trial)\
    \(ways)\
    </section>

    """
  }

  private var trial: HTML {
    let curl = HTML.curlPost(withToken: asksForToken)
    return """
      <section aria-labelledby="try-title">
      <h3 id="try-title">Try it</h3>
      <ol>
      <li>Mount a counter
      \(Self.command("\(curl) \(address)/views/counter/rendered -d '{\"0\":\"0\",\"s\":[\"&lt;p&gt;Count: \",\"&lt;/p&gt;\"]}'"))</li>
      <li>Send a diff
      \(Self.command("\(curl) \(address)/views/counter/diffs -d '{\"0\":\"1\"}'"))</li>
      <li>The view appears here.</li>
      </ol>
      </section>

      """
  }

  private var ways: HTML {
    let token: HTML? = asksForToken ? " data-token=&quot;TOKEN&quot;" : nil
    let note: HTML? =
      asksForToken
      ? "<p class=\"note\">This mirror asks for a token: export it as <code>MIRROR_TOKEN</code>, and write it into the script tag.</p>\n"
      : nil
    return """
      <section aria-labelledby="connect-title">
      <h3 id="connect-title">Connect a Phoenix server</h3>
      \(note)\
      <dl class="ways-in">
      <div><dt>Every tab of a browser</dt>
      <dd>Start the mirror with the address of the app, and add the script to the head of \
      <code>root.html.heex</code>, before <code>app.js</code>. This also sends your clicks back to the app.
      \(Self.command("liveview-mirror serve --allow-origin http://localhost:4000"))
      \(Self.command("&lt;script src=&quot;\(address)/assets/tap.js&quot;\(token)&gt;&lt;/script&gt;"))</dd></div>
      <div><dt>A page without a browser</dt>
      <dd>The mirror joins the LiveViews of a page as a browser does.
      \(Self.command("liveview-mirror attach http://localhost:4000/ --mirror \(address)"))</dd></div>
      <div><dt>A recording</dt>
      <dd>In Chrome, reload the page with the developer tools open, and export a HAR in the panel “Network”.
      \(Self.command("liveview-mirror import --mirror \(address) session.har"))</dd></div>
      </dl>
      </section>

      """
  }

  private static func command(_ text: HTML) -> HTML { "<pre><code>\(text)</code></pre>" }
}

extension HTML {
  /// The start of a command that posts something.
  static func curlPost(withToken: Bool) -> HTML { "\(curl(withToken: withToken)) -X POST" }

  /// The start of a command that asks this server. No page contains the token itself, so the shell
  /// inserts it from `MIRROR_TOKEN`.
  static func curl(withToken: Bool) -> HTML {
    withToken ? "curl -H \"Authorization: Bearer $MIRROR_TOKEN\"" : "curl"
  }
}
