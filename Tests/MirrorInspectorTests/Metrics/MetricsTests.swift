import LiveViewMirror
import MarkupDocument
import MicroHTTP
import Testing

@testable import MirrorInspector

@Suite struct MetricsTests {
  private let metrics = Metrics(version: "1.2.3")

  private var exposition: Exposition { get throws { try exposition(.init()) } }

  private func exposition(_ usage: MirrorUsage) throws -> Exposition {
    try Exposition(String(decoding: metrics.text(usage), as: UTF8.self))
  }

  private func report(
    _ method: HTTPMethod?, _ route: String?, _ status: HTTPStatus, _ duration: Duration = .microseconds(300)
  ) -> RequestReport {
    RequestReport(
      method: method, path: "/secret/\(status.code)", route: route, status: status, duration: duration, received: 3,
      sent: 40)
  }

  // MARK: - The format

  @Test func `the metrics of a new mirror are well-formed and zero`() throws {
    let exposition = try exposition
    #expect(exposition["liveview_mirror_build_info", ["version": "1.2.3"]] == 1)
    for name in ["diffs_total", "mounts_total", "rejected_total", "notifications_total", "views", "nodes", "clients"] {
      #expect(exposition["liveview_mirror_\(name)"] == 0)
    }
    for reason in RemovalReason.allCases {
      #expect(exposition["liveview_mirror_views_removed_total", ["reason": reason.rawValue]] == 0)
    }
    #expect(try #require(exposition["process_start_time_seconds"]) > 1_700_000_000)
    #expect(exposition["process_cpu_seconds_total"] != nil)
    #if os(Linux)
      #expect(try #require(exposition["process_resident_memory_bytes"]) > 1_000_000)
      #expect(try #require(exposition["process_threads"]) >= 1)
      #expect(try #require(exposition["process_max_fds"]) >= #require(exposition["process_open_fds"]))
    #endif
  }

  @Test func `special characters in a label value are escaped`() throws {
    metrics.count(report(.get, "/a\"b\\c\nd", .ok))
    let labels = ["method": "GET", "route": "/a\"b\\c\nd", "status": "200"]
    #expect(try exposition["liveview_mirror_http_requests_total", labels] == 1)
  }

  @Test(arguments: [
    (0, "0"), (1, "0.000000001"), (250_000, "0.00025"), (1_000_000_000, "1"), (61_500_000_000, "61.5"),
  ]) func `seconds are written exactly`(nanoseconds: Int, text: String) {
    #expect(MetricsText.secondsText(nanoseconds: nanoseconds) == text)
  }

  // MARK: - Requests

  @Test func `requests are counted by method, route and status`() throws {
    for _ in 0..<3 { metrics.count(report(.get, "/views/{view}", .ok)) }
    metrics.count(report(.post, "/views/{view}", .ok))
    metrics.count(report(.get, "/views/{view}", .notFound))
    let name = "liveview_mirror_http_requests_total"
    let exposition = try exposition
    #expect(exposition[name, ["method": "GET", "route": "/views/{view}", "status": "200"]] == 3)
    #expect(exposition[name, ["method": "POST", "route": "/views/{view}", "status": "200"]] == 1)
    #expect(exposition[name, ["method": "GET", "route": "/views/{view}", "status": "404"]] == 1)
    #expect(exposition["liveview_mirror_http_received_bytes_total"] == 15)
    #expect(exposition["liveview_mirror_http_sent_bytes_total"] == 200)
  }

  @Test func `requests with unknown methods or routes share one series for each status`() throws {
    for number in 0..<1_000 {
      metrics.count(report(HTTPMethod(rawValue: "M\(number)"), nil, .notFound))
      metrics.count(report(nil, nil, .badRequest))
    }
    let exposition = try exposition
    let name = "liveview_mirror_http_requests_total"
    #expect(exposition.samples.count { $0.name == name } == 2)
    #expect(exposition[name, ["method": "other", "route": "none", "status": "404"]] == 1_000)
    #expect(exposition[name, ["method": "none", "route": "none", "status": "400"]] == 1_000)
    #expect(!exposition.samples.contains { $0.labels.values.contains { $0.contains("secret") } })
  }

  @Test func `the buckets of durations are cumulative`() throws {
    for microseconds in [100, 101, 3_000, 60_000_000] {
      metrics.count(report(.get, "/", .ok, .microseconds(microseconds)))
    }
    let exposition = try exposition
    func bucket(_ bound: String) -> Double? {
      exposition["liveview_mirror_http_request_seconds_bucket", ["route": "/", "le": bound]]
    }
    #expect(bucket("0.0001") == 1)
    #expect(bucket("0.00025") == 2)
    #expect(bucket("0.0025") == 2)
    #expect(bucket("0.005") == 3)
    #expect(bucket("5") == 3)
    #expect(bucket("+Inf") == 4)
    #expect(exposition["liveview_mirror_http_request_seconds_count", ["route": "/"]] == 4)
    #expect(exposition["liveview_mirror_http_request_seconds_sum", ["route": "/"]] == 60.003201)
  }

  // MARK: - Updates

