// The publishers of the public API conform to Combine's protocols. Every file of this module, and
// of those that import it, uses them without an import of its own.
#if canImport(Combine)
  @_exported public import Combine
#else
  @_exported public import OpenCombine
#endif
