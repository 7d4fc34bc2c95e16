// What went wrong, with a number that never changes and a sentence for people.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace fzm {

// Families: 1xx the request, 2xx the data, 3xx room, 4xx the machine. Numbers are never reused.
enum class Code : uint16_t {
  ok = 0,
  bad_request = 100,       // a parameter, key or name that is not allowed
  bad_toml = 101,
  bad_words = 102,         // cd_values of the wrong length, version or content
  bad_graph = 103,         // cycle, dangling or mistyped edge
  unsupported_type = 104,
  too_large = 105,
  needs_exact = 106,       // only a lossless pipeline keeps this bound; the encoder takes one
  not_a_frame = 200,
  newer_frame = 201,
  truncated = 202,
  checksum = 203,
  corrupt = 204,
  wrong_size = 205,        // a frame that holds another number of bytes than the caller expects
  no_room = 300,           // the caller's buffer
  no_memory = 301,
  internal = 400,
  io = 401,
  no_device = 402,
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Code code, std::string message) : code_(code), message_(std::move(message)) {}
  bool ok() const { return code_ == Code::ok; }
  Code code() const { return code_; }
  const std::string& message() const { return message_; }
  // The same fault, told from further out: "where: message".
  Status at(const std::string& where) const { return ok() ? *this : Status(code_, where + ": " + message_); }

 private:
  Code code_ = Code::ok;
  std::string message_;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}
  Result(Status status) : content_(std::move(status)) {}
  bool ok() const { return std::holds_alternative<T>(content_); }
  const T& value() const& { return std::get<T>(content_); }
  T& value() & { return std::get<T>(content_); }
  T&& value() && { return std::get<T>(std::move(content_)); }
  const T& operator*() const& { return value(); }
  const T* operator->() const { return &value(); }
  Status status() const { return ok() ? Status() : std::get<Status>(content_); }

 private:
  std::variant<T, Status> content_;
};

}  // namespace fzm

#define FZM_TRY(expression)                                        \
  do {                                                             \
    if (::fzm::Status fzm_status = (expression); !fzm_status.ok()) \
      return fzm_status;                                           \
  } while (0)
