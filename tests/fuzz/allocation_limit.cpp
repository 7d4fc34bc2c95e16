// The address sanitizer stops at an allocation that no chunk of 1 MiB justifies: a frame must not
// make the decoder take more than a small multiple of what it declares. (libFuzzer:
// -malloc_limit_mb=16.)
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "max_allocation_size_mb=16"; }
