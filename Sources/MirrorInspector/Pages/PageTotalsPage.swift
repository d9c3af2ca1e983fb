internal import LiveViewMirror
internal import MirrorAnalysis

/// `GET /pages/{page}/totals` in a browser: what the diffs of all views of a page load cost. The
/// index links to it.
struct PageTotalsPage {
  let page: PageLoad
  let totals: CostTotals
  let order: CostTotals.Order

  var html: HTML {
    let name = page.title ?? page.url ?? page.id
    return PageLayout(
      title: "Cost of \(name)", kind: "help cost", places: [("totals", "the totals")],
      header: """
        <p class="home"><a href="/">All views</a></p>
        <h1>Cost of <bdi>\(name)</bdi></h1>
        """,
      main: """
        <p>What the diffs of all views of this page cost, each view since its last mount.</p>
        \(TotalsTable(totals: totals, order: order, page: Link("pages", page.id, "totals")).html)
        """
    ).html
  }
}
