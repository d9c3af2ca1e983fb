import LiveViewMirror
import MarkupDocument
import MirrorViews
import NodeObservation

enum IsolationReportExample: Example {
  static func run() throws {
    // example: IsolationReport
    let view = LiveViewCoordinator(id: "list", options: UpdateOptions(drawsPage: true))
    let rows = #"{"s":["<ul>","</ul>"],"0":{"s":["<li>","</li>"],"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2}}}"#
    try view.mount(Array(rows.utf8), dialect: .html)

    let record = try view.update(Array(#"{"0":{"k":{"1":{"0":"c"},"kc":2}}}"#.utf8))
    let isolation = record.isolation
    print("one publisher a node:", isolation.selective.coalesced)
    print("one subject that everybody filters:", isolation.filtered.coalesced)
    print("one object for the document:", isolation.whole.coalesced)
    print("subscribers in all:", isolation.everybody)
    for evaluation in isolation.views?.evaluations ?? [] { print(evaluation) }
    // end

    // example: IsolationReport
    struct Badge: PageView {
      @ObservedElement var element
      var body: some View { Tag("b", ["class": "badge"]) { Children(of: element) } }
    }

    var registry = ViewRegistry.native
    registry.register("Badge") { _ in Badge() }

    let inbox = LiveViewCoordinator(id: "inbox", options: UpdateOptions(drawsPage: true), registry: registry)
    let badge = #"{"s":["<HStack><Badge>","</Badge></HStack>"],"0":"3"}"#
    try inbox.mount(Array(badge.utf8), dialect: .native)

    let report = try inbox.update(Array(#"{"0":"4"}"#.utf8)).isolation
    print(report)
    for evaluation in report.views?.evaluations ?? [] { print(evaluation) }
    if let page = inbox.page { print(page.markup) }
    // end
  }
}
