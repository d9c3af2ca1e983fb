#pragma once
#include <zlib.h>

/// `deflateInit2` is a macro, which Swift does not see. With 16 added to the bits of the window, what is written is gzip.
static inline int shim_gzip_init(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

/// The way back, for the tests.
static inline int shim_gunzip_init(z_stream *stream) {
  return inflateInit2(stream, 15 + 16);
}
