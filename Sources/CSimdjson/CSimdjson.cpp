#include "CSimdjson.h"

#include <new>
#include <simdjson.h>

struct mirror_json_parser {
  simdjson::dom::parser parser;
  size_t max_depth;
};

mirror_json_parser *mirror_json_parser_create(size_t max_depth) {
  auto *handle = new (std::nothrow) mirror_json_parser;
  if (handle) handle->max_depth = max_depth;
  return handle;
}

void mirror_json_parser_destroy(mirror_json_parser *parser) { delete parser; }

int mirror_json_parse(mirror_json_parser *handle, const uint8_t *bytes, size_t length, mirror_json_tape *tape) {
  auto &parser = handle->parser;
  // simdjson applies the maximum depth only when it allocates. So allocate here, before `parse` would do so with its default depth.
  if (parser.capacity() < length || parser.max_depth() != handle->max_depth) {
    if (auto error = parser.allocate(length < 4096 ? 4096 : length, handle->max_depth)) return error;
  }
  // The input is copied: simdjson reads some bytes past its end.
  if (auto error = parser.parse(bytes, length, true).error()) return error;
  tape->words = parser.doc.tape.get();
  tape->strings = parser.doc.string_buf.get();
  return simdjson::SUCCESS;
}

const char *mirror_json_error_message(int code) {
  return simdjson::error_message(static_cast<simdjson::error_code>(code));
}
