#ifndef CSIMDJSON_H
#define CSIMDJSON_H
int mirror_json_placeholder(void);
#endif
