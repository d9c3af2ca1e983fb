internal import LiveViewMirror
internal import MirrorAnalysis
internal import MirrorSupport

extension CostTotals {
  /// The body of `GET /views/{view}/totals`.
  func json(of view: ViewState) -> [UInt8] {
    JSONWriter { json in
      json.version(view.version, of: view.id, epoch: view.epoch)
      write(to: &json)
    }.bytes
  }

  /// The body of `GET /pages/{page}/totals`.
  func json(ofPage page: String) -> [UInt8] {
    JSONWriter { json in
      json.member("page", page)
      write(to: &json)
    }.bytes
  }

  private func write(to json: inout JSONWriter) {
    json.member("by", grouping.rawValue)
    if let versions {
      json.member("from", versions.lowerBound)
      json.member("to", versions.upperBound)
    }
    json.member("diffs", diffs)
    json.member("bytes", bytes)
    json.member("wasted_bytes", wastedBytes)
    json.member("evicted_diffs", evictedDiffCount)
    json.member("summary", sentence)
    json.objects("rows", rows) { $1.write(to: &$0) }
    json.member("annotations", hasAnnotations)
  }
}

extension CostTotals.Row {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("key", key)
    if let view { json.member("view", view) }
    json.member("diffs", diffs)
    json.member("bytes", bytes)
    json.member("wasted_bytes", wastedBytes)
    json.member("nodes", nodes)
    if let median = latency(percentile: 50), let p95 = latency(percentile: 95), let most = latencies.last {
      json.object("latency_ms") { json in
        json.member("median", json: Milliseconds.text(median))
        json.member("p95", json: Milliseconds.text(p95))
        json.member("max", json: Milliseconds.text(most))
      }
    } else {
      json.null("latency_ms")
    }
    source.write(to: &json)
  }
}
