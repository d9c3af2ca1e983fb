import Benchmarking
import CLibrary

extension BenchmarkReport.Machine {
  /// This machine and this build. ``Run`` and ``Memory`` write it into their reports.
  static var here: Self {
    var names = utsname()
    uname(&names)
    func text(_ field: some Any) -> String {
      withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    let model = File.line(beginning: "model name", of: "/proc/cpuinfo")?.split(separator: ":").last
    var isOptimised = true
    // Assertions are compiled in debug builds only.
    assert({ isOptimised = false }() == ())
    return Self(
      system: "\(text(names.sysname)) \(text(names.machine))",
      processor: model.map { String($0.drop { $0 == " " }) } ?? "unknown processor",
      cores: Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), isOptimised: isOptimised)
  }
}
