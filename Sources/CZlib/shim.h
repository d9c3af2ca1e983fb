#pragma once
#include <zlib.h>

/// Begins to compress. `deflateInit2` is a macro, which Swift cannot call. 16 added to the window bits selects the gzip format.
static inline int shim_gzip_init(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

/// Begins to decompress gzip, for the tests.
static inline int shim_gunzip_init(z_stream *stream) {
  return inflateInit2(stream, 15 + 16);
}
