// Fingerprints of simhash-doc as fast as 128-bit vectors allow, for text that steps 3 and 4 leave as it is: in NFC, without
// ignorable code points and locators. It measures what the WebAssembly kernel could reach.
//
//     c++ -O3 -march=x86-64-v2 fingerprint.cpp -o fingerprint && ./fingerprint ../../../../spec/word-classes.txt FILE…
//
// Prints one line of JSON: the rate for all files in MB/s, the best of some rounds, and their fingerprints.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace {

typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef int8_t signed16 __attribute__((vector_size(16)));
typedef uint32_t lanes4 __attribute__((vector_size(16)));
typedef uint64_t lanes2 __attribute__((vector_size(16)));

template <typename Vector> Vector loadAt(const void *at) {
  Vector v;
  memcpy(&v, at, sizeof v);
  return v;
}

// ---------------------------------------------------------------------------------------------------------- steps 2 and 5

enum : uint8_t { BREAK = 0, WORD = 1, LETTER = 3 };

/** The class of each code point. */
std::vector<uint8_t> classes(0x110000, BREAK);

bool readClasses(const char *path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    unsigned first, last;
    char name[16];
    if (sscanf(line.c_str(), "%x..%x;%15s", &first, &last, name) != 3) continue;
    const uint8_t value = strcmp(name, "letter") == 0 ? LETTER : strcmp(name, "word") == 0 ? WORD : BREAK;
    memset(&classes[first], value, last - first + 1);
  }
  return classes['a'] == LETTER && classes['0'] == WORD;
}

/** The bits of 16 comparisons: the product moves the lowest bit of each of eight bytes to the highest byte. */
uint64_t bitsOf(signed16 mask) {
  const lanes2 halves = (lanes2)mask & 0x0101010101010101ULL;
  return (halves[0] * 0x0102040810204080ULL) >> 56 | ((halves[1] * 0x0102040810204080ULL) >> 56) << 8;
}

bytes16 within(bytes16 v, uint8_t first, uint8_t count) { return (bytes16)((v - first) < count); }

struct Block {
  uint64_t words, letters;
};

/** ASCII among 64 bytes; `high` gets the others. */
Block classifyAscii(const uint8_t *at, uint64_t &high) {
  Block block{0, 0};
  high = 0;
  for (int i = 0; i < 4; i++) {
    const bytes16 v = loadAt<bytes16>(at + 16 * i);
    const bytes16 letters = within(v | 0x20, 'a', 26);
    const bytes16 words = letters | within(v, '0', 10) | (bytes16)(v == '_');
    block.letters |= bitsOf((signed16)letters) << (16 * i);
    block.words |= bitsOf((signed16)words) << (16 * i);
    high |= bitsOf((signed16)v < 0) << (16 * i);
  }
  return block;
}

/** The code point that begins at an address, and its length in bytes, in well-formed UTF-8. */
inline uint32_t decode(const uint8_t *at, unsigned &length) {
  const uint32_t lead = at[0];
  if (lead < 0xe0) {
    length = 2;
    return (lead & 0x1f) << 6 | (at[1] & 0x3f);
  }
  if (lead < 0xf0) {
    length = 3;
    return (lead & 0x0f) << 12 | (at[1] & 0x3f) << 6 | (at[2] & 0x3f);
  }
  length = 4;
  return ((lead & 0x07) << 18 | (at[1] & 0x3f) << 12 | (at[2] & 0x3f) << 6 | (at[3] & 0x3f)) & 0x1fffff;
}

// -------------------------------------------------------------------------------------------------------- steps 7 and 8

inline uint32_t rotate(uint32_t x, int by) { return x << by | x >> (32 - by); }
inline lanes4 rotate(lanes4 x, int by) { return x << by | x >> (32 - by); }

template <typename T> void finalMix(T &a, T &b, T &c) {
  c ^= b, c -= rotate(b, 14);
  a ^= c, a -= rotate(c, 11);
  b ^= a, b -= rotate(a, 25);
  c ^= b, c -= rotate(b, 16);
  a ^= c, a -= rotate(c, 4);
  b ^= a, b -= rotate(a, 14);
  c ^= b, c -= rotate(b, 24);
}

/** Counts how often each of 64 bits is set in up to 2^40 hashes, as bit planes. */
class Counters {
  static constexpr int BLOCK = 32;
  lanes2 planes[40] = {};
  uint64_t waiting[BLOCK];
  int count = 0;

  static lanes2 add(lanes2 &sum, lanes2 x, lanes2 y) {
    const lanes2 half = x ^ y, carry = (x & y) | (half & sum);
    sum ^= half;
    return carry;
  }

  /** Adds 32 hashes, two in each vector: pairs to the plane below, their carries to the next, and so on. */
  void addBlock() {
    lanes2 level[BLOCK / 2];
    memcpy(level, waiting, sizeof level);
    int plane = 0;
    for (int n = BLOCK / 2; n > 1; n /= 2, plane++)
      for (int i = 0; i < n / 2; i++) level[i] = add(planes[plane], level[2 * i], level[2 * i + 1]);
    for (lanes2 carry = level[0]; (carry[0] | carry[1]) != 0; plane++) {
      const lanes2 both = planes[plane] & carry;
      planes[plane] ^= carry;
      carry = both;
    }
    count = 0;
  }

public:
  uint64_t total = 0;

  void take(uint64_t hash) {
    waiting[count++] = hash;
    if (count == BLOCK) addBlock();
  }

  /** SIM-4. */
  uint64_t majority() {
    memset(waiting + count, 0, sizeof(uint64_t) * (BLOCK - count));
    if (count > 0) addBlock();
    uint64_t result = 0;
    for (int bit = 0; bit < 64; bit++) {
      uint64_t sum = 0;
      for (int p = 0; p < 40; p++) sum += ((planes[p][0] >> bit & 1) + (planes[p][1] >> bit & 1)) << p;
      if (2 * sum > total) result |= 1ULL << bit;
    }
    return result;
  }
};

