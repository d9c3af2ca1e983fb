import LiveViewMirror
import MirrorViews
import Testing

@testable import MirrorInspector

/// The exact markup of small pages. Times are replaced by placeholders, since they differ in every run.
@Suite struct SnapshotTests {
  @Test
  func `the page of a counter has a header, a tree, a log and details`() throws {
    let view = try SampleView.counter(diffs: [#"{"0":"1"}"#, #"{"5":"x"}"#])
    let page = try view.page(.init(node: 3))
    expect(
      page, from: "<nav class=\"versions\"", to: "<nav class=\"forms\"",
      is: #"""
        <nav class="versions" aria-label="Versions">
        <a rel="prev" href="/views/main?version=0&amp;node=3">‹ older</a>
        <a class="version" href="/views/main?version=1&amp;node=3" title="A link that stays at this version">version \#
        1</a>
        <span class="off">newer ›</span>
        <span class="state">newest</span>
        </nav>
        <dl class="facts">
        <div><dt>dialect</dt><dd>html</dd></div>
        <div><dt>epoch</dt><dd>1</dd></div>
        <div><dt>nodes</dt><dd><a href="#tree">3</a></dd></div>
        <div><dt>observers now</dt><dd><a href="/views/main/subscribers">2</a></dd></div>
        <div><dt>clients</dt><dd>0</dd></div>
        <div><dt>subscriptions</dt><dd><a href="/views/main/subscriptions">0</a></dd></div>
        <div><dt>diffs</dt><dd><a href="#log">1</a></dd></div>
        <div><dt>saved</dt><dd>1 of 2 evaluations</dd></div>
        <div><dt>rejected</dt><dd><a class="bad" href="#log">! 1</a></dd></div>
        <div><dt>kept</dt><dd>versions 0 to 1, 2.3 kB of 3 entries</dd></div>
        <div><dt>updated</dt><dd><time/></dd></div>
        </dl>

        """#)
    expect(
      page, from: "<section id=\"tree\"", to: "<section id=\"log\"",
      is: #"""
        <section id="tree" class="panel" tabindex="-1" aria-labelledby="tree-title">
        <h2 id="tree-title">Tree</h2>
        <p class="jump"><a href="#log">to the log ↓</a></p>
        <p class="note">3 nodes, 1 node changed by v1<span class="legend"> <b class="mark changed">~</b> changed <b \#
        class="mark added">+</b> added <b class="mark moved">⇄</b> moved</span></p>
        <ul class="tree">
        <li id="n1"><details open><summary class="line"><span class="what"><a class="node" \#
        href="/views/main?node=1#details"><i class="ref">1</i> document</a></span> <span class="listeners" role="img" \#
        aria-label="1 observer, 0 clients" title="1 observer, 0 clients">◉1</span></summary><ul>
        <li id="n2"><div class="line"><span class="what"><a class="node" href="/views/main?node=2#details"><i \#
        class="ref">2</i> <bdi class="tag">&lt;p</bdi><span class="tag">&gt;</span></a> <span id="n3" class="selected \#
        touched" aria-current="true"><b class="mark changed" role="img" aria-label="changed" title="changed">~</b><a \#
        class="node" href="/views/main?node=3#details"><i class="ref">3</i> <span class="text"><q>Count: 1</q></span>\#
        </a></span></span> <span class="listeners" role="img" aria-label="1 observer, 0 clients" title="1 observer, 0 \#
        clients">◉1</span></div></li>
        </ul></details></li>
        </ul>
        </section>

        """#)
    expect(
      page, from: "<section id=\"log\"", to: "<section id=\"details\"",
      is: #"""
        <section id="log" class="panel" tabindex="-1" aria-labelledby="log-title">
        <h2 id="log-title">Log</h2>
        <p class="note">3 of 3 entries, newest first</p>
        <svg class="chart" aria-hidden="true" width="24" height="32" viewBox="0 0 24 32"><a tabindex="-1" \#
        href="/views/main?version=0&amp;node=3"><title>v0: 35 B</title><rect x="1" y="5" width="6" height="27"/></a><a \#
        tabindex="-1" class="shown" href="/views/main?version=1&amp;node=3"><title>v1: 9 B</title><rect x="9" y="13" \#
        width="6" height="19"/></a><g class="bad"><rect x="17" y="13" width="6" height="19"/></g></svg>
        <ol class="log" reversed>
        <li id="r1.1" class="entry rejected">
        <p class="summary"><span class="version"><b class="mark" aria-hidden="true">!</b> rejected</span> <time/> \#
        <span>9 B</span> at <code>/5</code></p>
        <p class="reason"><bdi>this slot does not exist: the template has 1 slot, 0 to 0</bdi></p>
        <p class="note">Nothing was applied, and no subscriber was notified: the view stayed at <a \#
        href="/views/main?version=1&amp;node=3">version 1</a>. Send a diff that fits this version, or mount the view \#
        again if diffs were lost: <code>POST /views/main/rendered</code></p>
        <details class="input"><summary>what was sent</summary>
        <pre><code>{&quot;5&quot;: &quot;x&quot;}</code></pre>
        </details>
        </li>
        <li id="v1" class="entry shown" aria-current="true">
        <p class="summary"><a class="version" href="/views/main?version=1&amp;node=3">v1</a> <time/> <span>9 B</span> \#
        <span>1 change</span> <span class="state">shown</span></p>
        <ul class="changes">
        <li><b class="mark changed" role="img" aria-label="changed" title="changed">~</b> <a class="node" \#
        href="/views/main?node=3#details"><i class="ref">3</i> text</a> <del><q>Count: 0</q></del> → <ins><q>Count: \#
        1</q></ins> <span class="where">in <a class="node" href="/views/main?node=2#details"><i class="ref">2</i> <bdi \#
        class="tag">&lt;p&gt;</bdi></a></span> <span class="slots">slot <code>0</code></span></li>
        </ul>
        <p class="reach">notified 1 node (<a class="node" href="/views/main?node=2#details"><i class="ref">2</i> <bdi \#
        class="tag">&lt;p&gt;</bdi></a>), reaching <strong>1 of 2 observers</strong></p>
        <section class="isolation" aria-labelledby="isolation-title">
        <h3 id="isolation-title">Isolation <span class="size">saved 1 of 2 evaluations</span></h3>
        <table class="ways">
        <caption class="unseen">How many calls this diff makes in three ways</caption>
        <thead><tr><th scope="col">calls</th><th scope="col">once a diff</th><th scope="col">once a change</th></tr>\#
        </thead>
        <tbody>
        <tr><th scope="row">selective</th><td><span class="number">1</span><svg class="bar" aria-hidden="true" \#
        width="64" height="8" viewBox="0 0 64 8"><rect width="32" height="8"/></svg></td>\#
        <td><span class="number">1</span><svg class="bar" aria-hidden="true" \#
        width="64" height="8" viewBox="0 0 64 8"><rect width="32" height="8"/></svg></td></tr>
        <tr><th scope="row">one subject, filtered</th><td><span class="number">2</span><svg class="bar" aria-hidden="true" \#
        width="64" height="8" viewBox="0 0 64 8"><rect width="64" height="8"/></svg></td>\#
        <td><span class="number">2</span><svg class="bar" aria-hidden="true" \#
        width="64" height="8" viewBox="0 0 64 8"><rect width="64" height="8"/></svg></td></tr>
        <tr><th scope="row">whole document</th><td><span class="number">2</span><svg class="bar" aria-hidden="true" \#
        width="64" height="8" viewBox="0 0 64 8"><rect width="64" height="8"/></svg></td>\#
        <td><span class="number">2</span><svg class="bar" aria-hidden="true" \#
        width="64" height="8" viewBox="0 0 64 8"><rect width="64" height="8"/></svg></td></tr>
        </tbody>
        </table>
        </section>
        <details class="input"><summary>diff and timings, 0 µs</summary>
        <dl class="timings"><div><dt>decode</dt><dd>0 µs</dd></div><div><dt>merge</dt><dd>0 µs</dd></div><div>\#
        <dt>render</dt><dd>0 µs</dd></div><div><dt>parse</dt><dd>0 µs</dd></div><div><dt>morph</dt><dd>0 µs</dd></div>\#
        <div><dt>trace</dt><dd>0 µs</dd></div>\#
        <div><dt>publish</dt><dd>0 µs</dd></div><div><dt>views</dt><dd>0 µs</dd></div></dl>
        <pre><code>{&quot;0&quot;: &quot;1&quot;}</code></pre>
        </details>
        </li>
        <li id="v0" class="entry">
        <p class="summary"><a class="version" href="/views/main?version=0&amp;node=3">v0</a> <time/> <span>35 B</span> \#
        <span>mount, 1 change</span></p>
        <ul class="changes">
        <li><b class="mark added" role="img" aria-label="added" title="added">+</b> <a class="node" \#
        href="/views/main?node=2#details"><i class="ref">2</i> <bdi class="tag">&lt;p&gt;</bdi></a> <span \#
        class="size">2 nodes</span> <span class="where">under <a class="node" href="/views/main?node=1#details"><i \#
        class="ref">1</i> document</a> at 0</span></li>
        </ul>
        <p class="reach">notified 1 node (<a class="node" href="/views/main?node=1#details"><i \#
        class="ref">1</i> document</a>), reaching <strong>1 of 2 observers</strong></p>
        <details class="input"><summary>Rendered and timings, 0 µs</summary>
        <dl class="timings"><div><dt>decode</dt><dd>0 µs</dd></div><div><dt>merge</dt><dd>0 µs</dd></div><div>\#
        <dt>render</dt><dd>0 µs</dd></div><div><dt>parse</dt><dd>0 µs</dd></div><div><dt>morph</dt><dd>0 µs</dd></div>\#
        <div><dt>trace</dt><dd>0 µs</dd></div>\#
        <div><dt>publish</dt><dd>0 µs</dd></div><div><dt>views</dt><dd>0 µs</dd></div></dl>
        <pre><code>{&quot;s&quot;: [&quot;&lt;p&gt;Count: &quot;, &quot;&lt;/p&gt;&quot;], &quot;0&quot;: \#
        &quot;0&quot;}</code></pre>
        </details>
        </li>
        </ol>
        </section>

        """#)
    expect(
      page, from: "<section id=\"details\"", to: "</main>",
      is: #"""
        <section id="details" class="panel" tabindex="-1" aria-labelledby="details-title">
        <h2 id="details-title">Node 3 text</h2>
        <nav class="way" aria-label="The path to this node"><ol><li><a class="node" href="/views/main?node=1#details">\#
        <i class="ref">1</i> document</a></li><li><a class="node" href="/views/main?node=2#details"><i \#
        class="ref">2</i> <bdi class="tag">&lt;p&gt;</bdi></a></li></ol></nav>
        <p class="actions"><a href="#n3">in the tree</a> <a href="/views/main?under=3&amp;node=3#tree">this subtree \#
        alone</a> <a href="/views/main/nodes/3">JSON</a></p>
        <h3>Text <span class="size">8 characters</span></h3>
        <pre class="value">Count: 1</pre>
        <h3>Subscribers <span class="size">now</span></h3>
        <dl class="facts"><div><dt>observers</dt><dd>0</dd></div>
        <div><dt>clients</dt><dd>0</dd></div>
        <div><dt>subscriptions</dt><dd>0</dd></div></dl>
        <p class="note">None. A change of a text or comment notifies the subscribers of its parent.</p>
        <h3>Biography</h3>
        <ol class="changes biography" reversed>
        <li class="shown" aria-current="true"><a class="version" \#
        href="/views/main?version=1&amp;node=3#details">v1</a> <b class="mark changed" role="img" aria-label="changed" \#
        title="changed">~</b> <a class="node" href="/views/main?node=3#details"><i class="ref">3</i> text</a> <del>\#
        <q>Count: 0</q></del> → <ins><q>Count: 1</q></ins> <span class="where">in <a class="node" \#
        href="/views/main?node=2#details"><i class="ref">2</i> <bdi class="tag">&lt;p&gt;</bdi></a></span> <span \#
        class="slots">slot <code>0</code></span></li>
        <li><a class="version" href="/views/main?version=0&amp;node=3#details">v0</a> <b class="mark added" role="img" \#
        aria-label="added" title="added">+</b> <a class="node" href="/views/main?node=2#details"><i \#
        class="ref">2</i> <bdi class="tag">&lt;p&gt;</bdi></a> <span class="size">2 nodes</span> <span \#
        class="where">under <a class="node" href="/views/main?node=1#details"><i class="ref">1</i> document</a> at \#
        0</span></li>
        </ol>
        </section>

        """#)
  }

  @Test
  func `a problem page has the escaped status, title and detail`() {
    let page = ProblemPage(status: 404, title: "Not Found", detail: "There is no view \"x\" <here>.")
    expect(
      page.html, from: "<body", to: "</body>",
      is: #"""
        <body class="problem">
        <header>
        <p class="home"><a href="/">All views</a></p>
        <h1><span class="status">404</span> Not Found</h1>
        </header>
        <main>
        <p>There is no view &quot;x&quot; &lt;here&gt;.</p>
        </main>

        """#)
  }

  private func expect(
    _ page: HTML, from start: String, to end: String?, is expected: String,
    at location: SourceLocation = #_sourceLocation
  ) {
    let text = page.text.replacing(#/<time [^>]*>[^<]*</time>/#, with: "<time/>")
      .replacing(#/[\d,]+ µs( <span class="size">(scoped|full: <bdi>[^<]*<\/bdi>)<\/span>)?/#, with: "0 µs")
    let first = text.firstRange(of: start)?.lowerBound ?? text.endIndex
    let last = end.flatMap { text[first...].firstRange(of: $0)?.lowerBound } ?? text.endIndex
    #expect(String(text[first..<last]) == expected, sourceLocation: location)
  }
}
