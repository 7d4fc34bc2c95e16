#include "tools/fzm/files.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace fzm::cli {
namespace {

Status fault(const std::string& path) {
  return Status(Code::io, path + ": " + std::strerror(errno));
}

struct Close {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using File = std::unique_ptr<std::FILE, Close>;

}  // namespace

Result<std::vector<uint8_t>> read_file(const std::string& path) {
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) return fault(path);
  struct stat about {};
  if (fstat(fileno(file.get()), &about) != 0) return fault(path);
  if (S_ISDIR(about.st_mode)) return Status(Code::io, path + ": is a directory");
  std::vector<uint8_t> bytes(static_cast<size_t>(about.st_size));
  const size_t got = std::fread(bytes.data(), 1, bytes.size(), file.get());
  if (std::ferror(file.get())) return fault(path);
  bytes.resize(got);
  return bytes;
}

Status write_file(const std::string& path, ConstBytes bytes) {
  File file(std::fopen(path.c_str(), "wb"));
  if (!file) return fault(path);
  const bool wrote = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
  if (std::fclose(file.release()) != 0 || !wrote) return fault(path);
  return {};
}

}  // namespace fzm::cli
