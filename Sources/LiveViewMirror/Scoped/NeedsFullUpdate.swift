/// The reason why a scoped update cannot apply a diff. A full update then applies it.
struct NeedsFullUpdate: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