  @Test func `updates are counted with their changes, notifications and durations`() throws {
    let views = LiveViews(options: UpdateOptions(), limits: MirrorLimits(), listener: metrics)
    _ = try views.mount("a", Array(#"{"0":"0","s":["<p>Count: ","</p><hr>"]}"#.utf8), dialect: .html)
    _ = try views.update("a", Array(#"{"0":"1"}"#.utf8))
    _ = try views.update("a", Array(#"{"0":"<b>2</b>"}"#.utf8))
    #expect(throws: UpdateError.self) { try views.update("a", Array(#"{"7":"1"}"#.utf8)) }
    let records = try #require(views["a"]?.log.last(10)).compactMap(\.record)
    let exposition = try exposition
    #expect(exposition["liveview_mirror_mounts_total"] == 1)
    #expect(exposition["liveview_mirror_diffs_total"] == 2)
    #expect(exposition["liveview_mirror_rejected_total"] == 1)
    #expect(exposition["liveview_mirror_input_bytes_total"] == Double(records.map(\.bytes).reduce(0, +) + 9))
    #expect(exposition["liveview_mirror_notifications_total"] == Double(records.map(\.observerCount).reduce(0, +)))
    #expect(
      exposition["liveview_mirror_full_diffs_total"] == Double(records.count { $0.path != .scoped && $0.version > 0 }))
    let changes = ["text", "attributes", "add", "remove", "move"].compactMap {
      exposition["liveview_mirror_changes_total", ["op": $0]]
    }
    #expect(changes.reduce(0, +) == Double(records.map(\.changeSet.changes.count).reduce(0, +)))
    #expect(exposition["liveview_mirror_changes_total", ["op": "text"]] ?? 0 > 0)
    #expect(exposition["liveview_mirror_update_seconds_count"] == 3)
    let stages = exposition.samples.filter { $0.name == "liveview_mirror_stage_seconds_total" }
    #expect(stages.count == 8)
    let spent = stages.map(\.value).reduce(0, +)
    #expect(abs(spent - (exposition["liveview_mirror_update_seconds_sum"] ?? -1)) < 1e-9)
    #expect(exposition["liveview_mirror_nodes"] == records.last.map { Double($0.nodeCount) })
    #expect(try self.exposition(MirrorUsage(views.usage))["liveview_mirror_views"] == 1)
    // Another mirror restores the view from a journal, and then accepts a diff that adds no node.
    var counts = UpdateCounts()
    let diff = try #require(views["a"]?.log.last(10).first { $0.record?.version == 1 })
    counts.add(diff, of: "a")
    #expect(counts.nodes == diff.record?.nodeCount)
  }

  @Test func `removing a view subtracts its nodes, and no metric contains the id of a view`() throws {
    let views = LiveViews(options: UpdateOptions(), limits: MirrorLimits(), listener: metrics)
    for id in ["private-a", "private-b"] {
      _ = try views.mount(id, Array(#"{"s":["<p>1</p>"]}"#.utf8), dialect: .html)
      _ = try views.mount(id, Array(#"{"s":["<p>1</p><p>2</p>"]}"#.utf8), dialect: .html)
    }
    #expect(try exposition["liveview_mirror_nodes"] == 10)
    #expect(views.remove("private-a"))
    let exposition = try exposition
    #expect(exposition["liveview_mirror_nodes"] == 5)
    #expect(try self.exposition(MirrorUsage(views.usage))["liveview_mirror_views"] == 1)
    #expect(exposition["liveview_mirror_views_removed_total", ["reason": "deleted"]] == 1)
    #expect(!exposition.text.contains("private"))
  }

  @Test func `the usage and the limits of the mirror are exported`() throws {
    var usage = MirrorUsage(LiveViews.Usage(limits: MirrorLimits(views: 7)))
    (usage.clientLimit, usage.clients, usage.subscriptions) = (9, 2, 3)
    (usage.kept.logEntries, usage.kept.logBytes, usage.kept.evictedEntries) = (4, 5, 6)
    let exposition = try exposition(usage)
    #expect(exposition["liveview_mirror_limit", ["what": "views"]] == 7)
    #expect(exposition["liveview_mirror_limit", ["what": "clients"]] == 9)
    #expect(exposition["liveview_mirror_clients"] == 2)
    #expect(exposition["liveview_mirror_subscriptions"] == 3)
    #expect(exposition["liveview_mirror_log_entries"] == 4)
    #expect(exposition["liveview_mirror_log_bytes"] == 5)
    #expect(exposition["liveview_mirror_evicted_total", ["what": "log_entry"]] == 6)
  }

  @Test func `the metrics are served in Prometheus' text format`() throws {
    let events = EventHub()
    let inspector = Inspector(
      views: LiveViews(options: UpdateOptions(), limits: MirrorLimits(), listener: events), events: events,
      assets: ClosureHandler { _ in .init() }, metrics: metrics)
    let response = try inspector.handle(HTTPRequest(target: "/metrics"))
    #expect(response.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
    #expect(response.bytes.last == UInt8(ascii: "\n"))
  }

  @Test func `all listeners of the log are notified`() throws {
    let other = Metrics(version: "")
    let views = LiveViews(options: UpdateOptions(), limits: MirrorLimits(), listener: LogListeners(metrics, other))
    _ = try views.mount("a", Array(#"{"s":["<p>1</p>"]}"#.utf8), dialect: .html)
    #expect(views.remove("a"))
    for metrics in [metrics, other] {
      let exposition = try Exposition(String(decoding: metrics.text(.init()), as: UTF8.self))
      #expect(exposition["liveview_mirror_mounts_total"] == 1)
      #expect(exposition["liveview_mirror_views_removed_total", ["reason": "deleted"]] == 1)
    }
  }
}
