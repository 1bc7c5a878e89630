// All pairs and queries among 64-bit fingerprints at k = 3, as fast as the vectors of the processor allow. Two fingerprints
// within three bits have one of four 16-bit blocks in common: a table for each block holds its fingerprints in buckets, with 32
// other bits of each as a filter.
//
//     c++ -O3 -march=native lookup.cpp -o lookup && ./lookup FINGERPRINTS QUERIES
//
// The files hold 64-bit numbers in the byte order of the processor. Prints one line of JSON: the seconds to build the tables,
// for all queries one after the other and for all pairs, each the median of three, and how many were found.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <vector>

namespace {

constexpr int TABLES = 4;
constexpr uint32_t BUCKETS = 1 << 16;
constexpr uint32_t LANES = 16;

/** 16 filters: one register with AVX-512, two with AVX2, four with vectors of 128 bits. */
typedef uint32_t lanes __attribute__((vector_size(4 * LANES)));

lanes loadAt(const uint32_t *at) {
  lanes v;
  memcpy(&v, at, sizeof v);
  return v;
}

typedef std::vector<uint64_t> Fingerprints;

struct Table {
  std::vector<uint32_t> starts, filters, positions;
};

uint32_t blockOf(uint64_t fingerprint, int table) { return fingerprint >> (48 - 16 * table) & 0xffff; }

uint64_t rotate(uint64_t x, int by) { return x << by | x >> ((64 - by) & 63); }

/** Two blocks that are not that of the table: the third and fourth, the fourth and first, or the first and second. */
uint32_t filterOf(uint64_t fingerprint, int table) {
  constexpr int ROTATIONS[TABLES] = {0, 16, 32, 32};
  return (uint32_t)rotate(fingerprint, ROTATIONS[table]);
}

/** Sorts the fingerprints into the buckets of a table by one byte of the block, then by the other. */
Table build(const Fingerprints &all, int table) {
  const uint32_t size = all.size();
  std::vector<uint32_t> coarse(257);
  for (uint64_t x : all) coarse[(blockOf(x, table) >> 8) + 1]++;
  for (int i = 0; i < 256; i++) coarse[i + 1] += coarse[i];
  std::vector<uint32_t> order(size), next(coarse);
  for (uint32_t i = 0; i < size; i++) order[next[blockOf(all[i], table) >> 8]++] = i;

  // A vector of filters is read from any place.
  Table result{std::vector<uint32_t>(BUCKETS + 1), std::vector<uint32_t>(size + LANES), std::vector<uint32_t>(size)};
  for (uint32_t part = 0; part < 256; part++) {
    const uint32_t from = coarse[part], end = coarse[part + 1];
    uint32_t fine[257] = {};
    for (uint32_t i = from; i < end; i++) fine[(blockOf(all[order[i]], table) & 0xff) + 1]++;
    for (int i = 0; i < 256; i++) fine[i + 1] += fine[i];
    for (int i = 0; i < 256; i++) result.starts[part << 8 | i] = from + fine[i];
    for (uint32_t i = from; i < end; i++) {
      const uint64_t x = all[order[i]];
      const uint32_t place = from + fine[blockOf(x, table) & 0xff]++;
      result.filters[place] = filterOf(x, table);
      result.positions[place] = order[i];
    }
  }
  result.starts[BUCKETS] = size;
  return result;
}

/** The places from `from` to `end`, in vectors, whose filters are within three bits of one. */
template <typename Action> void scan(const Table &table, uint32_t from, uint32_t end, uint32_t filter, Action action) {
  for (uint32_t i = from; i < end; i += LANES) {
    lanes y = loadAt(&table.filters[i]) ^ filter;
    // Three bits are taken away from each.
    for (int bit = 0; bit < 3; bit++) y &= y - 1;
    const lanes near = (lanes)(y == 0);
    uint64_t any[LANES / 2], sum = 0;
    memcpy(any, &near, sizeof near);
    for (uint64_t pair : any) sum |= pair;
    if (sum == 0) continue;
    for (uint32_t lane = 0; lane < LANES && i + lane < end; lane++)
      if (near[lane] != 0) action(i + lane);
  }
}

/** Tests whether the first table that brings two fingerprints together is this one. */
bool isFirst(uint64_t difference, int table) {
  for (int t = 0; t < table; t++)
    if (blockOf(difference, t) == 0) return false;
  return true;
}

uint64_t countPairs(const Fingerprints &all, const Table tables[]) {
  uint64_t count = 0;
  for (int t = 0; t < TABLES; t++) {
    const Table &table = tables[t];
    for (uint32_t b = 0; b < BUCKETS; b++)
      for (uint32_t i = table.starts[b], end = table.starts[b + 1]; i < end; i++)
        scan(table, i + 1, end, table.filters[i], [&](uint32_t j) {
          const uint64_t difference = all[table.positions[i]] ^ all[table.positions[j]];
          count += __builtin_popcountll(difference) <= 3 && isFirst(difference, t);
        });
  }
  return count;
}

uint64_t countMatches(const Fingerprints &all, const Table tables[], uint64_t query) {
  // The buckets are far apart in memory: their reads overlap.
  for (int t = 0; t < TABLES; t++) {
    const uint32_t from = tables[t].starts[blockOf(query, t)];
    __builtin_prefetch(&tables[t].filters[from]);
    __builtin_prefetch(&tables[t].filters[from + LANES]);
  }
  uint64_t count = 0;
  for (int t = 0; t < TABLES; t++) {
    const uint32_t b = blockOf(query, t);
    scan(tables[t], tables[t].starts[b], tables[t].starts[b + 1], filterOf(query, t), [&](uint32_t i) {
      const uint64_t difference = all[tables[t].positions[i]] ^ query;
      count += __builtin_popcountll(difference) <= 3 && isFirst(difference, t);
    });
  }
  return count;
}

Fingerprints readAll(const char *path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return {};
  Fingerprints all(file.tellg() / sizeof(uint64_t));
  file.seekg(0).read((char *)all.data(), all.size() * sizeof(uint64_t));
  return all;
}

/** The median time of three runs, in seconds. */
template <typename Run> double median(Run run) {
  double times[3];
  for (double &time : times) {
    const auto start = std::chrono::steady_clock::now();
    run();
    time = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  std::sort(times, times + 3);
  return times[1];
}

} // namespace

int main(int count, char **arguments) {
  const Fingerprints all = count == 3 ? readAll(arguments[1]) : Fingerprints{};
  const Fingerprints queries = count == 3 ? readAll(arguments[2]) : Fingerprints{};
  if (all.empty()) {
    fprintf(stderr, "usage: %s FINGERPRINTS QUERIES\n", arguments[0]);
    return 2;
  }
  Table tables[TABLES];
  uint64_t found = 0, pairs = 0;
  const double built = median([&] {
    for (int t = 0; t < TABLES; t++) tables[t] = build(all, t);
  });
  const double queried = median([&] {
    found = 0;
    for (uint64_t query : queries) found += countMatches(all, tables, query);
  });
  const double paired = median([&] { pairs = countPairs(all, tables); });
  printf("{\"build\":%.4f,\"query\":%.4f,\"found\":%llu,\"pair\":%.4f,\"pairs\":%llu}\n", built, queried,
         (unsigned long long)found, paired, (unsigned long long)pairs);
}
