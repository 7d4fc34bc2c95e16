#include "tools/fzm/plugin_search.h"

#ifdef FZM_HAS_HDF5

#include <H5PLextern.h>
#include <dirent.h>
#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "filter/id.h"
#include "tools/fzm/hdf5_handle.h"

namespace fzm::cli {
namespace {

bool exists(const std::string& path) {
  struct stat about {};
  return stat(path.c_str(), &about) == 0;
}

// HDF5's own pattern: lib*.so*
bool is_plugin_name(const std::string& name) {
  return name.rfind("lib", 0) == 0 && name.find(".so") != std::string::npos;
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  DIR* const dir = opendir(folder.c_str());
  if (dir == nullptr) return names;
  while (const dirent* entry = readdir(dir)) names.emplace_back(entry->d_name);
  closedir(dir);
  std::sort(names.begin(), names.end());
  return names;
}

// Left loaded: unloading runs destructors of libraries we do not know.
PluginFile look_at_plugin(const std::string& path) {
  PluginFile p{.path = path};
  void* const library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const why = dlerror();
    p.fault = why != nullptr ? why : "no reason given";
    return p;
  }
  const auto type = reinterpret_cast<H5PL_type_t (*)()>(dlsym(library, "H5PLget_plugin_type"));
  const auto info = reinterpret_cast<const void* (*)()>(dlsym(library, "H5PLget_plugin_info"));
  if (type == nullptr || info == nullptr) {
    p.fault = "is no HDF5 plugin: H5PLget_plugin_type or H5PLget_plugin_info is missing";
  } else if (type() != H5PL_TYPE_FILTER) {
    p.fault = "is a plugin, but no filter";
  } else {
    const auto* const filter = static_cast<const H5Z_class2_t*>(info());
    p.id = filter->id;
    p.name = filter->name != nullptr ? filter->name : "";
    p.has_encoder = filter->encoder_present != 0;
    p.has_decoder = filter->decoder_present != 0;
  }
  return p;
}

SearchedDirectory look_at_directory(const std::string& path) {
  SearchedDirectory d{.path = path, .is_there = exists(path)};
  for (const std::string& name : names_in(path)) {
    if (!is_plugin_name(name)) continue;
    const std::string file = path + "/" + name;
    if (exists(file))
      d.plugins.push_back(look_at_plugin(file));
    else
      d.dead_links.push_back(file);
  }
  return d;
}

// H5PLappend of later releases aside, this is the table HDF5 made of HDF5_PLUGIN_PATH or its
// default.
std::vector<std::string> plugin_path() {
  std::vector<std::string> paths;
  unsigned count = 0;
  if (H5PLsize(&count) < 0) return paths;
  for (unsigned i = 0; i < count; ++i) {
    char path[4096] = {};
    if (H5PLget(i, path, sizeof path) > 0) paths.emplace_back(path);
  }
  return paths;
}

// Every loaded object that has an H5open of its own.
std::vector<std::string> hdf5_copies() {
  std::vector<std::string> files;
  dl_iterate_phdr(
      [](dl_phdr_info* object, size_t, void* to) {
        auto& found = *static_cast<std::vector<std::string>*>(to);
        void* const library =
            dlopen(object->dlpi_name[0] ? object->dlpi_name : nullptr, RTLD_LAZY | RTLD_NOLOAD);
        void* const symbol = library != nullptr ? dlsym(library, "H5open") : nullptr;
        Dl_info where{};
        if (symbol != nullptr && dladdr(symbol, &where) != 0 && where.dli_fname != nullptr)
          if (std::find(found.begin(), found.end(), where.dli_fname) == found.end())
            found.emplace_back(where.dli_fname);
        if (library != nullptr) dlclose(library);
        return 0;
      },
      &files);
  return files;
}

Handle file_in_memory() {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access.get(), 1 << 16, 0);
  return {H5Fcreate("fzm-doctor.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose};
}

// Preset 1 (fsz) with an absolute bound of 1/8: the short form of cd_values.
constexpr unsigned kWords[] = {1, 1, 0, 0x3FC00000};
constexpr double kBound = 0.125;
constexpr hsize_t kValues = 4096;

std::string failed(const char* step) { return std::string(step) + ": " + hdf5_message(); }

std::string try_round_trip() {
  std::vector<float> values(kValues), back(kValues);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(100 * std::sin(static_cast<double>(i) / 100));
  const Handle file = file_in_memory();
  const Handle plist(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(plist.get(), 1, &kValues);
  if (H5Pset_filter(plist.get(), H5Z_FILTER_FZM, H5Z_FLAG_MANDATORY, 4, kWords) < 0)
    return failed("H5Pset_filter");
  const Handle space(H5Screate_simple(1, &kValues, nullptr), H5Sclose);
  const Handle dataset(H5Dcreate2(file.get(), "x", H5T_IEEE_F32LE, space.get(), H5P_DEFAULT,
                                  plist.get(), H5P_DEFAULT),
                       H5Dclose);
  if (!dataset.is_open()) return failed("H5Dcreate");
  if (H5Dwrite(dataset.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    return failed("H5Dwrite");
  if (H5Fflush(file.get(), H5F_SCOPE_LOCAL) < 0) return failed("H5Fflush");
  if (H5Dread(dataset.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back.data()) < 0)
    return failed("H5Dread");
  for (size_t i = 0; i < values.size(); ++i)
    if (!(std::fabs(double{values[i]} - double{back[i]}) <= kBound))
      return "value " + std::to_string(i) + " came back over the bound";
  if (H5Dget_storage_size(dataset.get()) >= kValues * sizeof(float))
    return "the dataset was stored without compression";
  return "";
}

std::string library_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release);
}

}  // namespace

Result<PluginSearch> search_plugins() {
  quiet_hdf5();
  PluginSearch s;
  const char* const environment = std::getenv("HDF5_PLUGIN_PATH");
  s.has_environment = environment != nullptr;
  s.environment = environment != nullptr ? environment : "";
  s.hdf5_version = library_version();
  unsigned mask = 0;
  s.is_loading_on = H5PLget_loading_state(&mask) < 0 || (mask & H5PL_FILTER_PLUGIN) != 0;
  for (const std::string& path : plugin_path()) s.directories.push_back(look_at_directory(path));
  s.round_trip = try_round_trip();
  s.hdf5_files = hdf5_copies();
  return s;
}

}  // namespace fzm::cli

#else

namespace fzm::cli {
Result<PluginSearch> search_plugins() {
  return Status(Code::io, "this fzm was built without HDF5");
}
}  // namespace fzm::cli

#endif
