import ArgumentParser
import Glibc

/// A process that only computes: the load with which latencies are compared.
struct Burner: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "burn", shouldDisplay: false)

  func run() {
    // Ends by itself, because its parent may be killed before it can end this process.
    let parent = getppid()
    var number = UInt64(1)
    while true {
      for _ in 0..<10_000_000 { number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 }
      if getppid() != parent || number == 0 { return }
    }
  }
}

/// Some of these processes, until ``stop()``.
struct Burners {
  private var ids: [pid_t] = []

  init(count: Int) throws {
    let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(null) }
    ids = try (0..<count).map { _ in try spawn(["/proc/self/exe", "burn"], output: null) }
  }

  func stop() {
    for id in ids {
      kill(id, SIGKILL)
      var code: Int32 = 0
      waitpid(id, &code, 0)
    }
  }
}
