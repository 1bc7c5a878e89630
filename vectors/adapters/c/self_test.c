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

static void check_text(const struct shd_tables *tables, const char *text, unsigned variants, const char *expected)
{
    char bare[SHD_BARE_SIZE] = "";
    uint64_t fingerprint;

    if (shd_fingerprint(tables, text, strlen(text), variants, &fingerprint) == SHD_OK)
        shd_write(fingerprint, bare);
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
    struct shd_comparison result;
    uint64_t read;
    unsigned variants;

    check(shd_read("GaQm5kRdOwTu4===", 16, &read) == SHD_OK && read == UINT64_C(0x3020ceaa2375a74e), "SER-3");
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++)
        check(shd_read(REFUSED[i], strlen(REFUSED[i]), &read) == SHD_INVALID_FINGERPRINT, REFUSED[i]);
    check(shd_write_labelled(SHD_BG1 | SHD_CAP8, UINT64_MAX, labelled) == SHD_OK, "SER-7");
    check(strcmp(labelled, "simhash-doc+bg1+cap8:7777777777776") == 0, labelled);
    check(shd_read_labelled("SimHash-Doc+Cap8:A", 18, &variants, &read) == SHD_INVALID_FINGERPRINT, "LAB-2");
    check(shd_read_label("simhash-doc+cap8+bg1", 20, &variants) == SHD_INVALID_LABEL, "LAB-3");
    result = shd_compare(0, 3);
    check(result.distance == 2 && result.similarity == 0.96875 && strcmp(result.verdict, "loose") == 0, "CMP-3");
}

static void check_lookup(void)
{
    static const int PROBES[] = {1, 1, 1, 1, 29, 221, 221, 221, 1847};
    static const struct shd_entry ENTRIES[] = {{"b", 1, 1}, {"ab", 2, 3}, {"a", 1, UINT64_C(1) << 63}, {"c", 1, 15}};
    struct shd_matches matches = {0};
    struct shd_index *index;
    uint64_t permuted, back;

    check(shd_permute(UINT64_C(0x3020ceaa2375a74e), 6, &permuted) == SHD_OK, "TAB-4");
    check(permuted == UINT64_C(0xceaa75a30202374e) && permuted >> 36 == 216704858, "TAB-3");
    check(shd_unpermute(permuted, 6, &back) == SHD_OK && back == UINT64_C(0x3020ceaa2375a74e), "TAB-4, back");
    for (unsigned k = 0; k <= 8; k++) {
        int count = 0;

        shd_probes(back, 6, k, count_probe, &count);
        check(count == PROBES[k], "LKP-2");
    }
    if (shd_index_build(ENTRIES, 4, 0, &index) == SHD_OK) {
        check(shd_index_find(index, 0, 0, 3, &matches) == SHD_OK && matches.n == 3, "LKP-3");
        check(matches.n == 3 && matches.p[0].entry == &ENTRIES[2] && matches.p[2].distance == 2, "LKP-4");
        check(shd_index_find(index, 0, SHD_CAP8, 3, &matches) == SHD_LABEL_MISMATCH, "CMP-5");
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
    check(shd_token_hash(ALPHABET, 12) == UINT64_C(0x75b50ec04012f87b), "HSH-2, 12 octets");
    check(shd_token_hash(ALPHABET, 25) == UINT64_C(0x1fb0330d6c29c5e2), "HSH-2, 25 octets");
    shd_lookup3_start(&s, strlen(FOUR_SCORE), 1, 0);
    shd_lookup3_add(&s, FOUR_SCORE, strlen(FOUR_SCORE));
    check(shd_lookup3_end(&s) == UINT64_C(0x6cbea4b3cd628161), FOUR_SCORE);
    check_text(tables, "a", 0, "LATEPLCY22DQQ");
    check_text(tables, "Съешь ещё этих мягких французских булок", 0, "JEAGMLY4ILCDM");
    check_text(tables, "नमस्ते दुनिया", 0, "25B2GW3SHJUA6");
    check_text(tables, "The quick brown fox jumps over the lazy dog.", 0, "4L3UPEMLCUTGM");
    check_text(tables, "\xEF\xBB\xBF" "Cafe\xCC\x81 No.\xC2\xA0" "5 (see https://example.org/menu) serves soft\xC2\xAD"
               "drinks \xE2\x82 and H2O; caf\xC3\xA9 or Caf\xC3\xA9?\n", 0, "CVQMMBYFKSLCQ");
    check_text(tables, " _1_ http://example.org/", 0, "");
    check_text(tables, "東京タワーへ行く。", SHD_BG1, "LCEC46D2Z5DFA");
    check_text(tables, "น้ำใจ", SHD_BG1, "K34CBILV2Q2WA");
    check_strings();
    check_lookup();
    free(tables);
    printf("%d checks, %d wrong\n", checks, wrong);
    return wrong > 0;
}
