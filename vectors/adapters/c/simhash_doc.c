/* SPDX-License-Identifier: MIT */
/* simhash-doc and minhash-doc 1.0.0-rc.1: see simhash_doc.h. */
#include "simhash_doc.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Makes room for `more` elements behind the `n` of a list. Returns `p` as it was if there is no memory. */
static void *grow(void *p, size_t n, size_t more, size_t *room, size_t size)
{
    size_t want = more > n ? n + more : 2 * n;
    void *grown = n < SIZE_MAX / 2 / size && more < SIZE_MAX / 2 / size ? realloc(p, want * size) : NULL;

    if (grown == NULL)
        return p;
    *room = want;
    return grown;
}

#define HAS_ROOM(list, more) ((list)->room - (list)->n >= (more))

/* Makes room in a list that has `p`, `n` and `room`; false if there is no memory. */
#define RESERVE(list, more) \
    (HAS_ROOM(list, more) || \
     ((list)->p = grow((list)->p, (list)->n, (more), &(list)->room, sizeof *(list)->p), HAS_ROOM(list, more)))

const char *shd_code(enum shd_status status)
{
    static const char *const CODES[] = {
        "ok",             "wrong-type",     "out-of-range", "invalid-fingerprint", "invalid-label",
        "label-mismatch", "no-fingerprint", "no-memory",    "wrong-data",
    };

    return CODES[status];
}

/* ---- Step 1: Decode ---- */

size_t shd_decode_one(const unsigned char *o, size_t n, uint32_t *point)
{
    /* The table of DEC-2: range of the first octet, length, range of the second octet, bits of the first octet. */
    static const struct {
        unsigned char first, last, length, low, high, bits;
    } ROWS[] = {
        {0x00, 0x7F, 1, 0x00, 0x00, 0x7F}, {0xC2, 0xDF, 2, 0x80, 0xBF, 0x1F}, {0xE0, 0xE0, 3, 0xA0, 0xBF, 0x0F},
        {0xE1, 0xEC, 3, 0x80, 0xBF, 0x0F}, {0xED, 0xED, 3, 0x80, 0x9F, 0x0F}, {0xEE, 0xEF, 3, 0x80, 0xBF, 0x0F},
        {0xF0, 0xF0, 4, 0x90, 0xBF, 0x07}, {0xF1, 0xF3, 4, 0x80, 0xBF, 0x07}, {0xF4, 0xF4, 4, 0x80, 0x8F, 0x07},
    };
    size_t row = 0, read = 1;
    uint32_t value;

    *point = 0xFFFD;
    while (row < COUNT_OF(ROWS) && (o[0] < ROWS[row].first || o[0] > ROWS[row].last))
        row++;
    if (row == COUNT_OF(ROWS))
        return 1;
    value = (uint32_t)(o[0] & ROWS[row].bits);
    for (; read < ROWS[row].length; read++) {
        unsigned char low = read == 1 ? ROWS[row].low : 0x80, high = read == 1 ? ROWS[row].high : 0xBF;

        if (read == n || o[read] < low || o[read] > high)
            return read;
        value = value << 6 | (uint32_t)(o[read] & 0x3F);
    }
    *point = value;
    return read;
}

size_t shd_encode_one(uint32_t point, unsigned char octets[4])
{
    static const unsigned char FIRST[] = {0, 0, 0xC0, 0xE0, 0xF0};
    size_t n = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;

    for (size_t i = n - 1; i > 0; i--, point >>= 6)
        octets[i] = (unsigned char)(0x80 | (point & 0x3F));
    octets[0] = (unsigned char)(FIRST[n] | point);
    return n;
}

static bool append(struct shd_text *text, uint32_t point)
{
    if (!RESERVE(text, 4))
        return false;
    text->n += shd_encode_one(point, text->p + text->n);
    return true;
}

enum shd_status shd_decode(const void *utf8, size_t size, struct shd_text *out)
{
    const unsigned char *octets = utf8;
    size_t i = size >= 3 && memcmp(octets, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* DEC-1 */
    uint32_t point;

    for (out->n = 0; i < size;) {
        i += shd_decode_one(octets + i, size - i, &point);
        if (!append(out, point))
            return SHD_NO_MEMORY;
    }
    return SHD_OK;
}

enum shd_status shd_decode_units(const uint16_t *units, size_t n, struct shd_text *out)
{
    out->n = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t point = units[i];

        if (point >= 0xD800 && point <= 0xDBFF && i + 1 < n && units[i + 1] >= 0xDC00 && units[i + 1] <= 0xDFFF)
            point = 0x10000 + (point - 0xD800) * 0x400 + (units[++i] - 0xDC00u);
        else if (point >= 0xD800 && point <= 0xDFFF)
            point = 0xFFFD;
        if (!append(out, point))
            return SHD_NO_MEMORY;
    }
    return SHD_OK;
}

/* ---- Step 2: Classify ---- */

/* The properties of a code point: its class, in an order that lets classes be compared, and the bits of BIG-1. */
enum { C_LETTER, C_WORD, C_BREAK, C_IGNORABLE, C_UNASSIGNED, CLASS = 7, JOINED = 8, MARK = 16 };

struct shd_tables {
    unsigned char properties[0x110000];
};

/* A file of ranges: the token hash of its octets, the initials of its kinds, and the property of each kind. */
struct ranges {
    uint64_t checksum;
    const char *initials;
    unsigned char kinds[5];
};

