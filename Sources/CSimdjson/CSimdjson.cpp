#include "CSimdjson.h"
extern "C" int mirror_json_placeholder(void) { return 0; }
