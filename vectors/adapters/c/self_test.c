/* SPDX-License-Identifier: MIT */
/* Checks values that the specification publishes. Run it in the root of the repository. */
#include "simhash_doc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checks, wrong;

static void check(int is_right, const char *what)
{
    checks++;
    if (!is_right) {
        wrong++;
        printf("wrong: %s\n", what);
    }
}

static void check_text(const struct shd_tables *tables, const char *text, enum shd_label label, const char *expected)
{
    char bare[SHD_BARE_SIZE] = "";
    uint64_t fingerprint[SHD_MAX_WORDS];

    if (shd_fingerprint(tables, text, strlen(text), label, fingerprint) == SHD_OK)
        shd_write(label, fingerprint, bare);
    check(strcmp(bare, expected) == 0, text);
}

static void count_probe(void *context, uint32_t key)
{
    (void)key;
    ++*(int *)context;
}

static void check_strings(void)
{
    static const char *const REFUSED[] = {"GAQM5KRDOWTU5", "GAQM5KRDOWTU4=", "0AQM5KRDOWTU4", "GAQM5KRDOWTU4\n", ""};
    char labelled[SHD_LABELLED_SIZE];
    const uint64_t all = UINT64_MAX, zero = 0, three = 3;
    struct shd_comparison result;
    uint64_t read;
    enum shd_label label;

    check(shd_read("GaQm5kRdOwTu4===", 16, SHD_MINHASH, &read) == SHD_OK && read == UINT64_C(0x3020ceaa2375a74e), "SER-2");
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++)
        check(shd_read(REFUSED[i], strlen(REFUSED[i]), SHD_SIMHASH, &read) == SHD_INVALID_FINGERPRINT, REFUSED[i]);
    check(shd_write_labelled(SHD_SIMHASH_BG1, &all, labelled) == SHD_OK, "SER-7");
    check(strcmp(labelled, "simhash-doc+bg1:7777777777776") == 0, labelled);
    check(shd_read_labelled("SimHash-Doc+Bg1:A", 17, &label, &read) == SHD_INVALID_FINGERPRINT, "LAB-2");
    check(shd_read_label("minhash-doc+bg1", 15, &label) == SHD_INVALID_LABEL, "LAB-3");
    result = shd_compare(SHD_SIMHASH, &zero, &three);
    check(result.distance == 2 && result.similarity == 0.96875 && strcmp(result.verdict, "loose") == 0, "CMP-6");
}

#define FOX "The quick brown fox jumps over the lazy dog."
#define LONG_FOX "EZEFOEQ2U2YJ7LG5UOZXYXVBMH7YDKPKR26BDSUOE5VLGHBGL6WQ"

/* The winning draw of bin i by the first wording of the definition: round by round, over all elements. */
static uint64_t find_winner(const uint64_t *elements, size_t n, unsigned word, unsigned i)
{
    uint64_t least = 0, y = 0;
    int found = 0;

    for (unsigned r = 0; r <= 64 && !found; r++) {
        for (size_t e = 0; e < n; e++) {
            shd_draw(elements[e], 128 * word + (r < 64 ? r : 64 + i), &y);
            if ((r == 64 || y >> 58 == i) && (!found || y < least)) {
                least = y;
                found = 1;
            }
        }
    }
    return least;
}

static void check_draws(void)
{
    static const size_t COUNTS[] = {1, 2, 5, 300, 2000};
    uint64_t elements[2000], first = 0, second = 0, fingerprint[SHD_MAX_WORDS];
    struct shd_minhash state;

    check(shd_draw(1234567, 0, &first) == SHD_OK && first == UINT64_C(6457827717110365317), "MIN-2, first");
    check(shd_draw(1234567, 1, &second) == SHD_OK && second == UINT64_C(3203168211198807973), "MIN-2, second");
    check(shd_draw(1, 512, &first) == SHD_OUT_OF_RANGE, "MIN-2, range");
    check(shd_minhash_start(&state, SHD_SIMHASH_BG1) == SHD_INVALID_LABEL, "MIN-7, label");
    for (size_t i = 0; i < 2000; i++)
        shd_draw(i / 512, (unsigned)(i % 512), &elements[i]);
    for (size_t c = 0; c < sizeof COUNTS / sizeof *COUNTS; c++) {
        int right = shd_minhash_start(&state, SHD_MINHASH_256) == SHD_OK;

        right = right && shd_minhash_end(&state, fingerprint) == SHD_NO_FINGERPRINT;
        for (size_t i = 0; i < COUNTS[c]; i++)
            shd_minhash_add(&state, elements[i]);
        shd_minhash_add(&state, elements[0]);
        right = right && shd_minhash_end(&state, fingerprint) == SHD_OK;
        for (unsigned i = 0; i < 256; i++) {
            uint64_t winner = find_winner(elements, COUNTS[c], i / 64, i % 64);

            right = right && state.draw[i / 64][i % 64] == winner;
            right = right && (fingerprint[i / 64] >> (63 - i % 64) & 1) == (winner & 1);
        }
        check(right, "MIN-3 to MIN-7");
    }
}