/* CLS-1, BIG-1: reads a file of ranges. That it is well-formed follows from its checksum. */
static bool read_ranges(const struct ranges *ranges, const char *s, size_t size, struct shd_tables *tables)
{
    char *end;

    if (shd_token_hash(s, size) != ranges->checksum)
        return false;
    for (const char *line = s; line < s + size; line = strchr(line, '\n') + 1) {
        if (*line != '#') {
            unsigned long first = strtoul(line, &end, 16), last = strtoul(end + 2, &end, 16);

            for (unsigned long point = first; point <= last; point++)
                tables->properties[point] |= ranges->kinds[strchr(ranges->initials, end[1]) - ranges->initials];
        }
    }
    return true;
}

enum shd_status shd_load(const char *classes, size_t classes_size, const char *bigrams, size_t bigrams_size,
                         struct shd_tables **tables)
{
    static const struct ranges WORD_CLASSES = {
        UINT64_C(0x30fd81e6f5a59e6c), "lwbiu", {C_LETTER, C_WORD, C_BREAK, C_IGNORABLE, C_UNASSIGNED},
    };
    static const struct ranges BIGRAMS = {UINT64_C(0xe54d6070497246b4), "jm", {JOINED, MARK}};
    struct shd_tables *loaded = calloc(1, sizeof *loaded);

    if (loaded == NULL)
        return SHD_NO_MEMORY;
    if (strtoul(utf8proc_unicode_version(), NULL, 10) < 12 ||
        !read_ranges(&WORD_CLASSES, classes, classes_size, loaded) ||
        !read_ranges(&BIGRAMS, bigrams, bigrams_size, loaded)) {
        free(loaded);
        return SHD_WRONG_DATA;
    }
    *tables = loaded;
    return SHD_OK;
}

const char *shd_class(const struct shd_tables *tables, uint32_t point)
{
    static const char *const NAMES[] = {"letter", "word", "break", "ignorable", "unassigned"};

    return point <= 0x10FFFF ? NAMES[tables->properties[point] & CLASS] : NULL;
}

/* ---- Step 3: Normalise ---- */

/* utf8proc_map() takes quadratic time to sort marks. Here it only decomposes code points and composes sorted ones. */

#define MAX_DECOMPOSED 4 /* code points of a canonical decomposition (UAX #15) */

/* Decomposed code points that are not in NFC yet. */
struct pending {
    utf8proc_int32_t *p;
    size_t n, room;
};

static unsigned combining_class(utf8proc_int32_t point)
{
    return (unsigned)utf8proc_get_property(point)->combining_class;
}

static bool decompose(struct pending *pending, uint32_t point)
{
    if (!RESERVE(pending, MAX_DECOMPOSED))
        return false;
    pending->n += (size_t)utf8proc_decompose_char((utf8proc_int32_t)point, pending->p + pending->n, MAX_DECOMPOSED,
                                                  UTF8PROC_DECOMPOSE, NULL);
    return true;
}

/* Sorts marks by class, stably and in linear time. */
static void sort_marks(utf8proc_int32_t *marks, size_t n, utf8proc_int32_t *sorted)
{
    size_t places[257] = {0};

    for (size_t i = 0; i < n; i++)
        places[combining_class(marks[i]) + 1]++;
    for (size_t i = 1; i < 256; i++)
        places[i] += places[i - 1];
    for (size_t i = 0; i < n; i++)
        sorted[places[combining_class(marks[i])]++] = marks[i];
    memcpy(marks, sorted, n * sizeof *marks);
}

/* Appends what is pending to a text, in NFC. */
static bool settle(struct pending *pending, struct shd_text *out)
{
    size_t n = pending->n;

    if (!RESERVE(pending, n)) /* sort_marks() uses what is behind the end */
        return false;
    for (size_t start = 0, end; start < n; start = end + 1) {
        for (end = start; end < n && combining_class(pending->p[end]) > 0;)
            end++;
        if (end - start > 1)
            sort_marks(pending->p + start, end - start, pending->p + n);
    }
    n = (size_t)utf8proc_normalize_utf32(pending->p, (utf8proc_ssize_t)n, UTF8PROC_COMPOSE | UTF8PROC_STABLE);
    for (size_t i = 0; i < n; i++)
        if (!append(out, (uint32_t)pending->p[i]))
            return false;
    pending->n = 0;
    return true;
}

/*
 * Whether NFC leaves a code point as it is, and it never composes with what is before it. All below U+0300 are so, and
 * U+11A7, which utf8proc before 2.11.2 takes for the end of a Hangul syllable.
 */
static bool is_steady(uint32_t point)
{
    return point < 0x300 || point == 0x11A7;
}

enum shd_status shd_normalise(const struct shd_tables *tables, const struct shd_text *in, struct shd_text *out)
{
    struct pending pending = {0};
    uint32_t point, last = 0; /* `last` is the code point at `last_start`, the end of `out` */
    size_t last_start = 0;
    bool ok = true;

    out->n = 0;
    for (size_t i = 0; ok && i < in->n;) {
        i += shd_decode_one(in->p + i, in->n - i, &point);
        switch (tables->properties[point] & CLASS) {
        case C_IGNORABLE:
            continue; /* NRM-2 */
        case C_UNASSIGNED:
            point = 0xFFFD; /* NRM-1 */
        }
        if (is_steady(point)) {
            ok = (pending.n == 0 || settle(&pending, out));
            last_start = out->n;
            last = point;
            ok = ok && append(out, point);
            continue;
        }
        if (pending.n == 0 && out->n > 0) { /* it may compose with the one before it */
            out->n = last_start;
            ok = decompose(&pending, last);
        }
        ok = ok && decompose(&pending, point);
    }
    ok = ok && settle(&pending, out); /* NRM-3 */
    free(pending.p);
    return ok ? SHD_OK : SHD_NO_MEMORY;
}

