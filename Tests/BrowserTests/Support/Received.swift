import Foundation

/// A JSON value from the browser, with access by name and index.
struct Received {
  private let value: Any?

  init(_ value: Any?) { self.value = value }

  subscript(name: String) -> Received { Received((value as? [String: Any])?[name]) }
  var string: String? { value as? String }
  var int: Int? { (value as? NSNumber)?.intValue }
  var double: Double? { (value as? NSNumber)?.doubleValue }
  var bool: Bool? { (value as? NSNumber)?.boolValue }
  var array: [Received] { (value as? [Any] ?? []).map { Received($0) } }
  var isMissing: Bool { value == nil }
}
