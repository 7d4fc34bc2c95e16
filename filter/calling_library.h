// Which of the loaded copies of HDF5 is calling. A process may hold several (h5py's own, the
// system's, a viewer's), the plugin is linked to none, and ids of one copy mean nothing to another.
#pragma once

namespace fzm::filter {

// A loaded object, kept open while names are looked up in it; empty where there is none.
class Library {
 public:
  Library() = default;
  // Takes over a handle of dlopen.
  explicit Library(void* handle) : handle_(handle) {}
  Library(Library&& other) noexcept : handle_(other.handle_) { other.handle_ = nullptr; }
  Library& operator=(Library&&) = delete;
  ~Library();

  explicit operator bool() const { return handle_ != nullptr; }
  // Address of a function or variable; null where there is none.
  void* find(const char* name) const;

 private:
  void* handle_ = nullptr;
};

// The object that holds `return_address`, if it exports `name` itself.
Library library_at(const void* return_address, const char* name);

// The only loaded object that exports `name`; empty where there are none or several.
Library only_library_with(const char* name);

}  // namespace fzm::filter
