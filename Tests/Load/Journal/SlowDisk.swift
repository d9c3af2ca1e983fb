import Foundation

/// Requests beside a journal whose disk is slow: a preloaded library delays each write of the
/// program by ``pause``.
struct SlowDisk {
  /// In microseconds. A transaction has about ten writes.
  private static let pause = 20_000

  private static let library = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <unistd.h>
    #define SLOW(name, offset) \\
      ssize_t name(int file, const void *bytes, size_t count, offset place) { \\
        static ssize_t (*write)(int, const void *, size_t, offset); \\
        if (!write) write = dlsym(RTLD_NEXT, #name); \\
        usleep(\(pause)); \\
        return write(file, bytes, count, place); \\
      }
    SLOW(pwrite, off_t)
    SLOW(pwrite64, off64_t)

    """

  let options: LoadOptions
  let folder: TemporaryFolder

  private static let page =
    #"["1","1","lv:a","phx_join",{}]"# + "\n"
    + #"["1","1","lv:a","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","s":["<p>","</p>"]}}}]"#

  /// Eight tabs post frames as fast as they are answered, while others read.
  func measure(_ findings: inout Findings) throws {
    guard let program = try slowProgram() else {
      return findings.note("a slow disk is not measured: neither cc nor clang makes a library")
    }
    let mirror = try MirrorProcess(
      program: program, arguments: options.arguments + ["--journal", "\(folder.path)/slow.sqlite"])
    let port = mirror.port
    let first = Client(port: port)
    try first.expect(first.post("/views/quiet/rendered", CountedPage.rendered))
    let echo = try Echo()
    let end = now() + (options.quick ? 4_000_000_000 : 20_000_000_000)
    let targets = ["/healthz", "/views/quiet", "/pages"]
    let latencies = try concurrently(8 + targets.count) { number in
      let client = Client(port: port, patience: 60)
      var latencies = Latencies()
      if number < targets.count {
        while now() < end {
          let asked = now()
          try client.expect(client.get(targets[number]))
          latencies.add(now() - asked)
          usleep(10_000)
        }
        return latencies
      }
      let target = "/frames?page=t\(number)&first="
      try client.expect(client.post(target + "0", Self.page))
      var frame = 2
      while now() < end {
        let asked = now()
        try client.expect(client.post("\(target)\(frame)", #"["1",null,"lv:a","diff",{"0":"\#(frame)"}]"#))
        latencies.add(now() - asked)
        frame += 1
      }
      return latencies
    }
    let most = 20 + 2 * echo.stop().percentile(0.99)
    for (target, measured) in zip(targets, latencies) {
      findings.note(
        "a slow disk, GET \(target): \(measured.text), at most \(most.hundredths) ms for p99",
        ofLimit: measured.percentile(0.99) / most)
    }
    let posts = latencies.dropFirst(targets.count).reduce(into: Latencies()) { $0.add($1) }
    findings.note("a slow disk, POST /frames: \(posts.text)", holds: posts.percentile(0.5) > 50)
    let began = now()
    mirror.terminate()
    let code = mirror.wait()
    let stopped = Double(now() - began) / 1e9
    findings.note(
      "a slow disk: it ends \(stopped.hundredths) s after SIGTERM, exit code \(code)", holds: code == 0 && stopped < 9)
  }

  /// A script that runs the program with the library; `nil` without a C compiler.
  private func slowProgram() throws -> String? {
    let (source, object, script) = ("\(folder.path)/slow.c", "\(folder.path)/slow.so", "\(folder.path)/slow")
    try Self.library.write(toFile: source, atomically: true, encoding: .utf8)
    for compiler in ["cc", "clang"] {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = [compiler, "-shared", "-fPIC", "-o", object, source, "-ldl"]
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { continue }
      try "#!/bin/sh\nLD_PRELOAD='\(object)' exec '\(options.program)' \"$@\"\n".write(
        toFile: script, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
      return script
    }
    return nil
  }
}
