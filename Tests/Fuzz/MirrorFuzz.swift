import Foundation
import FuzzInputs

/// `MirrorFuzz --write-seeds FOLDER` writes the corpus, and `MirrorFuzz --check PATH` runs one
/// input, or all inputs of a folder, once. All other arguments are passed to libFuzzer.
/// `script/fuzz` uses all three.
///
/// The runtime of `-sanitize=fuzzer` provides a `main` for programs without one. SwiftPM renames
/// the entry point of an executable, so this program has its own `main` and calls the driver of the
/// runtime.
@main enum MirrorFuzz {
  static func main() throws {
    let arguments = CommandLine.arguments
    if arguments.count == 3, arguments[1] == "--write-seeds" {
      print("\(try FuzzSeeds.write(to: URL(filePath: arguments[2]))) seeds")
      return
    }
    if arguments.count == 3, arguments[1] == "--check" {
      exit(try check(URL(filePath: arguments[2])) ? 0 : 1)
    }
    var count = CommandLine.argc
    var values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(runFuzzer(&count, &values, testOneInput))
  }

  /// - Parameter url: an input or a folder of inputs.
  /// - Returns: whether every input is handled without a fault.
  private static func check(_ url: URL) throws -> Bool {
    let isFolder = (try url.resourceValues(forKeys: [.isDirectoryKey])).isDirectory == true
    let files = isFolder ? try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil) : [url]
    let faults = try files.compactMap { file in
      try FuzzInput(contentsOf: file).run().fault.map { "\(file.path): \($0)" }
    }
    for fault in faults.sorted() { print("FAULT: \(fault)") }
    return faults.isEmpty
  }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<Int32>,
  _ values: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// Runs one input. A fault ends the process, so that libFuzzer keeps the input.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = UnsafeBufferPointer(start: bytes, count: count)
  let outcome = FuzzInput(input).run()
  if let fault = outcome.fault {
    FileHandle.standardError.write(Data("FAULT: \(fault)\n".utf8))
    abort()
  }
  Heaviest.shared.see(outcome, of: input)
  return 0
}

/// Keeps the input with the largest view, for the memory test of `script/load bodies`.
private final class Heaviest {
  nonisolated(unsafe) static let shared = Heaviest()
  private let file = ProcessInfo.processInfo.environment["MIRROR_FUZZ_HEAVIEST"]
  private var weight = 1 << 16

  func see(_ outcome: FuzzInput.Outcome, of input: UnsafeBufferPointer<UInt8>) {
    guard outcome.weight > weight, let file else { return }
    weight = outcome.weight
    try? Data(input).write(to: URL(filePath: file))
  }
}
