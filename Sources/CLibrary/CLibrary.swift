/// The C library of the system, under one name. Other modules import it, and never `Darwin` or
/// `Glibc`.
#if canImport(Darwin)
  @_exported public import Darwin
#else
  @_exported public import Glibc
#endif