/* ---- Step 4: Strip locators ---- */

/* LOC-13: the sets of the grammar. No octet of a code point outside ASCII is in one. */
enum { LETTER = 1, DIGIT = 2, HEX = 4, URIC = 8, SCHEME = 16, LOCAL = 32, LABEL = 64, ALNUM = LETTER | DIGIT };

#define L (LETTER | URIC | SCHEME | LOCAL | LABEL)
#define X (L | HEX)
#define D (DIGIT | HEX | URIC | SCHEME | LOCAL | LABEL)

static const unsigned char SETS[256] = {
    ['A'] = X, X, X, X, X, X, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L,
    ['a'] = X, X, X, X, X, X, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L,
    ['0'] = D, D, D, D, D, D, D, D, D, D,
    ['-'] = URIC | SCHEME | LOCAL | LABEL,
    ['.'] = URIC | SCHEME | LOCAL, ['+'] = URIC | SCHEME | LOCAL,
    ['_'] = URIC | LOCAL, ['%'] = URIC | LOCAL,
    ['~'] = URIC, [':'] = URIC, ['/'] = URIC, ['?'] = URIC, ['#'] = URIC, ['['] = URIC, [']'] = URIC, ['@'] = URIC,
    ['!'] = URIC, ['$'] = URIC, ['&'] = URIC, ['\''] = URIC, ['('] = URIC, [')'] = URIC, ['*'] = URIC, [','] = URIC,
    [';'] = URIC, ['='] = URIC,
};

#undef L
#undef X
#undef D

/* A text, and up to where forms 1, 4 and 5 are known not to match (LOC-14). */
struct scan {
    const unsigned char *t;
    size_t n, dead1, dead4, dead5;
};

static bool is_in(const struct scan *s, size_t p, unsigned sets)
{
    return p < s->n && SETS[s->t[p]] & sets;
}

static size_t run(const struct scan *s, size_t p, unsigned sets)
{
    while (is_in(s, p, sets))
        p++;
    return p;
}

static unsigned char lower(unsigned char c)
{
    return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
}

/* Whether a string in lower case is at p, in any case: where it ends, or 0. */
static size_t skip(const struct scan *s, size_t p, const char *string)
{
    for (; *string != '\0'; string++, p++)
        if (p >= s->n || lower(s->t[p]) != (unsigned char)*string)
            return 0;
    return p;
}

/* 1*uric at p, unless p is 0: where it ends, or 0. */
static size_t skip_urics(const struct scan *s, size_t p)
{
    return p > 0 && is_in(s, p, URIC) ? run(s, p, URIC) : 0;
}

/* The forms. Each returns where its longest match at i ends, or 0. */

/* LOC-5 */
static size_t match_address(struct scan *s, size_t i)
{
    if (i < s->dead1 || !is_in(s, i, LETTER))
        return 0;
    s->dead1 = run(s, i, SCHEME);
    return skip_urics(s, skip(s, s->dead1, "://"));
}

/* LOC-6, LOC-7 */
static size_t match_prefix(struct scan *s, size_t i)
{
    static const char *const PREFIXES[] = {
        "www.",  "ark:",    "arxiv:",  "cid:",   "data:",  "did:",  "doi:", "hdl:", "info:", "isbn:",
        "issn:", "magnet:", "mailto:", "orcid:", "pmcid:", "pmid:", "swh:", "tel:", "urn:",
    };
    size_t end = 0;

    for (size_t k = 0; k < COUNT_OF(PREFIXES) && end == 0; k++)
        end = skip(s, i, PREFIXES[k]);
    return skip_urics(s, end);
}

/* LOC-8 */
static size_t match_doi(struct scan *s, size_t i)
{
    size_t digits = i < s->dead4 ? 0 : skip(s, i, "10."), end = run(s, digits, DIGIT);

    if (digits == 0 || end - digits < 4 || end - digits > 9)
        return 0;
    while (skip(s, end, ".") && is_in(s, end + 1, DIGIT))
        end = run(s, end + 1, DIGIT);
    s->dead4 = end;
    return skip_urics(s, skip(s, end, "/"));
}

/* LOC-9 */
static size_t match_email(struct scan *s, size_t i)
{
    size_t domain, end, first;

    if (i < s->dead5)
        return 0;
    s->dead5 = run(s, i, LOCAL);
    domain = skip(s, s->dead5, "@");
    first = end = run(s, domain, LABEL);
    if (domain == 0 || first == domain)
        return 0;
    while (skip(s, end, ".") && is_in(s, end + 1, LABEL))
        end = run(s, end + 1, LABEL);
    return end > first ? end : 0;
}

