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

  /// In the scoped update, the item once lacked what the client's patch leaves of it.
  @Test func `a stream that is reset and shows items that it does not insert`() {
    let components =
      #""1":{"0":"i1","1":"a","r":1,"s":["<div id=\"","\"><b>","</b></div>"]},"2":{"0":"i2","1":"b","r":1,"s":["<div id=\"","\"><b>","</b></div>"]}"#
    let mount =
      #"{"0":{"d":[[1],[2]],"s":["",""],"stream":["0",[["i1",-1,null],["i2",-1,null]],[]]},"1":"1","c":{\#(components)},"#
      + #""s":["<div id=\"cs\" phx-update=\"stream\">","</div><i>","</i>"]}"#
    let session = mount + "\n" + #"{"0":{"d":[[2],[1]],"stream":["0",[],[],true]}}"#
    let outcome = FuzzInput(Array(session.utf8)).run()
    #expect(outcome.fault == nil && outcome.applied > 0)
  }
}