static void check_long(const struct shd_tables *tables)
{
    static const char *const REFUSED[] = {
        LONG_FOX "=", LONG_FOX "===", LONG_FOX "=====", "EZEFOEQ2U2YJ6", "",
        "EZEFOEQ2U2YJ7LG5UOZXYXVBMH7YDKPKR26BDSUOE5VLGHBGL6WR", "EZEFOEQ2U2YJ7LG5UOZXYXVBMH7YDKPKR26BDSUOE5VLGHBGL6WY",
    };
    uint64_t fox[SHD_MAX_WORDS], other[SHD_MAX_WORDS], word = 0;
    unsigned char octets[32];
    char hex[SHD_HEX_SIZE], labelled[SHD_LABELLED_SIZE];
    enum shd_label label;
    struct shd_comparison result;

    check(shd_fingerprint(tables, FOX, strlen(FOX), SHD_MINHASH_256, fox) == SHD_OK, FOX);
    check(shd_write_labelled(SHD_MINHASH_256, fox, labelled) == SHD_OK, "SER-7");
    check(strcmp(labelled, "minhash-doc-256:" LONG_FOX) == 0, labelled);
    check(shd_read_labelled(labelled, strlen(labelled), &label, other) == SHD_OK && label == SHD_MINHASH_256, "LAB-1");
    check(memcmp(fox, other, sizeof fox) == 0, "MIN-9");
    check(shd_read(LONG_FOX "====", 56, SHD_MINHASH_256, other) == SHD_OK && other[3] == fox[3], "MIN-9, padding");
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++)
        check(shd_read(REFUSED[i], strlen(REFUSED[i]), SHD_MINHASH_256, other) == SHD_INVALID_FINGERPRINT, REFUSED[i]);
    shd_write_hex(SHD_MINHASH_256, fox, hex);
    check(strlen(hex) == 64 && shd_read_hex(hex, 64, SHD_MINHASH_256, other) == SHD_OK, "SER-6");
    check(memcmp(fox, other, sizeof fox) == 0, "SER-6, back");
    shd_write_octets(SHD_MINHASH_256, fox, octets);
    memset(other, 0, sizeof other);
    check(shd_read_octets(octets, 32, SHD_MINHASH_256, other) == SHD_OK, "32 octets");
    check(memcmp(fox, other, sizeof fox) == 0, "MIN-7");
    check(shd_read_octets(octets, 8, SHD_MINHASH, &word) == SHD_OK && word == shd_truncate(fox), "MIN-8");
    check(shd_read_octets(octets, 31, SHD_MINHASH_256, other) == SHD_OUT_OF_RANGE, "31 octets");
    for (unsigned d = 0; d < 256; d++) {
        const char *verdict = d <= 5 ? "close" : d <= 25 ? "loose" : "none";

        result = shd_compare(SHD_MINHASH_256, fox, other);
        check(result.distance == d && result.similarity == 1 - d / 256.0, "MIN-10");
        check(strcmp(result.verdict, verdict) == 0, "MIN-10, verdict");
        other[d / 64] ^= UINT64_C(1) << d % 64;
    }
}

static void check_long_lookup(void)
{
    static const struct shd_entry ENTRIES[] = {
        {"far", 3, {0, UINT64_MAX, UINT64_MAX, UINT64_MAX}}, {"third", 5, {15, 15, 7, 15}},
        {"none", 4, {15, 15, 15, 15}}, {"near", 4, {1, 1, 1, 1}}, {"same", 4, {15, 0, 0, 0}},
    };
    static const unsigned EXPECTED[] = {3, 4, 1, 0}, DISTANCES[] = {4, 4, 15, 192};
    const uint64_t query[SHD_MAX_WORDS] = {0};
    struct shd_matches matches = {0};
    struct shd_index *index;

    if (shd_index_build(ENTRIES, 5, SHD_MINHASH_256, &index) == SHD_OK) {
        check(shd_index_find(index, query, SHD_MINHASH_256, 3, &matches) == SHD_OK && matches.n == 4, "MIN-11");
        for (size_t i = 0; i < 4 && matches.n == 4; i++) {
            check(matches.p[i].entry == &ENTRIES[EXPECTED[i]], "MIN-11, order");
            check(matches.p[i].distance == DISTANCES[i], "MIN-11, distance");
        }
        check(shd_index_find(index, query, SHD_MINHASH_256, 64, &matches) == SHD_OK && matches.n == 5, "MIN-11, all");
        check(shd_index_find(index, query, SHD_MINHASH, 3, &matches) == SHD_LABEL_MISMATCH, "CMP-2");
        free(matches.p);
        free(index);
    }
}

