/// Why a run cannot go on.
struct LoadFailure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
