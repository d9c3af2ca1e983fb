internal import ArgumentParser
internal import CLibrary
internal import CommandSupport
internal import MirrorChecks
internal import MirrorSupport

/// Reads the file with the steps of a scenario, and writes the file with the recording.
/// ``AttachCommand`` calls both functions.
enum ScenarioFile {
  /// Reads the steps of a file.
  ///
  /// - Throws: the exit code, after a message for each problem.
  static func read(_ name: String) throws(ExitCode) -> [ScenarioStep] {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try SystemFile.bytes(of: name) } catch {
      Console.note("cannot read \(name): \(error)")
      throw .noInput
    }
    do throws(YAMLProblems) {
      return try ScenarioReader.read(bytes, name: name) { getenv($0).map { String(cString: $0) } }
    } catch {
      error.lines.forEach(Console.note)
      throw .badInput
    }
  }

  /// Writes a recording.
  ///
  /// - Throws: the exit code, after a message.
  static func write(_ recording: [UInt8], to name: String) throws(ExitCode) {
    let stream = name == "-" ? fdopen(dup(STDOUT_FILENO), "w") : fopen(name, "w")
    let count = stream.map { fwrite(recording, 1, recording.count, $0) } ?? -1
    let isClosed = stream.map { fclose($0) == 0 } ?? false
    guard count == recording.count, isClosed else {
      Console.note("cannot write \(name): \(SystemError.last)")
      throw .cannotWrite
    }
  }
}
