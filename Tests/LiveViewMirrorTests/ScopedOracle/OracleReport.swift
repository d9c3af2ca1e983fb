extension OracleRun.Fault {
  var report: String {
    "seed \(seed), step \(inputs.count - 1): \(reason)\n" + inputs.joined(separator: "\n")
  }
}
