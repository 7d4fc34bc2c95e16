#include "filter/calling_library.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fzm::filter {

namespace {

struct LoadedObject {
  std::string name;  // "" is the main program
  uintptr_t begin = UINTPTR_MAX, end = 0;

  bool holds(const void* address) const {
    const auto at = reinterpret_cast<uintptr_t>(address);
    return begin <= at && at < end;
  }
};

LoadedObject object_of(const dl_phdr_info& info) {
  LoadedObject object;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const uintptr_t begin = info.dlpi_addr + segment.p_vaddr;
    object.begin = std::min(object.begin, begin);
    object.end = std::max(object.end, begin + segment.p_memsz);
  }
  return object;
}

// Until `visit` answers true. Walking the segments takes a microsecond; dladdr searches the symbols
// too and takes fifty.
template <class Visit>
void visit_objects(Visit visit) {
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* f) { return int{(*static_cast<Visit*>(f))(*info)}; },
      &visit);
}

std::optional<LoadedObject> object_at(const void* address) {
  std::optional<LoadedObject> found;
  visit_objects([&](const dl_phdr_info& info) {
    LoadedObject object = object_of(info);
    if (!object.holds(address)) return false;
    object.name = info.dlpi_name;
    found = std::move(object);
    return true;
  });
  return found;
}

std::vector<LoadedObject> all_objects() {
  std::vector<LoadedObject> objects;
  visit_objects([&](const dl_phdr_info& info) {
    objects.push_back(object_of(info));
    objects.back().name = info.dlpi_name;
    return false;
  });
  return objects;
}

// Empty where the object itself has no such name: dlsym also looks into the libraries that it
// needs.
Library open_if_it_exports(const LoadedObject& object, const char* name) {
  Library library(
      dlopen(object.name.empty() ? nullptr : object.name.c_str(), RTLD_LAZY | RTLD_NOLOAD));
  if (!library || !object.holds(library.find(name))) return {};
  return library;
}

}  // namespace

Library::~Library() {
  if (handle_) dlclose(handle_);
}

void* Library::find(const char* name) const { return dlsym(handle_, name); }

Library library_at(const void* return_address, const char* name) {
  const auto caller = object_at(return_address);
  return caller ? open_if_it_exports(*caller, name) : Library();
}

Library only_library_with(const char* name) {
  const LoadedObject* owner = nullptr;
  const auto objects = all_objects();
  for (const LoadedObject& object : objects) {
    if (!open_if_it_exports(object, name)) continue;
    if (owner) return {};
    owner = &object;
  }
  return owner ? open_if_it_exports(*owner, name) : Library();
}

}  // namespace fzm::filter
