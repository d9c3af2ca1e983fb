import Testing

@testable import MirrorSupport

@Suite struct JSONScannerTests {
  private func scan<Result>(_ text: String, _ body: (inout JSONScanner) -> Result) -> Result {
    Array(text.utf8).withUnsafeBufferPointer {
      var scanner = JSONScanner($0)
      return body(&scanner)
    }
  }

  private func text(_ range: Range<Int>, _ scanner: JSONScanner) -> String {
    String(decoding: scanner.bytes[range], as: UTF8.self)
  }

  @Test func `the members of an object`() {
    let members = scan(#" { "a\"}" : [ 1 , "]" ] , "b":{"c":"}"} ,"d":-1.5e3 } 7"#) { scanner in
      var members: [String] = []
      let isObject = scanner.take(UInt8(ascii: "{"))
      while isObject, let name = scanner.name() {
        members.append("\(text(name, scanner)) = \(text(scanner.value(), scanner))")
      }
      return members + [text(scanner.value(), scanner)]
    }
    #expect(members == [#"a\"} = [ 1 , "]" ]"#, #"b = {"c":"}"}"#, "d = -1.5e3", "7"])
  }

  @Test func `the elements of an array`() {
    let elements = scan(#"[ [ ] ,{ }, true,"\\" , [1,[2]]]"#) { scanner in
      var elements: [String] = []
      scanner.take(UInt8(ascii: "["))
      while scanner.hasElement() { elements.append(text(scanner.value(), scanner)) }
      return elements + ["\(scanner.position)"]
    }
    #expect(elements == ["[ ]", "{ }", "true", #""\\""#, "[1,[2]]", "32"])
  }

  @Test func `tokens are the text without white space`() {
    let tokens = scan(#"{ "a b": [1 ,true],"c":"\"" }"#) { scanner in
      var tokens: [String] = []
      while let token = scanner.token() { tokens.append(text(token, scanner)) }
      return tokens
    }
    #expect(tokens == ["{", #""a b""#, ":", "[", "1", ",", "true", "]", ",", #""c""#, ":", #""\"""#, "}"])
  }

  @Test func `a text that is not JSON has no place beyond its end, and loops end`() {
    for text in [#"{"a":"b\"#, "[1,", "[", #"{"a""#, #"{"a" 1"#, "tru", "", #""\"#, "}", "]]", ",", "{]", "[}", "{,}"] {
      for start in 0...text.utf8.count {
        let isInside = Array(text.utf8).withUnsafeBufferPointer { bytes in
          var scanners = [JSONScanner](repeating: JSONScanner(bytes, from: start), count: 4)
          while scanners[0].token() != nil {}
          while scanners[1].next != nil { if scanners[1].value().isEmpty { return false } }
          scanners[2].take(UInt8(ascii: "{"))
          while scanners[2].name() != nil { scanners[2].value() }
          scanners[3].take(UInt8(ascii: "["))
          while scanners[3].hasElement() { scanners[3].value() }
          return scanners.allSatisfy { $0.position <= bytes.count }
        }
        #expect(isInside, "\(text) from \(start)")
      }
    }
  }
}
