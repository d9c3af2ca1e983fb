// The C interface to simdjson, a C++ library: a parser, the function that parses, and the tape of the parsed document.
#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A parser, which owns the buffers of the last document that it parsed.
typedef struct mirror_json_parser mirror_json_parser;

/// A parsed document, in the format of simdjson's doc/tape.md. Each value is one 64-bit word with its kind in the upper eight bits.
/// The word of a string is an offset into `strings`, where its length (four bytes) and its bytes are. Both buffers are valid until
/// the parser parses again.
typedef struct {
  const uint64_t *words;
  const uint8_t *strings;
} mirror_json_tape;

/// Creates a parser that refuses documents nested deeper than `max_depth`. Returns NULL if memory is exhausted.
mirror_json_parser *mirror_json_parser_create(size_t max_depth);
void mirror_json_parser_destroy(mirror_json_parser *parser);

/// Parses `length` bytes of UTF-8. Returns 0 and fills `tape`, or simdjson's error code.
int mirror_json_parse(mirror_json_parser *parser, const uint8_t *bytes, size_t length, mirror_json_tape *tape);

/// The message for an error code, in static storage.
const char *mirror_json_error_message(int code);

#ifdef __cplusplus
}
#endif
#endif
