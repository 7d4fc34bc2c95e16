#include <algorithm>
#include <cstring>

#include "tests/device/device_room.h"
#include "tests/device/ports.h"

namespace fzm::test {
namespace {

constexpr uint32_t kOddSkew = 1;  // records and sections of a frame begin anywhere

BlockJob job_of(const CodecJob& job) {
  BlockJob j;
  j.values = job.values();
  j.block_values = job.block;
  j.blocks = job.blocks();
  return j;
}

// Sets how many blocks run at once, and gives them scratch where shared memory does not do.
void take_shape(const CodecJob& job, const DeviceCode& code, DeviceWork work, DeviceRooms& rooms, BlockJob& j) {
  const DeviceShape shape = code.shape(work, job.block, job.c());
  rooms.check(shape.error, "shape");
  if (shape.resident == 0) rooms.fail("no block of the codec fits the device");
  j.resident = std::max(1u, std::min(shape.resident, j.blocks));
  j.scratch_bytes = shape.scratch_bytes;
  if (rooms.ok() && shape.scratch_bytes) j.scratch = rooms.room("scratch", shape.scratch_bytes * j.resident);
}

template <class T>
T* numbers(DeviceRooms& rooms, const char* name, uint64_t n) {
  return reinterpret_cast<T*>(rooms.room(name, n * sizeof(T)));
}

void locate_pieces(const CodecJob& job, const DeviceCode& code, Device& device, DeviceRooms& rooms, BlockJob& j) {
  const bool measures = code.measure != nullptr, is_list = code.find_lists != nullptr;
  if (!measures && !is_list) return;
  for (uint32_t k = 0; k < kMaxPieces; ++k) {
    if (!is_list && !job.has_piece(k)) continue;
    j.at[k] = numbers<uint64_t>(rooms, "positions", j.blocks + 1);
    if (measures) j.size[k] = numbers<uint32_t>(rooms, "sizes", j.blocks + 1);
  }
  if (!rooms.ok()) return;
  if (is_list) {
    rooms.check(code.find_lists(j, device.stream()), "find_lists");
    return;
  }
  rooms.check(code.measure(j, job.c(), device.stream()), "measure");
  for (uint32_t k = 0; k < kMaxPieces; ++k)
    if (j.size[k]) rooms.check(device.scan_sizes(j.size[k], j.blocks + 1, j.at[k]), "scan");
  for (uint32_t k = 0; k < kMaxPieces; ++k) j.size[k] = nullptr;
}

}  // namespace

Ports encode_on_device(const CodecJob& job, Device& device, std::string& error) {
  Ports p;
  DeviceRooms rooms(device);
  const DeviceCode& code = device.codes(job.stage->folder)[job.variant];
  BlockJob j = job_of(job);
  j.in = rooms.room_with("input", *job.in);
  j.out = job.has_array() ? rooms.room("array", job.array_bytes()) : nullptr;
  j.records = rooms.room("records", job.record_bytes(job.values()), kOddSkew);
  take_shape(job, code, DeviceWork::encode, rooms, j);
  for (uint32_t k = 0; k < kMaxPieces; ++k) {
    if (!job.has_piece(k)) continue;
    j.slot_bytes[k] = (job.max_piece_bytes(k, job.block) + 15) / 16 * 16;
    j.piece[k] = rooms.room("slots", j.slot_bytes[k] * j.blocks);
    j.size[k] = numbers<uint32_t>(rooms, "sizes", j.blocks + 1);
  }
  if (rooms.ok()) rooms.check(code.encode(j, job.c(), device.stream()), "encode");
  uint8_t* section[kMaxPieces] = {};
  Bytes positions[kMaxPieces];
  for (uint32_t k = 0; k < kMaxPieces && rooms.ok(); ++k) {
    if (!job.has_piece(k)) continue;
    const uint64_t room = j.slot_bytes[k] * j.blocks;
    auto* const at = numbers<uint64_t>(rooms, "positions", j.blocks + 1);
    section[k] = rooms.room("section", room, kOddSkew);
    if (!rooms.ok()) break;
    rooms.check(device.scan_sizes(j.size[k], j.blocks + 1, at), "scan");
    rooms.check(device.gather_pieces(j.piece[k], j.slot_bytes[k], at, j.blocks, section[k], room), "gather");
    rooms.fetch(positions[k], at + j.blocks, 8);
    rooms.fetch(p.piece[k], section[k], room);
  }
  if (job.has_array()) rooms.fetch(p.array, j.out, job.array_bytes());
  rooms.fetch(p.records, j.records, job.record_bytes(job.values()));
  error = rooms.finish();
  for (uint32_t k = 0; k < kMaxPieces && error.empty(); ++k) {
    if (!job.has_piece(k)) continue;
    uint64_t bytes = 0;
    std::memcpy(&bytes, positions[k].data(), 8);
    if (bytes > p.piece[k].size()) error = "piece " + std::to_string(k) + " of " + std::to_string(bytes) + " bytes is longer than its worst case";
    else p.piece[k].resize(bytes);
  }
  return p;
}

Rebuilt decode_on_device(const CodecJob& job, const Ports& p, Device& device, std::string& error) {
  Rebuilt r;
  DeviceRooms rooms(device);
  const DeviceCode& code = device.codes(job.stage->folder)[job.variant];
  BlockJob j = job_of(job);
  j.in = job.has_array() ? rooms.room_with("array", p.array) : nullptr;
  auto* const out = rooms.room("output", job.input_bytes());
  j.out = out;
  j.records = rooms.room_with("records", p.records, kOddSkew);
  j.fault = numbers<uint32_t>(rooms, "fault", 1);
  for (uint32_t k = 0; k < kMaxPieces; ++k) {
    if (!job.has_piece(k)) continue;
    j.piece[k] = rooms.room_with("section", p.piece[k], kOddSkew);
    j.section_bytes[k] = p.piece[k].size();
  }
  if (rooms.ok()) {
    rooms.clear(out, job.input_bytes());
    rooms.clear(j.fault, 4);
    locate_pieces(job, code, device, rooms, j);
  }
  if (code.decode_pass != nullptr) {
    j.values = job.inputs;
    const uint32_t passes = job.code->decode_passes(job.c());
    for (uint32_t pass = 0; pass < passes && rooms.ok(); ++pass) {
      j.blocks = job.code->decode_blocks(pass, job.c());
      take_shape(job, code, DeviceWork::decode_pass, rooms, j);
      if (rooms.ok()) rooms.check(code.decode_pass(pass, j, job.c(), device.stream()), "decode_pass");
    }
  } else {
    take_shape(job, code, DeviceWork::decode, rooms, j);
    if (rooms.ok()) rooms.check(code.decode(j, job.c(), device.stream()), "decode");
  }
  Bytes fault;
  rooms.fetch(fault, j.fault, 4);
  rooms.fetch(r.array, out, job.input_bytes());
  error = rooms.finish();
  if (error.empty()) std::memcpy(&r.fault, fault.data(), 4);
  return r;
}

Object observe_on_device(const CodecJob& job, Device& device, std::string& error) {
  Object partial(job.code->partial_bytes, job.code->start_partial);
  DeviceRooms rooms(device);
  const DeviceCode& code = device.codes(job.stage->folder)[job.variant];
  BlockJob j = job_of(job);
  j.in = rooms.room_with("input", *job.in);
  take_shape(job, code, DeviceWork::observe, rooms, j);
  auto* const partials = rooms.room("partials", uint64_t{job.code->partial_bytes} * j.resident);
  if (rooms.ok()) rooms.check(code.observe(j, job.c(), partials, device.stream()), "observe");
  Bytes first;
  rooms.fetch(first, partials, job.code->partial_bytes);
  error = rooms.finish();
  if (error.empty()) std::memcpy(partial.data(), first.data(), first.size());
  return partial;
}

}  // namespace fzm::test
