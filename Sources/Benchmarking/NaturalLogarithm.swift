#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

func naturalLogarithm(_ value: Double) -> Double { log(value) }
