/* SPDX-License-Identifier: MIT */
/*
 * simhash-doc and minhash-doc 1.0.0-rc.1 in C11: similarity fingerprints for documents, written from spec/ alone. Steps 1 to
 * 5 and 7 to 11 of spec/simhash-doc.md, the variant bg1 of spec/simhash-doc.md, and spec/minhash-doc.md. It needs the C
 * library and utf8proc with data of Unicode 12.0 or later (-lutf8proc). Comments cite the rules that a declaration
 * implements (TOK-2).
 *
 *     struct shd_tables *tables;          // from the octets of spec/word-classes.txt and spec/bigrams/bg1.txt
 *     uint64_t fingerprint[SHD_MAX_WORDS];
 *     char text[SHD_LABELLED_SIZE];
 *
 *     if (shd_load(classes, classes_size, bigrams, bigrams_size, &tables) != SHD_OK)
 *         return 1;
 *     if (shd_fingerprint(tables, document, document_size, SHD_MINHASH, fingerprint) == SHD_OK &&
 *         shd_write_labelled(SHD_MINHASH, fingerprint, text) == SHD_OK)
 *         puts(text);                     // minhash-doc:EZEFOEQ2U2YJ6
 *     free(tables);
 *
 * There is no global state: every function may be called from several threads, as long as no two of them write to the
 * same object. Time is linear in the length of a document. The only limit on lengths is memory. All names begin with
 * shd_ or SHD_.
 */
#ifndef SIMHASH_DOC_H
#define SIMHASH_DOC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SHD_VERSION "0.1.0"
#define SHD_DEFAULT_K 3      /* CMP-7: the distance to filter by where none is given */
#define SHD_TABLES 16        /* lookup tables of a word */
#define SHD_MAX_WORDS 4      /* words of 64 bits in the longest fingerprint */
#define SHD_BARE_SIZE 53     /* the longest bare form, with the terminating zero */
#define SHD_HEX_SIZE 65      /* the longest hexadecimal form, with the terminating zero */
#define SHD_LABELLED_SIZE 69 /* the longest labelled form, with the terminating zero */

/* How a call ends: the errors of the specification, and two of this implementation. */
enum shd_status {
    SHD_OK,
    SHD_WRONG_TYPE,
    SHD_OUT_OF_RANGE,
    SHD_INVALID_FINGERPRINT,
    SHD_INVALID_LABEL,
    SHD_LABEL_MISMATCH,
    SHD_NO_FINGERPRINT,
    SHD_NO_MEMORY,
    SHD_WRONG_DATA /* the octets given to shd_load() are not those of the specification */
};

/* The error code of the specification, such as "out-of-range"; "no-memory" and "wrong-data" for the last two. */
const char *shd_code(enum shd_status status);

/* The labels: simhash-doc, simhash-doc+bg1, minhash-doc and minhash-doc-256. */
enum shd_label { SHD_SIMHASH, SHD_SIMHASH_BG1, SHD_MINHASH, SHD_MINHASH_256 };

/*
 * A fingerprint is an array of shd_words(label) words of 64 bits, the most significant first: four for SHD_MINHASH_256,
 * one for the other labels. For those, a pointer to a single uint64_t serves everywhere.
 */
unsigned shd_words(enum shd_label label);

/* ---- Tables: 1.1 MB that is only read after loading ---- */

struct shd_tables;

/*
 * CLS-1, BIG-1: makes the tables from the octets of spec/word-classes.txt and spec/bigrams/bg1.txt. Both are frozen and
 * compared by checksum: SHD_WRONG_DATA if one differs, or if the data of utf8proc is older than Unicode 12.0. Can also
 * return SHD_NO_MEMORY. The octets are not needed afterwards. free() the tables at the end.
 */
enum shd_status shd_load(const char *classes, size_t classes_size, const char *bigrams, size_t bigrams_size,
                         struct shd_tables **tables);

/* ---- Documents ---- */

/*
 * Steps 1 to 8: the fingerprint of a document in UTF-8, ill-formed sequences included. SHD_NO_FINGERPRINT if it has no
 * tokens (SIM-1, MIN-6), SHD_INVALID_LABEL for an unknown label, or SHD_NO_MEMORY; *fingerprint is unchanged then.
 */
enum shd_status shd_fingerprint(const struct shd_tables *tables, const void *utf8, size_t size, enum shd_label label,
                                uint64_t *fingerprint);

/* ---- Steps 1 to 8 one by one. Lists start as {0}; a step replaces their content; free() their `p` at the end. ---- */

/* A text: `n` octets of well-formed UTF-8 at `p`. */
struct shd_text {
    unsigned char *p;
    size_t n, room;
};