static void check_lookup(void)
{
    static const int PROBES[] = {1, 1, 1, 1, 29, 221, 221, 221, 1847};
    static const struct shd_entry ENTRIES[] = {
        {"b", 1, {1}}, {"ab", 2, {3}}, {"a", 1, {UINT64_C(1) << 63}}, {"c", 1, {15}},
    };
    const uint64_t query = 0;
    struct shd_matches matches = {0};
    struct shd_index *index;
    uint64_t permuted, back;

    check(shd_permute(UINT64_C(0x3020ceaa2375a74e), 6, &permuted) == SHD_OK, "TAB-4");
    check(permuted == UINT64_C(0xceaa75a30202374e) && permuted >> 36 == 216704858, "TAB-3");
    check(shd_unpermute(permuted, 6, &back) == SHD_OK && back == UINT64_C(0x3020ceaa2375a74e), "TAB-4, back");
    for (unsigned k = 0; k <= 8; k++) {
        int count = 0;

        shd_probes(back, 6, k, count_probe, &count);
        check(count == PROBES[k], "LKP-5");
    }
    if (shd_index_build(ENTRIES, 4, SHD_SIMHASH, &index) == SHD_OK) {
        check(shd_index_find(index, &query, SHD_SIMHASH, 3, &matches) == SHD_OK && matches.n == 3, "LKP-2");
        check(matches.n == 3 && matches.p[0].entry == &ENTRIES[2] && matches.p[2].distance == 2, "LKP-3");
        check(shd_index_find(index, &query, SHD_MINHASH, 3, &matches) == SHD_LABEL_MISMATCH, "CMP-2");
        free(matches.p);
        free(index);
    }
}

static size_t read_file(const char *path, char *to, size_t room)
{
    FILE *file = fopen(path, "rb");
    size_t size = file != NULL ? fread(to, 1, room, file) : 0;

    if (file != NULL)
        fclose(file);
    return size;
}

int main(void)
{
    static const char FOUR_SCORE[] = "Four score and seven years ago", ALPHABET[] = "abcdefghijklmnopqrstuvwxy";
    static char classes[1 << 16], bigrams[1 << 16];
    size_t classes_size = read_file("spec/word-classes.txt", classes, sizeof classes);
    size_t bigrams_size = read_file("spec/bigrams/bg1.txt", bigrams, sizeof bigrams);
    struct shd_tables *tables;
    struct shd_lookup3 s;

    if (shd_load(classes, classes_size, bigrams, bigrams_size, &tables) != SHD_OK) {
        puts("run it in the root of the repository");
        return 1;
    }
    check(shd_token_hash("", 0) == UINT64_C(0xdeadbeefdeadbeef), "HSH-1");
    check(shd_token_hash(ALPHABET, 12) == UINT64_C(0x75b50ec04012f87b), "HSH-3, 12 octets");
    check(shd_token_hash(ALPHABET, 25) == UINT64_C(0x1fb0330d6c29c5e2), "HSH-3, 25 octets");
    shd_lookup3_start(&s, strlen(FOUR_SCORE), 1, 0);
    shd_lookup3_add(&s, FOUR_SCORE, strlen(FOUR_SCORE));
    check(shd_lookup3_end(&s) == UINT64_C(0x6cbea4b3cd628161), FOUR_SCORE);
    check_text(tables, "a", SHD_SIMHASH, "LATEPLCY22DQQ");
    check_text(tables, "Съешь ещё этих мягких французских булок", SHD_SIMHASH, "JEAGMLY4ILCDM");
    check_text(tables, "नमस्ते दुनिया", SHD_SIMHASH, "25B2GW3SHJUA6");
    check_text(tables, FOX, SHD_SIMHASH, "4L3UPEMLCUTGM");
    check_text(tables, "\xEF\xBB\xBF" "Cafe\xCC\x81 No.\xC2\xA0" "5 (see https://example.org/menu) serves soft\xC2\xAD"
               "drinks \xE2\x82 and H2O; caf\xC3\xA9 or Caf\xC3\xA9?\n", SHD_SIMHASH, "CVQMMBYFKSLCQ");
    check_text(tables, " _1_ http://example.org/", SHD_SIMHASH, "");
    check_text(tables, "東京タワーへ行く。", SHD_SIMHASH_BG1, "LCEC46D2Z5DFA");
    check_text(tables, "น้ำใจ", SHD_SIMHASH_BG1, "K34CBILV2Q2WA");
    check_text(tables, FOX, SHD_MINHASH, "EZEFOEQ2U2YJ6");
    check_text(tables, FOX, SHD_MINHASH_256, LONG_FOX);
    check_text(tables, "a", SHD_MINHASH, "GEIVFIXBGPOBK");
    check_text(tables, "東京タワーへ行く。", SHD_MINHASH, "6LZYUFY5IMGIW");
    check_text(tables, "hello world", SHD_MINHASH, "DBH7LFUXLLC6E");
    check_text(tables, "123", SHD_MINHASH, "");
    check_draws();
    check_long(tables);
    check_long_lookup();
    check_strings();
    check_lookup();
    free(tables);
    printf("%d checks, %d wrong\n", checks, wrong);
    return wrong > 0;
}
