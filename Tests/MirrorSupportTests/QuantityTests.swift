import Testing

@testable import MirrorSupport

@Suite struct QuantityTests {
  @Test(arguments: [
    ("0", 0), ("4096", 4_096), ("12B", 12), ("4KB", 4_000), ("4 kib", 4_096), ("1.5KB", 1_500), ("16MiB", 16 << 20),
    ("2MB", 2_000_000),
    ("1GiB", 1 << 30), ("1GB", 1_000_000_000),
  ])
  func `sizes are bytes, alone or with a unit`(text: String, bytes: Int) { #expect(Quantity.bytes(text) == bytes) }

  @Test(arguments: [
    "", "KB", "-1", "+1", "1.", ".5", "1..5", "1.5", "4 K B", "4kbit", "1e3", "0x10", "99999999999999999999",
    "9999999GB", "٣",
  ])
  func `other texts are not sizes`(text: String) { #expect(Quantity.bytes(text) == nil) }

  @Test(arguments: [
    ("0s", 0.0), ("500ms", 500), ("500 MS", 500), ("1.5s", 1_500), ("15m", 900_000), ("2h", 7_200_000),
    ("1d", 86_400_000),
  ])
  func `times have a unit`(text: String, milliseconds: Double) {
    #expect(Quantity.time(text) == .milliseconds(milliseconds))
  }

  @Test(arguments: ["", "5", "0", "ms", "-1s", "5 sec", "1m30s", "1.s", "99999d", "never"])
  func `other texts are not times`(text: String) { #expect(Quantity.time(text) == nil) }

  @Test func `what is written is read again`() {
    for bytes in [0, 1, 1_000, 1_024, 16 << 20, 5 << 30, 1_234_567] {
      #expect(Quantity.bytes(Quantity.text(ofBytes: bytes)) == bytes)
    }
    for tenths in [0, 1, 5, 10, 999, 10_000, 15_000, 600_000, 864_000_000, 36_000_001] {
      let time = Duration.microseconds(tenths * 100)
      #expect(Quantity.time(Quantity.text(of: time)) == time)
    }
    #expect(
      [8_000, 90_000, 3_600_000, 12.5].map { Quantity.text(of: .milliseconds($0)) } == ["8s", "90s", "1h", "12.5ms"])
  }
}