/* Tokens: each is the octets of a text from the position `start` up to, and without, `end` (TOK-5). */
struct shd_span {
    size_t start, end;
};
struct shd_tokens {
    struct shd_span *p;
    size_t n, room;
};

/* DEC-1, DEC-2, DEC-3: decodes UTF-8. SHD_NO_MEMORY is the only error, here and in the other steps on texts. */
enum shd_status shd_decode(const void *utf8, size_t size, struct shd_text *out);

/* DEC-4: decodes `n` 16-bit units (UTF-16). */
enum shd_status shd_decode_units(const uint16_t *units, size_t n, struct shd_text *out);

/* DEC-2: decodes one code point, or one ill-formed sequence to U+FFFD. n >= 1. Returns the number of octets read. */
size_t shd_decode_one(const unsigned char *octets, size_t n, uint32_t *point);

/* Writes the UTF-8 form of a scalar value. Returns the number of octets. */
size_t shd_encode_one(uint32_t point, unsigned char octets[4]);

/* CLS-1: the class of a code point, such as "letter"; NULL (out of range) above 10FFFF. */
const char *shd_class(const struct shd_tables *tables, uint32_t point);

/* NRM-1 to NRM-4 */
enum shd_status shd_normalise(const struct shd_tables *tables, const struct shd_text *in, struct shd_text *out);

/* LOC-1 to LOC-14 */
enum shd_status shd_strip_locators(const struct shd_text *in, struct shd_text *out);

/* TOK-1 to TOK-4; under all labels but SHD_SIMHASH also BIG-1 to BIG-4. */
enum shd_status shd_tokenise(const struct shd_tables *tables, const struct shd_text *in, enum shd_label label,
                             struct shd_tokens *out);

/* HSH-1, HSH-2: the hash of the octets of a token. */
uint64_t shd_token_hash(const void *octets, size_t n);

/* HSH-3: lookup3 of octets that come in parts. `n` is the number of all octets. The result is b * 2^32 + c. */
struct shd_lookup3 {
    uint32_t a, b, c;
    unsigned char block[12];
    unsigned have;
};
void shd_lookup3_start(struct shd_lookup3 *state, uint64_t n, uint32_t pc, uint32_t pb);
void shd_lookup3_add(struct shd_lookup3 *state, const void *octets, size_t n);
uint64_t shd_lookup3_end(struct shd_lookup3 *state);

/*
 * SIM-1 to SIM-5: the fingerprint of `n` token hashes, and the 64 counters (counter 0 first). SHD_NO_FINGERPRINT for
 * n = 0; the counters are 0 then.
 */
enum shd_status shd_simhash(const uint64_t *hashes, size_t n, int64_t counters[64], uint64_t *fingerprint);

/* ---- MinHash, in the place of step 8 ---- */

/* MIN-2: S(x, n). SHD_OUT_OF_RANGE unless n is 0 to 511. */
enum shd_status shd_draw(uint64_t x, unsigned n, uint64_t *draw);

/*
 * MIN-1, MIN-3 to MIN-7: the fingerprint of token hashes that come one by one, in any order and with repetitions. The
 * state is all the memory that it needs. shd_minhash_start() returns SHD_INVALID_LABEL unless the label is SHD_MINHASH
 * or SHD_MINHASH_256. shd_minhash_end() returns SHD_NO_FINGERPRINT if there was no hash; more may be added after it.
 */
struct shd_minhash {
    unsigned words;
    unsigned last[SHD_MAX_WORDS];            /* the latest round of the winners of a word */
    unsigned char round[SHD_MAX_WORDS][64];  /* of the winner of each bin; 128 if there is none */
    uint64_t draw[SHD_MAX_WORDS][64];        /* the winner itself */
};
enum shd_status shd_minhash_start(struct shd_minhash *state, enum shd_label label);
void shd_minhash_add(struct shd_minhash *state, uint64_t hash);
enum shd_status shd_minhash_end(const struct shd_minhash *state, uint64_t *fingerprint);

/* MIN-8: the SHD_MINHASH fingerprint of a document with this SHD_MINHASH_256 fingerprint. */
uint64_t shd_truncate(const uint64_t fingerprint[SHD_MAX_WORDS]);

/* ---- Step 9. Readers take `n` characters (octets), not terminated. ---- */

/* SER-1, SER-6, MIN-9: the bare form, and the hexadecimal form. */
void shd_write(enum shd_label label, const uint64_t *fingerprint, char out[SHD_BARE_SIZE]);
void shd_write_hex(enum shd_label label, const uint64_t *fingerprint, char out[SHD_HEX_SIZE]);

