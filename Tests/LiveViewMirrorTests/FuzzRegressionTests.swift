import Foundation
import FuzzInputs
import Testing

/// Inputs that the fuzzer found, and earlier hostile inputs: see `script/fuzz`.
@Suite struct FuzzRegressionTests {
  @Test(arguments: FuzzInput.regressions)
  func `an input of Tests/Fixtures/fuzz causes no fault`(_ file: URL) throws {
    let outcome = try FuzzInput(contentsOf: file).run()
    #expect(outcome.fault == nil, "\(file.lastPathComponent)")
    #expect(outcome.applied > 0, "\(file.lastPathComponent)")
  }
}