/* LOC-10, LOC-12 */
static size_t match_uuid(struct scan *s, size_t i)
{
    static const char SHAPE[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

    for (const char *c = SHAPE; *c != '\0'; c++, i++)
        if (*c == '-' ? !skip(s, i, "-") : !is_in(s, i, HEX))
            return 0;
    return is_in(s, i, ALNUM) ? 0 : i;
}

/* LOC-11, LOC-12 */
static size_t match_digest(struct scan *s, size_t i)
{
    size_t end = run(s, i, HEX), digit = i;

    while (digit < end && !is_in(s, digit, DIGIT))
        digit++;
    return end - i >= 32 && digit < end && !is_in(s, end, ALNUM) ? end : 0;
}

/* LOC-1 to LOC-4 */
enum shd_status shd_strip_locators(const struct shd_text *in, struct shd_text *out)
{
    static size_t (*const FORMS[])(struct scan *, size_t) = {
        match_address, match_prefix, match_doi, match_email, match_uuid, match_digest,
    };
    struct scan s = {in->p, in->n, 0, 0, 0};

    out->n = 0;
    if (!RESERVE(out, in->n))
        return SHD_NO_MEMORY;
    for (size_t i = 0; i < s.n;) {
        size_t end = 0;

        /* Every form begins with an octet of LOCAL. */
        if (is_in(&s, i, LOCAL) && (i == 0 || !is_in(&s, i - 1, ALNUM)))
            for (size_t form = 0; form < COUNT_OF(FORMS) && end == 0; form++)
                end = FORMS[form](&s, i);
        out->p[out->n++] = end > 0 ? ' ' : s.t[i];
        i = end > 0 ? end : i + 1;
    }
    return SHD_OK;
}

/* ---- Step 5: Tokenise ---- */

/* The properties of the code point at p; at the end, those of a break. `next` is the position behind it. */
static unsigned look(const struct shd_tables *tables, const struct shd_text *in, size_t p, size_t *next)
{
    uint32_t point;

    *next = p;
    if (p >= in->n)
        return C_BREAK;
    *next += shd_decode_one(in->p + p, in->n - p, &point);
    return tables->properties[point];
}

static bool add_token(struct shd_tokens *tokens, size_t start, size_t end)
{
    if (!RESERVE(tokens, 1))
        return false;
    tokens->p[tokens->n++] = (struct shd_span){start, end};
    return true;
}

/* BIG-2 to BIG-4: adds the tokens that take the place of the one from `start` up to `end`. */
static bool cut_token(const struct shd_tables *tables, const struct shd_text *in, size_t start, size_t end,
                      struct shd_tokens *out)
{
    const struct shd_text token = {in->p, end, 0};
    size_t unit = start, units = 0, next; /* `unit` is where the last unit begins */
    bool has_letter = false, ok = true;

    for (size_t p = start; ok && p < end; p = next) {
        unsigned properties = look(tables, &token, p, &next);

        if (properties & JOINED) {
            size_t behind;

            if (units == 0 && has_letter)
                ok = add_token(out, start, p);
            if (units == 0)
                start = p;
            while (look(tables, &token, next, &behind) & MARK)
                next = behind;
            if (units++ > 0)
                ok = ok && add_token(out, unit, next);
            unit = p;
            has_letter = false;
        } else {
            if (units == 1)
                ok = add_token(out, unit, p);
            if (units > 0)
                start = p;
            units = 0;
            has_letter = has_letter || (properties & CLASS) == C_LETTER;
        }
    }
    return ok && (units == 1 || (units == 0 && has_letter) ? add_token(out, start, end) : ok);
}

enum shd_status shd_tokenise(const struct shd_tables *tables, const struct shd_text *in, enum shd_label label,
                             struct shd_tokens *out)
{
    bool has_pairs = label != SHD_SIMHASH;

    out->n = 0;
    for (size_t start = 0, end, next; start < in->n; start = next) {
        bool has_letter = false;
        unsigned class;

        for (end = start; (class = look(tables, in, end, &next) & CLASS) <= C_WORD; end = next)
            has_letter = has_letter || class == C_LETTER;
        if (has_letter && !(has_pairs ? cut_token(tables, in, start, end, out) : add_token(out, start, end)))
            return SHD_NO_MEMORY;
    }
    return SHD_OK;
}

/* ---- Step 7: Hash the tokens ---- */

/* 0 < bits < 32 */
static uint32_t rotate(uint32_t x, unsigned bits)
{
    return x << bits | x >> (32 - bits);
}

static void mix(uint32_t *x, uint32_t *y, uint32_t *z, unsigned bits)
{
    *x -= *y;
    *x ^= rotate(*y, bits);
    *y += *z;
}

static void finish(uint32_t *x, uint32_t *y, unsigned bits)
{
    *x ^= *y;
    *x -= rotate(*y, bits);
}

/* HSH-3: the word at p, least significant octet first. */
static uint32_t word_at(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void add_block(struct shd_lookup3 *s)
{
    s->a += word_at(s->block);
    s->b += word_at(s->block + 4);
    s->c += word_at(s->block + 8);
    s->have = 0;
}

void shd_lookup3_start(struct shd_lookup3 *s, uint64_t n, uint32_t pc, uint32_t pb)
{
    s->a = s->b = s->c = UINT32_C(0xDEADBEEF) + (uint32_t)(n & UINT32_C(0xFFFFFFFF)) + pc;
    s->c += pb;
    s->have = 0;
}

void shd_lookup3_add(struct shd_lookup3 *s, const void *octets, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (s->have == 12) { /* a full block is mixed when another octet follows */
            add_block(s);
            mix(&s->a, &s->c, &s->b, 4);
            mix(&s->b, &s->a, &s->c, 6);
            mix(&s->c, &s->b, &s->a, 8);
            mix(&s->a, &s->c, &s->b, 16);
            mix(&s->b, &s->a, &s->c, 19);
            mix(&s->c, &s->b, &s->a, 4);
        }
        s->block[s->have++] = ((const unsigned char *)octets)[i];
    }
}

uint64_t shd_lookup3_end(struct shd_lookup3 *s)
{
    if (s->have > 0) { /* there were octets */
        memset(s->block + s->have, 0, 12 - s->have);
        add_block(s);
        finish(&s->c, &s->b, 14);
        finish(&s->a, &s->c, 11);
        finish(&s->b, &s->a, 25);
        finish(&s->c, &s->b, 16);
        finish(&s->a, &s->c, 4);
        finish(&s->b, &s->a, 14);
        finish(&s->c, &s->b, 24);
    }
    return (uint64_t)s->b << 32 | s->c;
}

uint64_t shd_token_hash(const void *octets, size_t n)
{
    struct shd_lookup3 s;

    shd_lookup3_start(&s, n, 0, 0);
    shd_lookup3_add(&s, octets, n);
    return shd_lookup3_end(&s);
}

/* ---- Step 8: Simhash ---- */

enum shd_status shd_simhash(const uint64_t *hashes, size_t n, int64_t counters[64], uint64_t *fingerprint)
{
    memset(counters, 0, 64 * sizeof *counters);
    if (n == 0)
        return SHD_NO_FINGERPRINT;
    for (size_t h = 0; h < n; h++)
        for (unsigned i = 0; i < 64; i++)
            counters[i] += (int64_t)(hashes[h] >> (63 - i) & 1) * 2 - 1;
    *fingerprint = 0;
    for (unsigned i = 0; i < 64; i++)
        *fingerprint |= (uint64_t)(counters[i] > 0) << (63 - i);
    return SHD_OK;
}

/* ---- MinHash ---- */

#define BINS 64
#define ROUNDS 64
#define DRAWS (ROUNDS + BINS) /* of an element, for a word */

/* MIN-2 */
static uint64_t draw(uint64_t x, unsigned n)
{
    uint64_t z = x + ((uint64_t)n + 1) * UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

enum shd_status shd_draw(uint64_t x, unsigned n, uint64_t *result)
{
    if (n >= SHD_MAX_WORDS * DRAWS)
        return SHD_OUT_OF_RANGE;
    *result = draw(x, n);
    return SHD_OK;
}

enum shd_status shd_minhash_start(struct shd_minhash *state, enum shd_label label)
{
    if (label != SHD_MINHASH && label != SHD_MINHASH_256)
        return SHD_INVALID_LABEL;
    state->words = shd_words(label);
    for (unsigned w = 0; w < SHD_MAX_WORDS; w++)
        state->last[w] = DRAWS - 1;
    memset(state->round, DRAWS, sizeof state->round);
    memset(state->draw, 0, sizeof state->draw);
    return SHD_OK;
}

/* The latest round in which a bin was won. */
static unsigned find_last(const unsigned char rounds[BINS])
{
    unsigned last = 0;

    for (unsigned i = 0; i < BINS; i++)
        if (rounds[i] > last)
            last = rounds[i];
    return last < DRAWS ? last : DRAWS - 1;
}

/* MIN-3, MIN-4. A draw of a later round than those of all winners cannot win. */
void shd_minhash_add(struct shd_minhash *state, uint64_t hash)
{
    for (unsigned w = 0; w < state->words; w++) {
        unsigned char *rounds = state->round[w];
        uint64_t *draws = state->draw[w];

        for (unsigned r = 0; r <= state->last[w]; r++) {
            uint64_t y = draw(hash, DRAWS * w + r);
            unsigned i = r < ROUNDS ? (unsigned)(y >> 58) : r - ROUNDS, before = rounds[i];

            if (r > before || (r == before && y >= draws[i]))
                continue;
            rounds[i] = (unsigned char)r;
            draws[i] = y;
            if (before >= state->last[w] && r < before)
                state->last[w] = find_last(rounds);
        }
    }
}

/* MIN-5, MIN-6, MIN-7 */
enum shd_status shd_minhash_end(const struct shd_minhash *state, uint64_t *fingerprint)
{
    if (state->round[0][0] == DRAWS) /* the first element wins every bin */
        return SHD_NO_FINGERPRINT;
    for (unsigned w = 0; w < state->words; w++) {
        fingerprint[w] = 0;
        for (unsigned i = 0; i < BINS; i++)
            fingerprint[w] |= (state->draw[w][i] & 1) << (63 - i);
    }
    return SHD_OK;
}

uint64_t shd_truncate(const uint64_t fingerprint[SHD_MAX_WORDS])
{
    return fingerprint[0];
}

/* ---- The whole ---- */

/* Hashes the tokens of a text, and makes their fingerprint. */
static enum shd_status finish_fingerprint(const struct shd_text *text, const struct shd_tokens *tokens,
                                          enum shd_label label, uint64_t *fingerprint)
{
    struct shd_minhash state;
    bool is_minhash = shd_minhash_start(&state, label) == SHD_OK;
    uint64_t *hashes = NULL;
    int64_t counters[64];
    enum shd_status status;

    if (!is_minhash && tokens->n > 0 && (hashes = malloc(tokens->n * sizeof *hashes)) == NULL)
        return SHD_NO_MEMORY;
    for (size_t i = 0; i < tokens->n; i++) {
        uint64_t hash = shd_token_hash(text->p + tokens->p[i].start, tokens->p[i].end - tokens->p[i].start);

        if (is_minhash)
            shd_minhash_add(&state, hash);
        else
            hashes[i] = hash;
    }
    status = is_minhash ? shd_minhash_end(&state, fingerprint) : shd_simhash(hashes, tokens->n, counters, fingerprint);
    free(hashes);
    return status;
}

enum shd_status shd_fingerprint(const struct shd_tables *tables, const void *utf8, size_t size, enum shd_label label,
                                uint64_t *fingerprint)
{
    struct shd_text one = {0}, other = {0};
    struct shd_tokens tokens = {0};
    enum shd_status status = shd_label_name(label) == NULL ? SHD_INVALID_LABEL : shd_decode(utf8, size, &one);

    if (status == SHD_OK)
        status = shd_normalise(tables, &one, &other);
    if (status == SHD_OK)
        status = shd_strip_locators(&other, &one);
    if (status == SHD_OK)
        status = shd_tokenise(tables, &one, label, &tokens);
    if (status == SHD_OK)
        status = finish_fingerprint(&one, &tokens, label, fingerprint);
    free(one.p);
    free(other.p);
    free(tokens.p);
    return status;
}

/* ---- Step 9: Serialise ---- */

static const char *const LABELS[] = {
    [SHD_SIMHASH] = "simhash-doc",
    [SHD_SIMHASH_BG1] = "simhash-doc+bg1",
    [SHD_MINHASH] = "minhash-doc",
    [SHD_MINHASH_256] = "minhash-doc-256",
};

unsigned shd_words(enum shd_label label)
{
    return label == SHD_MINHASH_256 ? SHD_MAX_WORDS : 1;
}

/* SER-1, MIN-9: groups of five bits, 13 or 52. The last one is filled up with bits 0. */
void shd_write(enum shd_label label, const uint64_t *fingerprint, char out[SHD_BARE_SIZE])
{
    static const char ALPHABET[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    unsigned bits = 64 * shd_words(label), group = 0;

    for (unsigned bit = 0; bit < bits; bit += 5) {
        uint64_t word = fingerprint[bit / 64] << bit % 64;

        if (bit % 64 > 59 && bit + 5 < bits)
            word |= fingerprint[bit / 64 + 1] >> (64 - bit % 64);
        out[group++] = ALPHABET[word >> 59];
    }
    out[group] = '\0';
}

void shd_write_hex(enum shd_label label, const uint64_t *fingerprint, char out[SHD_HEX_SIZE])
{
    for (unsigned w = 0; w < shd_words(label); w++)
        snprintf(out + 16 * w, 17, "%016" PRIx64, fingerprint[w]);
}

void shd_write_octets(enum shd_label label, const uint64_t *fingerprint, unsigned char *out)
{
    for (unsigned i = 0; i < 8 * shd_words(label); i++)
        out[i] = (unsigned char)(fingerprint[i / 8] >> (56 - i % 8 * 8));
}

enum shd_status shd_read_octets(const unsigned char *octets, size_t n, enum shd_label label, uint64_t *fingerprint)
{
    if (n != 8 * shd_words(label))
        return SHD_OUT_OF_RANGE;
    for (unsigned i = 0; i < n; i++)
        fingerprint[i / 8] = (i % 8 > 0 ? fingerprint[i / 8] << 8 : 0) | octets[i];
    return SHD_OK;
}

/* Appends the lowest `width` bits of a digit, 1 to 5, to a number of 256 bits. */
static void push_bits(uint64_t words[SHD_MAX_WORDS], unsigned width, unsigned digit)
{
    for (unsigned w = 0; w < SHD_MAX_WORDS; w++)
        words[w] = words[w] << width | (w + 1 < SHD_MAX_WORDS ? words[w + 1] >> (64 - width) : digit);
}

enum shd_status shd_read(const char *s, size_t n, enum shd_label label, uint64_t *fingerprint)
{
    unsigned words = shd_words(label), digits = words == 1 ? 13 : 52, padding = words == 1 ? 3 : 4;
    unsigned spare = 5 * digits - 64 * words, digit = 0;
    uint64_t value[SHD_MAX_WORDS] = {0};

    if (n == digits + padding && memcmp(s + digits, "====", padding) == 0)
        n = digits; /* SER-2 */
    if (n != digits)
        return SHD_INVALID_FINGERPRINT;
    for (size_t i = 0; i < digits; i++) {
        unsigned char c = lower((unsigned char)s[i]);
        bool is_last = i + 1 == digits;

        if (!(c >= 'a' && c <= 'z') && !(c >= '2' && c <= '7'))
            return SHD_INVALID_FINGERPRINT;
        digit = (unsigned)(c >= 'a' ? c - 'a' : c - '2' + 26);
        push_bits(value, is_last ? 5 - spare : 5, is_last ? digit >> spare : digit);
    }
    if (digit & ((1u << spare) - 1))
        return SHD_INVALID_FINGERPRINT; /* SER-4 */
    memcpy(fingerprint, value + SHD_MAX_WORDS - words, words * sizeof *value);
    return SHD_OK;
}

enum shd_status shd_read_hex(const char *s, size_t n, enum shd_label label, uint64_t *fingerprint)
{
    unsigned words = shd_words(label);
    uint64_t value[SHD_MAX_WORDS] = {0};

    if (n != 16 * words)
        return SHD_INVALID_FINGERPRINT;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = lower((unsigned char)s[i]);

        if (!(SETS[c] & HEX))
            return SHD_INVALID_FINGERPRINT;
        value[i / 16] = value[i / 16] << 4 | (uint64_t)(c >= 'a' ? c - 'a' + 10 : c - '0');
    }
    memcpy(fingerprint, value, words * sizeof *value);
    return SHD_OK;
}

enum shd_status shd_read_label(const char *s, size_t n, enum shd_label *label)
{
    struct scan scan = {(const unsigned char *)s, n, 0, 0, 0};

    for (size_t i = 0; i < COUNT_OF(LABELS); i++) {
        if (strlen(LABELS[i]) == n && skip(&scan, 0, LABELS[i]) == n) {
            *label = (enum shd_label)i;
            return SHD_OK;
        }
    }
    return SHD_INVALID_LABEL;
}

const char *shd_label_name(enum shd_label label)
{
    return (size_t)label < COUNT_OF(LABELS) ? LABELS[label] : NULL;
}

enum shd_status shd_read_labelled(const char *s, size_t n, enum shd_label *label, uint64_t *fingerprint)
{
    const char *colon = n > 0 ? memchr(s, ':', n) : NULL;

    if (colon == NULL || shd_read_label(s, (size_t)(colon - s), label) != SHD_OK)
        return SHD_INVALID_LABEL;
    return shd_read(colon + 1, (size_t)(s + n - colon) - 1, *label, fingerprint);
}

enum shd_status shd_write_labelled(enum shd_label label, const uint64_t *fingerprint, char out[SHD_LABELLED_SIZE])
{
    if (shd_label_name(label) == NULL)
        return SHD_INVALID_LABEL;
    shd_write(label, fingerprint, out + snprintf(out, SHD_LABELLED_SIZE, "%s:", LABELS[label]));
    return SHD_OK;
}

/* ---- Step 10: Compare ---- */

/* CMP-3 */
static unsigned count_differences(uint64_t x, uint64_t y)
{
    unsigned count = 0;

    for (x ^= y; x != 0; x &= x - 1)
        count++;
    return count;
}

struct shd_comparison shd_compare(enum shd_label label, const uint64_t *x, const uint64_t *y)
{
    unsigned words = shd_words(label), close = words == 1 ? 1 : 5, loose = words == 1 ? 6 : 25;
    struct shd_comparison result = {0, 0, NULL};

    for (unsigned w = 0; w < words; w++)
        result.distance += count_differences(x[w], y[w]);
    result.similarity = 1 - result.distance / (64.0 * words);
    result.verdict = result.distance <= close ? "close" : result.distance <= loose ? "loose" : "none";
    return result;
}

enum shd_status shd_compare_labelled(const char *x, size_t x_size, const char *y, size_t y_size,
                                     struct shd_comparison *out)
{
    enum shd_label labels[2];
    uint64_t fingerprints[2][SHD_MAX_WORDS];
    enum shd_status status = SHD_NO_FINGERPRINT;

    if (x != NULL)
        status = shd_read_labelled(x, x_size, &labels[0], fingerprints[0]);
    if (status == SHD_OK)
        status = y == NULL ? SHD_NO_FINGERPRINT : shd_read_labelled(y, y_size, &labels[1], fingerprints[1]);
    if (status == SHD_OK && labels[0] != labels[1])
        status = SHD_LABEL_MISMATCH;
    if (status == SHD_OK)
        *out = shd_compare(labels[0], fingerprints[0], fingerprints[1]);
    return status;
}

/* ---- Step 11: Lookup tables ---- */

/* Takes part i of four, each of `width` bits, part 0 the most significant, out of x. */
static uint64_t take_part(uint64_t x, unsigned width, unsigned i, uint64_t *rest)
{
    unsigned shift = width * (3 - i);
    uint64_t low = (UINT64_C(1) << shift) - 1;

    *rest = (x >> width & ~low) | (x & low);
    return x >> shift & ((UINT64_C(1) << width) - 1);
}

/* Puts it back. */
static uint64_t put_part(uint64_t part, unsigned width, unsigned i, uint64_t rest)
{
    unsigned shift = width * (3 - i);
    uint64_t low = (UINT64_C(1) << shift) - 1;

    return (rest & ~low) << width | part << shift | (rest & low);
}

/* TAB-1, TAB-2, TAB-4 */
enum shd_status shd_permute(uint64_t fingerprint, unsigned table, uint64_t *permuted)
{
    uint64_t rest, block, part;

    if (table >= SHD_TABLES)
        return SHD_OUT_OF_RANGE;
    block = take_part(fingerprint, 16, table / 4, &rest);
    part = take_part(rest, 12, table % 4, &rest);
    *permuted = block << 48 | part << 36 | rest;
    return SHD_OK;
}

enum shd_status shd_unpermute(uint64_t permuted, unsigned table, uint64_t *fingerprint)
{
    uint64_t rest;

    if (table >= SHD_TABLES)
        return SHD_OUT_OF_RANGE;
    rest = put_part(permuted >> 36 & 0xFFF, 12, table % 4, permuted & UINT64_C(0xFFFFFFFFF));
    *fingerprint = put_part(permuted >> 48, 16, table / 4, rest);
    return SHD_OK;
}

struct probing {
    unsigned k;
    void (*each)(void *context, uint32_t key);
    void *context;
};

/* Visits the keys that differ from `key` in the `open` lower bits alone, in at most `budget` of those of one part. */
static void visit_probes(const struct probing *p, uint32_t key, unsigned open, unsigned budget)
{
    uint32_t bit = UINT32_C(1) << open >> 1;

    if (open == 0) {
        p->each(p->context, key);
        return;
    }
    if (open == 12) /* the lower part has its own budget, from what the upper part used: e1 of LKP-5 */
        budget = (p->k - (p->k / 4 - budget)) / 4;
    if (budget > 0 && key & bit)
        visit_probes(p, key ^ bit, open - 1, budget - 1);
    visit_probes(p, key, open - 1, budget);
    if (budget > 0 && !(key & bit))
        visit_probes(p, key ^ bit, open - 1, budget - 1);
}

enum shd_status shd_probes(uint64_t fingerprint, unsigned table, unsigned k, void (*each)(void *context, uint32_t key),
                           void *context)
{
    struct probing probing = {k, each, context};
    uint64_t permuted;

    if (k > 64 || shd_permute(fingerprint, table, &permuted) != SHD_OK)
        return SHD_OUT_OF_RANGE;
    visit_probes(&probing, (uint32_t)(permuted >> 36), 28, k / 4);
    return SHD_OK;
}

/* ---- Step 11: an index ---- */

#define MAX_PROBED_K 7 /* above, the probes are thousands, and every entry is compared */

struct row {
    uint64_t permuted;
    const struct shd_entry *entry;
};

struct shd_index {
    size_t n;
    enum shd_label label;
    struct row rows[]; /* TAB-5, MIN-11: those of table 0 of word 0, then those of table 1, and so on */
};

static int compare_rows(const void *x, const void *y)
{
    const struct row *a = x, *b = y;

    return (a->permuted > b->permuted) - (a->permuted < b->permuted);
}

/* LKP-3: by unsigned octets, a prefix first. */
static int compare_ids(const struct shd_entry *x, const struct shd_entry *y)
{
    int order = memcmp(x->id, y->id, x->size < y->size ? x->size : y->size);

    return order != 0 ? order : (x->size > y->size) - (x->size < y->size);
}

/* Entries of one array: by identifier, and then as they stand there. */
static int compare_entries(const void *x, const void *y)
{
    const struct row *a = x, *b = y;
    int order = compare_ids(a->entry, b->entry);

    return order != 0 ? order : (a->entry > b->entry) - (a->entry < b->entry);
}

static int compare_matches(const void *x, const void *y)
{
    const struct shd_match *a = x, *b = y;

    if (a->distance != b->distance)
        return a->distance < b->distance ? -1 : 1;
    return compare_ids(a->entry, b->entry);
}

static enum shd_status check_id(const struct shd_entry *entry)
{
    const unsigned char *octets = (const unsigned char *)entry->id;
    uint32_t point;

    for (size_t i = 0, read; i < entry->size; i += read) {
        read = shd_decode_one(octets + i, entry->size - i, &point);
        if (point == 0xFFFD && (read != 3 || octets[i] != 0xEF))
            return SHD_WRONG_TYPE; /* not a U+FFFD that is written there */
    }
    return entry->size == 0 ? SHD_OUT_OF_RANGE : SHD_OK;
}

enum shd_status shd_index_build(const struct shd_entry *entries, size_t n, enum shd_label label,
                                struct shd_index **index)
{
    enum shd_status status = shd_label_name(label) == NULL ? SHD_INVALID_LABEL : SHD_OK;
    unsigned tables = SHD_TABLES * shd_words(label);
    struct shd_index *built;
    struct row *rows;

    for (size_t i = 0; i < n && status == SHD_OK; i++)
        status = check_id(&entries[i]);
    if (status != SHD_OK)
        return status;
    built = n < SIZE_MAX / 2 / tables / sizeof *rows ? malloc(sizeof *built + n * tables * sizeof *rows) : NULL;
    if (built == NULL)
        return SHD_NO_MEMORY;
    built->n = 0;
    built->label = label;
    rows = built->rows;
    for (size_t i = 0; i < n; i++)
        rows[i].entry = &entries[i];
    qsort(rows, n, sizeof *rows, compare_entries);
    for (size_t i = 0; i < n; i++)
        if (i + 1 == n || compare_ids(rows[i].entry, rows[i + 1].entry) != 0)
            rows[built->n++] = rows[i];
    for (unsigned t = tables; t-- > 0;) { /* table 0 last: the entries are taken from there */
        struct row *table = rows + t * built->n;

        for (size_t i = 0; i < built->n; i++) {
            table[i].entry = rows[i].entry;
            shd_permute(rows[i].entry->fingerprint[t / SHD_TABLES], t % SHD_TABLES, &table[i].permuted);
        }
        qsort(table, built->n, sizeof *table, compare_rows);
    }
    *index = built;
    return SHD_OK;
}

struct search {
    const struct row *rows;
    size_t n;
    enum shd_label label;
    const uint64_t *query;
    unsigned k;
    struct shd_matches *out;
    bool failed;
};

/* LKP-2, MIN-11: checks the distance of a candidate. */
static void check_candidate(struct search *s, const struct shd_entry *entry)
{
    unsigned distance = 0;
    bool is_match = false;

    for (unsigned w = 0; w < shd_words(s->label); w++) {
        unsigned differences = count_differences(entry->fingerprint[w], s->query[w]);

        is_match = is_match || differences <= s->k;
        distance += differences;
    }
    if (!is_match)
        return;
    if (RESERVE(s->out, 1))
        s->out->p[s->out->n++] = (struct shd_match){entry, distance};
    else
        s->failed = true;
}

/* Checks the entries of one key: those from key * 2^36 to key * 2^36 + 2^36 - 1. */
static void search_key(void *context, uint32_t key)
{
    struct search *s = context;
    size_t low = 0, high = s->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (s->rows[middle].permuted < (uint64_t)key << 36)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < s->n && s->rows[low].permuted >> 36 == key; low++)
        check_candidate(s, s->rows[low].entry);
}

enum shd_status shd_index_find(const struct shd_index *index, const uint64_t *fingerprint, enum shd_label label,
                               unsigned k, struct shd_matches *out)
{
    struct search search = {index->rows, index->n, label, fingerprint, k, out, false};
    size_t n = 0;

    if (k > 64)
        return SHD_OUT_OF_RANGE;
    if (label != index->label)
        return SHD_LABEL_MISMATCH;
    out->n = 0;
    for (unsigned t = 0; t < SHD_TABLES * shd_words(label) && k <= MAX_PROBED_K; t++, search.rows += index->n)
        shd_probes(fingerprint[t / SHD_TABLES], t % SHD_TABLES, k, search_key, &search);
    for (size_t i = 0; i < index->n && k > MAX_PROBED_K; i++)
        check_candidate(&search, index->rows[i].entry);
    if (search.failed)
        return SHD_NO_MEMORY;
    if (out->n > 1)
        qsort(out->p, out->n, sizeof *out->p, compare_matches);
    for (size_t i = 0; i < out->n; i++) /* several tables find the same entry */
        if (n == 0 || out->p[n - 1].entry != out->p[i].entry)
            out->p[n++] = out->p[i];
    out->n = n;
    return SHD_OK;
}
