// What HDF5 meets when it looks for the plugin in this process.
#pragma once
#include <string>
#include <vector>

#include "core/fzm.h"

namespace fzm::cli {

struct PluginFile {
  std::string path{};
  std::string fault{};  // why it does not load; empty if it does
  int id = 0;
  std::string name{};
  bool has_encoder = false, has_decoder = false;
};

struct SearchedDirectory {
  std::string path{};
  bool is_there = false;
  std::vector<std::string> dead_links{};  // named like plugins
  std::vector<PluginFile> plugins{};
};

struct PluginSearch {
  std::string hdf5_version;             // "1.10.8"
  std::vector<std::string> hdf5_files;  // every copy in the process
  bool has_environment = false;
  std::string environment;  // HDF5_PLUGIN_PATH
  bool is_loading_on = true;
  std::vector<SearchedDirectory> directories;  // as HDF5 has them, in its order
  std::string round_trip;  // what failed; empty if a dataset in memory came back
};

// Loads every plugin on the path, as HDF5 itself would. Errors: built without HDF5.
Result<PluginSearch> search_plugins();

}  // namespace fzm::cli
