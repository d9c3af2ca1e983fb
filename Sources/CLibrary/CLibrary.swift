/// The C library of the system, under one name.
#if canImport(Darwin)
  @_exported public import Darwin
#else
  @_exported public import Glibc
#endif