/* SER-2 to SER-5, SER-6, MIN-9: SHD_INVALID_FINGERPRINT for any other string. */
enum shd_status shd_read(const char *s, size_t n, enum shd_label label, uint64_t *fingerprint);
enum shd_status shd_read_hex(const char *s, size_t n, enum shd_label label, uint64_t *fingerprint);

/* SIM-3, MIN-7: the 8 or 32 octets of a fingerprint, in network byte order. */
void shd_write_octets(enum shd_label label, const uint64_t *fingerprint, unsigned char *out);

/* The same in reverse. SHD_OUT_OF_RANGE unless their number is that of the label. */
enum shd_status shd_read_octets(const unsigned char *octets, size_t n, enum shd_label label, uint64_t *fingerprint);

/* LAB-1 to LAB-3: reads a label. SHD_INVALID_LABEL unless it is registered. */
enum shd_status shd_read_label(const char *s, size_t n, enum shd_label *label);

/* The name of a label, or NULL if it is none of the four. */
const char *shd_label_name(enum shd_label label);

/* SER-8, LAB-4: SHD_INVALID_LABEL, then SHD_INVALID_FINGERPRINT. */
enum shd_status shd_read_labelled(const char *s, size_t n, enum shd_label *label, uint64_t *fingerprint);
enum shd_status shd_write_labelled(enum shd_label label, const uint64_t *fingerprint, char out[SHD_LABELLED_SIZE]);

/* ---- Step 10 ---- */

struct shd_comparison {
    unsigned distance;   /* CMP-3, MIN-10: 0 to 64, or to 256 */
    double similarity;   /* CMP-4, MIN-10: exactly 1 - distance/64, or 1 - distance/256 */
    const char *verdict; /* CMP-6, CMP-5, MIN-10: "close", "loose" or "none" */
};

/* Compares two fingerprints of one label. */
struct shd_comparison shd_compare(enum shd_label label, const uint64_t *x, const uint64_t *y);

/*
 * CMP-2, CMP-1: compares two labelled fingerprints. NULL stands for a document without a fingerprint. The errors are
 * those of shd_read_labelled() or SHD_NO_FINGERPRINT for x, then for y, then SHD_LABEL_MISMATCH.
 */
enum shd_status shd_compare_labelled(const char *x, size_t x_size, const char *y, size_t y_size,
                                     struct shd_comparison *out);

/* ---- Step 11 ---- */

/*
 * TAB-4: the permuted fingerprint (of 256 bits, that of a word), and its inverse. The key (TAB-3) is *permuted >> 36.
 * SHD_OUT_OF_RANGE unless the table is 0 to 15.
 */
enum shd_status shd_permute(uint64_t fingerprint, unsigned table, uint64_t *permuted);
enum shd_status shd_unpermute(uint64_t permuted, unsigned table, uint64_t *fingerprint);

/*
 * LKP-5: calls `each` with every probe of a table, in ascending order: up to 2^28. SHD_OUT_OF_RANGE unless the table is
 * 0 to 15 and k is 0 to 64.
 */
enum shd_status shd_probes(uint64_t fingerprint, unsigned table, unsigned k, void (*each)(void *context, uint32_t key),
                           void *context);

/* A document: its identifier in UTF-8, of `size` octets, and its fingerprint. */
struct shd_entry {
    const char *id;
    size_t size;
    uint64_t fingerprint[SHD_MAX_WORDS]; /* the words of the label; others are not read */
};

struct shd_index;

/*
 * TAB-5: builds an index of fingerprints of one label. Of entries with the same identifier the last one counts. The
 * index refers to the entries, which have to stay as they are as long as it is used; free() it at the end.
 * SHD_WRONG_TYPE if an identifier is ill-formed, SHD_OUT_OF_RANGE if it is empty, SHD_INVALID_LABEL, SHD_NO_MEMORY.
 */
enum shd_status shd_index_build(const struct shd_entry *entries, size_t n, enum shd_label label,
                                struct shd_index **index);

struct shd_match {
    const struct shd_entry *entry;
    unsigned distance;
};

struct shd_matches {
    struct shd_match *p;
    size_t n, room;
};

/*
 * LKP-2 to LKP-6, MIN-11: all entries within distance k, 0 to 64, in the order of LKP-3; of 256 bits, those with at
 * least one word within k of the same word. SHD_OUT_OF_RANGE for another k, then SHD_LABEL_MISMATCH if the label is not
 * that of the index, or SHD_NO_MEMORY.
 */
enum shd_status shd_index_find(const struct shd_index *index, const uint64_t *fingerprint, enum shd_label label,
                               unsigned k, struct shd_matches *out);

#ifdef __cplusplus
}
#endif

#endif
