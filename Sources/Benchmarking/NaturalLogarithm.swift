internal import CLibrary

/// The natural logarithm of the C library, without Foundation. ``Growth`` uses it.
func naturalLogarithm(_ value: Double) -> Double { log(value) }
