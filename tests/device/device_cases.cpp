// The device itself: what goes there comes back, sizes are added up, pieces find their places, memory runs out politely.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <random>

#include "tests/device/device_room.h"
#include "tests/device/section.h"

namespace fzm::test {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes noise(uint64_t bytes, std::mt19937& random) {
  Bytes b(bytes);
  for (uint64_t i = 0; i < bytes; i += 8) {
    const uint64_t word = uint64_t{random()} << 32 | random();
    std::memcpy(b.data() + i, &word, std::min<uint64_t>(8, bytes - i));
  }
  return b;
}

// Around the limits of every way that a transfer can take, at any address.
CaseResult transfer(uint64_t number, uint64_t seed, Device* device) {
  std::mt19937 random(mix(seed, number));
  constexpr uint64_t kEdges[] = {1, 100, 64 << 10, 256 << 10, 2 << 20, 4 << 20, 8 << 20, 16 << 20, 40 << 20};
  const uint64_t edge = kEdges[number % std::size(kEdges)], bytes = edge + random() % 3 - (edge > 1 ? 1 : 0);
  const uint64_t up_skew = random() % 64, down_skew = random() % 64;
  const Bytes sent = noise(bytes + up_skew, random);
  Bytes received(bytes + down_skew + 1, 0x77), small(100);
  DeviceRooms rooms(*device);
  uint8_t* const first = rooms.room("first", bytes, static_cast<uint32_t>(random() % 8));
  uint8_t* const second = rooms.room("second", bytes, static_cast<uint32_t>(random() % 8));
  if (rooms.ok()) {
    rooms.check(device->to_device(first, sent.data() + up_skew, bytes), "to the device");
    rooms.check(device->copy(second, first, bytes), "copy");
    rooms.check(device->to_host(small.data(), second, std::min<uint64_t>(100, bytes)), "to the host");
    rooms.check(device->to_host(received.data() + down_skew, second, bytes), "to the host");
  }
  const std::string error = rooms.finish();
  const std::string what = std::to_string(bytes) + " bytes: ";
  if (!error.empty()) return {true, what + error};
  const bool came = std::equal(sent.begin() + static_cast<ptrdiff_t>(up_skew), sent.end(), received.begin() + static_cast<ptrdiff_t>(down_skew));
  if (!came) return {true, what + "other bytes came back"};
  if (received.back() != 0x77) return {true, what + "a byte behind them was written"};
  if (std::memcmp(small.data(), sent.data() + up_skew, std::min<uint64_t>(100, bytes)) != 0) return {true, what + "a short answer differs"};
  return {};
}

// Pieces of random sizes, some empty, in slots; sometimes more of them than there is room for.
CaseResult gather(uint64_t number, uint64_t seed, Device* device) {
  std::mt19937 random(mix(seed, number));
  const uint32_t blocks = 1 + static_cast<uint32_t>(random() % (number % 4 == 0 ? 20000 : 300));
  const uint64_t slot = 16 * (1 + random() % (number % 3 == 0 ? 1200 : 20));
  if (slot * blocks > 64u << 20) return {false, ""};
  const Bytes slots = noise(slot * blocks, random);
  std::vector<uint32_t> size(blocks + 1, 0);
  Bytes want;
  for (uint32_t b = 0; b < blocks; ++b) {
    size[b] = random() % 5 == 0 ? 0 : static_cast<uint32_t>(random() % (slot + 1));
    want.insert(want.end(), slots.begin() + static_cast<ptrdiff_t>(b * slot), slots.begin() + static_cast<ptrdiff_t>(b * slot + size[b]));
  }
  const bool fits = random() % 4 != 0;
  const uint64_t room = fits ? want.size() : want.size() / 2;
  Bytes size_bytes(size.size() * 4), positions, got;
  std::memcpy(size_bytes.data(), size.data(), size_bytes.size());
  DeviceRooms rooms(*device);
  auto* const sizes = reinterpret_cast<uint32_t*>(rooms.room_with("sizes", size_bytes));
  auto* const at = reinterpret_cast<uint64_t*>(rooms.room("positions", 8 * size.size()));
  uint8_t* const from = rooms.room_with("slots", slots);
  uint8_t* const to = rooms.room("section", room, static_cast<uint32_t>(random() % 16));
  if (rooms.ok()) {
    rooms.check(device->scan_sizes(sizes, blocks + 1, at), "scan");
    rooms.check(device->gather_pieces(from, slot, at, blocks, to, room), "gather");
  }
  rooms.fetch(positions, at, 8 * size.size());
  rooms.fetch(got, to, room);
  const std::string error = rooms.finish(), what = std::to_string(blocks) + " pieces in slots of " + std::to_string(slot) + ": ";
  if (!error.empty()) return {true, what + error};
  uint64_t sum = 0;
  for (uint32_t b = 0; b <= blocks; ++b) {
    uint64_t position = 0;
    std::memcpy(&position, positions.data() + 8 * b, 8);
    if (position != sum) return {true, what + "position " + std::to_string(b) + " is " + std::to_string(position) + ", not " + std::to_string(sum)};
    sum += size[b];
  }
  return {true, !fits || got == want ? "" : what + "the section differs"};
}

// More than any device has is refused, and what comes then works.
CaseResult too_much(uint64_t number, uint64_t seed, Device* device) {
  void* const none = device->allocate(uint64_t{1} << 45);
  if (none != nullptr) {
    device->release(none);
    return {true, "32 TiB were granted"};
  }
  return transfer(number, seed, device);
}

}  // namespace

std::vector<Section> device_sections() {
  return {{"device.transfer", transfer, 60}, {"device.gather", gather, 200}, {"device.too_much", too_much, 3}};
}

}  // namespace fzm::test
