// HDF5 identifiers that close themselves, and what the library says when something fails.
#pragma once
#include <hdf5.h>

#include <string>
#include <utility>

namespace fzm::cli {

class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& o) noexcept : id_(std::exchange(o.id_, -1)), close_(o.close_) {}
  Handle& operator=(Handle&& o) noexcept {
    std::swap(id_, o.id_);
    std::swap(close_, o.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  hid_t get() const { return id_; }
  bool is_open() const { return id_ >= 0; }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

// HDF5 prints nothing of its own from here on: errors are told once, by us.
inline void quiet_hdf5() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

// The innermost message of the error stack, which says most.
inline std::string hdf5_message() {
  std::string text;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned, const H5E_error2_t* e, void* to) {
        auto& found = *static_cast<std::string*>(to);
        if (found.empty() && e->desc != nullptr) found = e->desc;
        return herr_t{0};
      },
      &text);
  return text.empty() ? "HDF5 gave no reason" : text;
}

}  // namespace fzm::cli
