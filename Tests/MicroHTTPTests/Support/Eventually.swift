import CLibrary

/// Polls a condition until it is true, for at most 30 seconds: for changes in the server that it
/// does not signal.
///
/// Sends nothing to the server, since that would wake its threads.
func eventually(_ condition: () -> Bool) -> Bool {
  let deadline = ContinuousClock.now.advanced(by: .seconds(30))
  while !condition() {
    if ContinuousClock.now > deadline { return false }
    usleep(2_000)
  }
  return true
}
