internal import CLibrary

func naturalLogarithm(_ value: Double) -> Double { log(value) }