constexpr uint32_t INITIAL = 0xdeadbeef;

/** HSH-3. */
uint64_t joined(uint32_t b, uint32_t c) { return (uint64_t)b << 32 | c; }

class Tokens {
  static constexpr int BATCH = 64;
  uint32_t a[BATCH], b[BATCH], c[BATCH];
  int count = 0;

  void drain() {
    for (int i = 0; i < BATCH; i += 4) {
      lanes4 x = loadAt<lanes4>(a + i), y = loadAt<lanes4>(b + i), z = loadAt<lanes4>(c + i);
      finalMix(x, y, z);
      memcpy(b + i, &y, 16);
      memcpy(c + i, &z, 16);
    }
    for (int i = 0; i < count; i++) counters.take(joined(b[i], c[i]));
    count = 0;
  }

public:
  Counters counters;

  void take(const uint8_t *at, uint32_t size) {
    counters.total++;
    uint32_t x = INITIAL + size, y = x, z = x;
    for (; size > 12; at += 12, size -= 12) {
      x += loadAt<uint32_t>(at), y += loadAt<uint32_t>(at + 4), z += loadAt<uint32_t>(at + 8);
      x -= z, x ^= rotate(z, 4), z += y;
      y -= x, y ^= rotate(x, 6), x += z;
      z -= y, z ^= rotate(y, 8), y += x;
      x -= z, x ^= rotate(z, 16), z += y;
      y -= x, y ^= rotate(x, 19), x += z;
      z -= y, z ^= rotate(y, 4), y += x;
    }
    // The bytes behind the text are readable.
    const uint64_t low = loadAt<uint64_t>(at), high = loadAt<uint32_t>(at + 8);
    const uint64_t first = size >= 8 ? low : low & ~(~0ULL << (8 * size));
    const uint64_t rest = size <= 8 ? 0 : high & ~(~0ULL << (8 * (size - 8)));
    a[count] = x + (uint32_t)first;
    b[count] = y + (uint32_t)(first >> 32);
    c[count] = z + (uint32_t)rest;
    if (++count == BATCH) drain();
  }

  uint64_t fingerprint() {
    drain();
    return counters.majority();
  }
};

/** Goes through the runs of word characters of a text, which has 64 readable zeros after it. */
uint64_t fingerprintOf(const uint8_t *text, size_t size) {
  Tokens tokens;
  uint64_t before = 0; // Bit 0: the last byte of the block before is in a word.
  bool hasLetter = false;
  size_t start = 0;
  Block over{0, 0}; // The bits of a sequence that crosses the end of a block.
  unsigned skip = 0;
  for (size_t base = 0; base <= size; base += 64) {
    uint64_t high;
    Block block = classifyAscii(text + base, high);
    block.words |= over.words;
    block.letters |= over.letters;
    over = {0, 0};
    high &= ~0ULL << skip;
    skip = 0;
    while (high != 0) {
      const int at = __builtin_ctzll(high);
      unsigned length;
      const uint8_t kind = classes[decode(text + base + at, length)];
      const uint64_t run = (1ULL << length) - 1, bits = run << at;
      if (kind != BREAK) block.words |= bits;
      if (kind == LETTER) block.letters |= bits;
      if (at + length > 64) {
        skip = at + length - 64;
        const uint64_t rest = (1ULL << skip) - 1;
        over = {kind != BREAK ? rest : 0, kind == LETTER ? rest : 0};
      }
      high &= ~bits;
    }
    uint64_t edges = block.words ^ (block.words << 1 | before);
    unsigned from = 0;
    while (edges != 0) {
      const unsigned at = __builtin_ctzll(edges);
      edges &= edges - 1;
      if (block.words >> at & 1) {
        start = base + at;
        from = at;
        hasLetter = false;
      } else {
        const uint64_t inside = block.letters & ~(~0ULL << at) & (~0ULL << from);
        if (hasLetter || inside != 0) tokens.take(text + start, base + at - start);
      }
    }
    before = block.words >> 63;
    if (before) hasLetter = (start >= base ? false : hasLetter) || (block.letters & (~0ULL << (start >= base ? from : 0))) != 0;
  }
  return tokens.fingerprint();
}

} // namespace

int main(int count, char **arguments) {
  if (count < 3 || !readClasses(arguments[1])) {
    fprintf(stderr, "usage: %s word-classes.txt FILE…\n", arguments[0]);
    return 2;
  }
  std::vector<std::vector<uint8_t>> texts;
  size_t octets = 0;
  for (int i = 2; i < count; i++) {
    std::ifstream file(arguments[i], std::ios::binary);
    std::vector<uint8_t> text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    octets += text.size();
    text.resize(text.size() + 128);
    texts.push_back(std::move(text));
  }
  std::vector<uint64_t> results(texts.size());
  double best = 1e9;
  const auto begin = std::chrono::steady_clock::now();
  for (int round = 0; round < 100; round++) {
    const auto start = std::chrono::steady_clock::now();
    for (size_t i = 0; i < texts.size(); i++) results[i] = fingerprintOf(texts[i].data(), texts[i].size() - 128);
    const auto end = std::chrono::steady_clock::now();
    best = std::min(best, std::chrono::duration<double>(end - start).count());
    if (end - begin > std::chrono::milliseconds(800)) break;
  }
  printf("{\"rate\":%.1f,\"fingerprints\":[", octets / best / 1e6);
  for (size_t i = 0; i < results.size(); i++) printf("%s\"%016llx\"", i == 0 ? "" : ",", (unsigned long long)results[i]);
  printf("]}\n");
}
