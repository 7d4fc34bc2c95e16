/* What libh5zfzm.so exports beside the two names that HDF5 looks for: for languages that open it by themselves (dlopen, ctypes).
   C and C++; needs no HDF5. */
#ifndef H5Z_FZM_PLUGIN_H
#define H5Z_FZM_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define H5Z_FZM_EXPORT __attribute__((visibility("default")))
#else
#define H5Z_FZM_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* An array in memory, in C order. */
typedef struct {
  int32_t type;         /* 0-3 unsigned of 1, 2, 4, 8 bytes; 4-7 signed; 8 float32; 9 float64; 255 opaque items, coded without loss */
  int32_t big_endian;   /* 1 where the values lie in that order */
  uint32_t item_bytes;  /* of an opaque item, or of a value */
  uint32_t rank;        /* 0 to 32 */
  uint64_t extents[32]; /* in items, slowest first */
} H5Z_FZM_array;

/* All return 0, or the number of an error (core/base/status.h) whose sentence H5Z_FZM_last_error() gives. `options` is the line
   of docs/cd_values.md: "preset=fsz, abs=1e-3". */

/* The cd_values for a line of options. *count: room at `words` (20 are always enough), then how many there are. */
H5Z_FZM_EXPORT int H5Z_FZM_words(const char* options, uint32_t* words, size_t* count);
/* cd_values as a sentence, ended by 0 and cut to `room` bytes. */
H5Z_FZM_EXPORT int H5Z_FZM_sentence(const uint32_t* words, size_t count, char* text, size_t room);

/* An array as a frame (docs/format.md), to be given to H5Z_FZM_free. */
H5Z_FZM_EXPORT int H5Z_FZM_encode(const char* options, const H5Z_FZM_array* array, const void* data, void** frame, size_t* bytes);
/* What a frame holds. */
H5Z_FZM_EXPORT int H5Z_FZM_frame_array(const void* frame, size_t bytes, H5Z_FZM_array* array);
/* Writes exactly the array's bytes; data_bytes must be their number. */
H5Z_FZM_EXPORT int H5Z_FZM_decode(const void* frame, size_t bytes, void* data, size_t data_bytes);
H5Z_FZM_EXPORT void H5Z_FZM_free(void* frame);

/* The calling thread's last error, "" where there was none. Valid until its next error. */
H5Z_FZM_EXPORT const char* H5Z_FZM_last_error(void);

#ifdef __cplusplus
}
#endif

#endif
