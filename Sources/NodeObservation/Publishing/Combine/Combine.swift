// The publishers of the public API conform to Combine's protocols. Because of this re-export, the
// files of this module, and of modules that import it, need no import of their own for these
// protocols.
#if canImport(Combine)
  @_exported public import Combine
#else
  @_exported public import OpenCombine
#endif
