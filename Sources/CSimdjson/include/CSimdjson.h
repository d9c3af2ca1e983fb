// What Swift needs of simdjson (a C++ library): one parser, one call, and the tape that it leaves behind.
#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A parser with the buffers of its last document.
typedef struct mirror_json_parser mirror_json_parser;

/// A parsed document as simdjson's documentation describes it (doc/tape.md): one 64-bit word a value, its kind in
/// the upper eight bits; a string's word holds the place of its length (four bytes) and bytes in `strings`.
/// It lives until the parser's next document.
typedef struct {
  const uint64_t *words;
  const uint8_t *strings;
} mirror_json_tape;

/// A parser that refuses documents nested deeper than `max_depth`; NULL where there is no memory.
mirror_json_parser *mirror_json_parser_create(size_t max_depth);
void mirror_json_parser_destroy(mirror_json_parser *parser);

/// Parses `length` bytes of UTF-8. Returns 0 and fills `tape`, or simdjson's error code.
int mirror_json_parse(mirror_json_parser *parser, const uint8_t *bytes, size_t length, mirror_json_tape *tape);

/// The words for an error code, in static storage.
const char *mirror_json_error_message(int code);

#ifdef __cplusplus
}
#endif
#endif
