/// The reason why a run cannot continue.
struct LoadFailure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
