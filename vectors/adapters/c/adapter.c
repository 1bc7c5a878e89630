/* SPDX-License-Identifier: MIT */
/*
 * The adapter protocol of vectors/README.md, version 1, around simhash_doc.c. Written from spec/ alone.
 *
 * Usage: adapter [FOLDER] [--one-shot]
 *
 * FOLDER is spec/: of the argument, otherwise of the environment variable SIMHASH_DOC_SPEC, otherwise `spec`.
 */
#include "simhash_doc.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#define NAME "simhash-doc-c"
#define MAX_DEPTH 64 /* nesting of arrays and objects; the protocol needs 5 */
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* How an operation ends, besides the codes of the specification: the reply is `unsupported`. */
#define UNSUPPORTED ((enum shd_status)-1)

/* Two functions that have to give one result disagree: the reply is the error `internal`. */
#define DISAGREEMENT ((enum shd_status)-2)

/* Ends the function with the status of a call that failed. */
#define TRY(call) \
    do { \
        enum shd_status tried = (call); \
        if (tried != SHD_OK) \
            return tried; \
    } while (0)

static struct shd_tables *tables;

static void die(const char *message, const char *about)
{
    fprintf(stderr, NAME ": %s%s\n", message, about);
    exit(2);
}

/* ---- Lists that grow ---- */

static void *grow(void *p, size_t n, size_t more, size_t *room, size_t size)
{
    if (more <= *room - n)
        return p;
    *room = more > n ? n + more : 2 * n;
    p = *room < SIZE_MAX / size ? realloc(p, *room * size) : NULL;
    if (p == NULL)
        die("out of memory", "");
    return p;
}

/* Makes room for `more` elements in a list that has `p`, `n` and `room`. */
#define RESERVE(list, more) ((list)->p = grow((list)->p, (list)->n, (more), &(list)->room, sizeof *(list)->p))

struct numbers {
    uint64_t *p;
    size_t n, room;
};

static void add_number(struct numbers *to, uint64_t number)
{
    RESERVE(to, 1);
    to->p[to->n++] = number;
}

static void add_octet(struct shd_text *to, unsigned char octet)
{
    RESERVE(to, 1);
    to->p[to->n++] = octet;
}

/* `to` has a `p` afterwards, even for no octets. */
static void add_octets(struct shd_text *to, const void *octets, size_t n)
{
    RESERVE(to, n + 1);
    if (n > 0)
        memcpy(to->p + to->n, octets, n);
    to->n += n;
}

static void add_point(struct shd_text *to, uint32_t point)
{
    RESERVE(to, 4);
    to->n += shd_encode_one(point, to->p + to->n);
}

/* Appends what printf() would write, 100 characters at most. */
static void print_list(struct shd_text *to, const char *format, va_list arguments)
{
    RESERVE(to, 101);
    to->n += (size_t)vsnprintf((char *)to->p + to->n, 101, format, arguments);
}

static void print(struct shd_text *to, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_list(to, format, arguments);
    va_end(arguments);
}

/* ---- JSON: a reader. It takes more than JSON, but a runner sends nothing else. ---- */

enum json_type { JSON_NULL, JSON_BOOLEAN, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json {
    enum json_type type;
    struct shd_text name;   /* of a member of an object */
    struct shd_text string; /* a lone surrogate, which a runner does not send, is U+FFFD */
    double number;
    struct json *p; /* the members of an array or object */
    size_t n, room;
};

static void free_json(struct json *v)
{
    for (size_t i = 0; i < v->n; i++)
        free_json(&v->p[i]);
    free(v->p);
    free(v->name.p);
    free(v->string.p);
}

/* Skips white space at *s, and a literal if it is there. The text ends with a zero. */
static bool take(const char **s, const char *literal)
{
    *s += strspn(*s, " \t\r\n");
    if (strncmp(*s, literal, strlen(literal)) != 0)
        return false;
    *s += strlen(literal);
    return true;
}

/* The number that `n` hexadecimal digits make: the first 16 of DIGITS are those of the protocol. */
static bool read_digits(const char *s, size_t n, const char *digits, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < n; i++) {
        const char *found = s[i] != '\0' ? strchr(digits, s[i]) : NULL;

        if (found == NULL)
            return false;
        *number = *number << 4 | (uint64_t)(found - digits) % 16;
    }
    return true;
}

/* Reads behind a backslash; the digits of `uXXXX` in any case. */
static bool read_escape(const char **s, struct shd_text *out)
{
    static const char ESCAPES[] = "\"\\/bfnrt", MEANINGS[] = "\"\\/\b\f\n\r\t";
    static const char DIGITS[] = "0123456789abcdef0123456789ABCDEF";
    const char *found = **s != '\0' ? strchr(ESCAPES, **s) : NULL;
    uint64_t point, low;

    if (found != NULL) {
        add_octet(out, (unsigned char)MEANINGS[found - ESCAPES]);
        *s += 1;
        return true;
    }
    if (**s != 'u' || !read_digits(*s + 1, 4, DIGITS, &point))
        return false;
    *s += 5;
    if (point >= 0xD800 && point <= 0xDBFF && strncmp(*s, "\\u", 2) == 0 && read_digits(*s + 2, 4, DIGITS, &low) &&
        low >= 0xDC00 && low <= 0xDFFF) {
        point = 0x10000 + (point - 0xD800) * 0x400 + (low - 0xDC00);
        *s += 6;
    }
    add_point(out, point >= 0xD800 && point <= 0xDFFF ? 0xFFFD : (uint32_t)point);
    return true;
}

static bool read_string(const char **s, struct shd_text *out)
{
    if (!take(s, "\""))
        return false;
    for (;;) {
        size_t n = strcspn(*s, "\"\\");

        add_octets(out, *s, n);
        *s += n;
        if (**s == '\0')
            return false;
        if (*(*s)++ == '"')
            return true;
        if (!read_escape(s, out))
            return false;
    }
}

/* `v` is zero, but for its name. Whatever is returned, free_json() frees what was read. */
static bool read_value(const char **s, struct json *v, unsigned depth)
{
    const char *start, *close;
    char *end;

    take(s, "");
    if (**s == '"') {
        v->type = JSON_STRING;
        return read_string(s, &v->string);
    }
    if (take(s, "null"))
        return true;
    if (take(s, "true") || take(s, "false")) {
        v->type = JSON_BOOLEAN;
        return true;
    }
    if (**s != '[' && **s != '{') {
        v->type = JSON_NUMBER;
        start = *s;
        v->number = strtod(start, &end);
        *s = end;
        return end > start;
    }
    v->type = **s == '[' ? JSON_ARRAY : JSON_OBJECT;
    close = *(*s)++ == '[' ? "]" : "}";
    if (depth == MAX_DEPTH || take(s, close))
        return depth < MAX_DEPTH;
    do {
        RESERVE(v, 1);
        v->p[v->n++] = (struct json){0};
        if (v->type == JSON_OBJECT && (!read_string(s, &v->p[v->n - 1].name) || !take(s, ":")))
            return false;
        if (!read_value(s, &v->p[v->n - 1], depth + 1))
            return false;
    } while (take(s, ","));
    return take(s, close);
}

static bool equals(const struct shd_text *s, const char *ascii)
{
    return s->n == strlen(ascii) && memcmp(s->p, ascii, s->n) == 0;
}

/* The member of an object, or NULL. */
static const struct json *get(const struct json *object, const char *name)
{
    for (size_t i = 0; object != NULL && object->type == JSON_OBJECT && i < object->n; i++)
        if (equals(&object->p[i].name, name))
            return &object->p[i];
    return NULL;
}

/* ---- Values of the protocol ---- */

static const char HEX_DIGITS[] = "0123456789abcdef";

static bool is_type(const struct json *v, enum json_type type)
{
    return v != NULL && v->type == type;
}

static enum shd_status read_text(const struct json *v, struct shd_text *out)
{
    if (!is_type(v, JSON_STRING))
        return SHD_WRONG_TYPE;
    add_octets(out, v->string.p, v->string.n);
    return SHD_OK;
}

/* hex16 or hex8 */
static enum shd_status read_hex(const struct json *v, size_t digits, uint64_t *out)
{
    if (!is_type(v, JSON_STRING) || v->string.n != digits)
        return SHD_WRONG_TYPE;
    return read_digits((const char *)v->string.p, digits, HEX_DIGITS, out) ? SHD_OK : SHD_WRONG_TYPE;
}

/* hex16 or hex64, or null for a document without a fingerprint (SIM-1, MIN-6) */
static enum shd_status read_fingerprint(const struct json *v, enum shd_label label, uint64_t *out)
{
    if (is_type(v, JSON_NULL))
        return SHD_NO_FINGERPRINT;
    if (!is_type(v, JSON_STRING) || v->string.n != 16 * shd_words(label))
        return SHD_WRONG_TYPE;
    for (unsigned w = 0; w < shd_words(label); w++)
        if (!read_digits((const char *)v->string.p + 16 * w, 16, HEX_DIGITS, &out[w]))
            return SHD_WRONG_TYPE;
    return SHD_OK;
}

static enum shd_status read_integer(const struct json *v, int64_t low, int64_t high, unsigned *out)
{
    if (!is_type(v, JSON_NUMBER))
        return SHD_WRONG_TYPE;
    if (!(v->number >= (double)low && v->number <= (double)high) || v->number != (double)(int64_t)v->number)
        return SHD_OUT_OF_RANGE;
    *out = (unsigned)v->number;
    return SHD_OK;
}

static enum shd_status read_octets(const struct json *v, struct shd_text *out)
{
    uint64_t octet;

    if (!is_type(v, JSON_STRING) || v->string.n % 2 != 0)
        return SHD_WRONG_TYPE;
    RESERVE(out, v->string.n / 2);
    for (size_t i = 0; i < v->string.n; i += 2) {
        if (!read_digits((const char *)v->string.p + i, 2, HEX_DIGITS, &octet))
            return SHD_WRONG_TYPE;
        out->p[out->n++] = (unsigned char)octet;
    }
    return SHD_OK;
}

static enum shd_status read_units(const struct json *v, struct shd_text *out)
{
    struct shd_text octets = {0};
    uint16_t *units;
    enum shd_status status = read_octets(v, &octets);

    units = malloc(octets.n + 1);
    if (units == NULL)
        die("out of memory", "");
    for (size_t i = 0; i + 1 < octets.n; i += 2)
        units[i / 2] = (uint16_t)(octets.p[i] << 8 | octets.p[i + 1]);
    if (status == SHD_OK)
        status = octets.n % 2 == 0 ? shd_decode_units(units, octets.n / 2, out) : SHD_WRONG_TYPE;
    free(units);
    free(octets.p);
    return status;
}

/* ---- An operation at work: its input, what it computes, and its result ---- */

struct work {
    const struct json *input;
    bool is_text;                 /* a document is in `text`, otherwise in `octets` */
    struct shd_text octets, text; /* a document as it is, and after step 1 */
    struct shd_text normalised, stripped;
    const struct shd_text *cut; /* the text that the tokens are of */
    struct shd_tokens tokens;
    struct numbers numbers; /* hashes, or initial values */
    int64_t counters[64], count;
    struct shd_minhash minhash;
    bool has_none; /* there is no fingerprint (SIM-1, MIN-6) */
    enum shd_label label;
    uint64_t fingerprint[SHD_MAX_WORDS]; /* of the label; the first word is also that of any other number */
    unsigned table, n, k;
    const struct json *labelled[2]; /* to compare */
    struct shd_entry *entries;
    size_t entries_n;
    struct shd_index *index;
    struct shd_lookup3 lookup3;
    bool is_line; /* the result is a line of an accumulated vector, otherwise members in JSON */
    struct shd_text out;
};

static void free_work(struct work *w)
{
    void *const lists[] = {
        w->octets.p, w->text.p, w->normalised.p, w->stripped.p, w->tokens.p, w->numbers.p, w->entries, w->index,
        w->out.p,
    };

    for (size_t i = 0; i < COUNT_OF(lists); i++)
        free(lists[i]);
}

/* Ends a value. The last separator is taken back by close_list(), or at the end of the line. */
static void separate(struct work *w)
{
    add_octet(&w->out, w->is_line ? ' ' : ',');
}

static void close_list(struct work *w, char bracket)
{
    if (w->is_line)
        return;
    if (w->out.p[w->out.n - 1] == ',')
        w->out.n--;
    add_octet(&w->out, (unsigned char)bracket);
    separate(w);
}

/* A text, in a line as the digits of its octets. */
static void put_text(struct work *w, const unsigned char *s, size_t n)
{
    if (!w->is_line)
        add_octet(&w->out, '"');
    for (size_t i = 0; i < n; i++) {
        if (w->is_line)
            print(&w->out, "%02x", s[i]);
        else if (s[i] < 0x20 || s[i] == '"' || s[i] == '\\')
            print(&w->out, "\\u%04x", s[i]);
        else
            add_octet(&w->out, s[i]);
    }
    if (!w->is_line)
        add_octet(&w->out, '"');
    separate(w);
}

/* A value that printf() writes. A string has quotes, but not in a line. */
static void put(struct work *w, bool is_string, const char *format, ...)
{
    const char *quote = is_string && !w->is_line ? "\"" : "";
    va_list arguments;

    va_start(arguments, format);
    print(&w->out, "%s", quote);
    print_list(&w->out, format, arguments);
    print(&w->out, "%s", quote);
    separate(w);
    va_end(arguments);
}

/* ---- Members of results ---- */

static void put_classes(struct work *w)
{
    uint32_t point;

    for (size_t i = 0; i < w->text.n;) {
        i += shd_decode_one(w->text.p + i, w->text.n - i, &point);
        if (w->is_line)
            add_octet(&w->out, (unsigned char)shd_class(tables, point)[0]);
        else
            put(w, true, "%s", shd_class(tables, point));
    }
}

static bool is_minhash(enum shd_label label)
{
    return label == SHD_MINHASH || label == SHD_MINHASH_256;
}

/* The winning draws, or none without hashes. */
static void put_draws(struct work *w)
{
    for (unsigned i = 0; i < 64 * shd_words(w->label) && !w->has_none; i++)
        put(w, true, "%016" PRIx64, w->minhash.draw[i / 64][i % 64]);
}

static void put_tables(struct work *w, bool is_key)
{
    uint64_t permuted = 0;

    for (unsigned t = 0; t < SHD_TABLES; t++) {
        shd_permute(w->fingerprint[0], t, &permuted);
        if (is_key)
            put(w, false, "%" PRIu64, permuted >> 36);
        else
            put(w, true, "%016" PRIx64, permuted);
    }
}

/* What a member holds. Those from R_CLASSES on are lists. What a fingerprint gives is null where there is none. */
enum value {
    R_DECODED, R_NORMALISED, R_STRIPPED, R_COUNT, R_LABEL, R_LABELLED, R_BARE, R_NUMBER, R_OCTETS,
    R_CLASSES, R_TOKENS, R_HASHES, R_COUNTERS, R_DRAWS, R_PERMUTED, R_KEYS,
};

struct member {
    const char *name;
    enum value value;
};

static void put_value(struct work *w, enum value value)
{
    const struct shd_text *const texts[] = {&w->text, &w->normalised, &w->stripped};
    char written[SHD_LABELLED_SIZE] = "";
    unsigned char octets[8 * SHD_MAX_WORDS];

    switch (value) {
    case R_DECODED: case R_NORMALISED: case R_STRIPPED:
        put_text(w, texts[value]->p, texts[value]->n);
        break;
    case R_COUNT:
        put(w, false, "%" PRId64, w->count);
        break;
    case R_LABEL:
        put(w, true, "%s", shd_label_name(w->label));
        break;
    case R_LABELLED:
        shd_write_labelled(w->label, w->fingerprint, written);
        put(w, true, "%s", written);
        break;
    case R_BARE:
        shd_write(w->label, w->fingerprint, written);
        put(w, true, "%s", written);
        break;
    case R_NUMBER:
        shd_write_hex(w->label, w->fingerprint, written);
        put(w, true, "%s", written);
        break;
    case R_OCTETS:
        shd_write_octets(w->label, w->fingerprint, octets);
        for (unsigned i = 0; i < 8 * shd_words(w->label); i++)
            snprintf(written + 2 * i, 3, "%02x", octets[i]);
        put(w, true, "%s", written);
        break;
    case R_CLASSES:
        put_classes(w);
        break;
    case R_TOKENS:
        for (const struct shd_span *token = w->tokens.p; token < w->tokens.p + w->tokens.n; token++)
            put_text(w, w->cut->p + token->start, token->end - token->start);
        break;
    case R_HASHES:
        for (size_t i = 0; i < w->numbers.n; i++)
            put(w, true, "%016" PRIx64, w->numbers.p[i]);
        break;
    case R_COUNTERS:
        for (size_t i = 0; i < 64; i++)
            put(w, false, "%" PRId64, w->counters[i]);
        break;
    case R_DRAWS:
        put_draws(w);
        break;
    case R_PERMUTED: case R_KEYS:
        put_tables(w, value == R_KEYS);
    }
}

static void put_member(struct work *w, const struct member *member)
{
    enum value value = member->value;

    if ((value == R_COUNTERS && is_minhash(w->label)) || (value == R_DRAWS && !is_minhash(w->label)) ||
        (value == R_KEYS && shd_words(w->label) > 1))
        return; /* the label has none */
    if (!w->is_line)
        print(&w->out, "\"%s\":", member->name);
    if (w->has_none && (value == R_BARE || value == R_NUMBER || value == R_OCTETS || value == R_KEYS)) {
        put(w, false, w->is_line ? "-" : "null");
        return;
    }
    if (value >= R_CLASSES && !w->is_line)
        add_octet(&w->out, '[');
    put_value(w, value);
    if (value >= R_CLASSES)
        close_list(w, ']');
}

/* ---- Operations: each finds its arguments read, and leaves its result to the members that OPERATIONS names ---- */

enum code {
    HELLO, DECODE, CLASSIFY, NORMALISE, STRIP_LOCATORS, TOKENISE, TOKEN_HASH, LOOKUP3, SIMHASH, DRAW, MINHASH, TRUNCATE,
    SERIALISE, PARSE, PARSE_HEX, PARSE_LABEL, PARSE_LABELLED, FORMAT_LABELLED, COMPARE, TABLES, UNPERMUTE, PROBE,
    LOOKUP, FINGERPRINT, ACCUMULATE,
};

/* As a whole and octet by octet */
static enum shd_status op_lookup3(struct work *w)
{
    struct shd_lookup3 parts;
    uint64_t hash;

    shd_lookup3_start(&w->lookup3, w->octets.n, (uint32_t)w->numbers.p[0], (uint32_t)w->numbers.p[1]);
    parts = w->lookup3;
    shd_lookup3_add(&w->lookup3, w->octets.p, w->octets.n);
    for (size_t i = 0; i < w->octets.n; i++)
        shd_lookup3_add(&parts, w->octets.p + i, 1);
    hash = shd_lookup3_end(&w->lookup3);
    if (hash != shd_lookup3_end(&parts) || hash != ((uint64_t)w->lookup3.b << 32 | w->lookup3.c))
        return DISAGREEMENT;
    print(&w->out, "\"c\":\"%08" PRIx32 "\",\"b\":\"%08" PRIx32 "\",", w->lookup3.c, w->lookup3.b);
    return SHD_OK;
}

static enum shd_status op_simhash(struct work *w)
{
    if (is_minhash(w->label))
        return UNSUPPORTED;
    w->has_none = shd_simhash(w->numbers.p, w->numbers.n, w->counters, w->fingerprint) != SHD_OK;
    return SHD_OK;
}

static enum shd_status op_minhash(struct work *w)
{
    if (shd_minhash_start(&w->minhash, w->label) != SHD_OK)
        return UNSUPPORTED;
    for (size_t i = 0; i < w->numbers.n; i++)
        shd_minhash_add(&w->minhash, w->numbers.p[i]);
    w->has_none = shd_minhash_end(&w->minhash, w->fingerprint) != SHD_OK;
    return SHD_OK;
}

/* The fingerprint is that of a caller of the library; the intermediates are computed beside it. */
static enum shd_status op_fingerprint(struct work *w)
{
    const struct shd_text *document = w->is_text ? &w->text : &w->octets;
    enum shd_status status = shd_fingerprint(tables, document->p, document->n, w->label, w->fingerprint);
    uint64_t recomposed[SHD_MAX_WORDS];

    w->has_none = status == SHD_NO_FINGERPRINT;
    if (w->is_line || (status != SHD_OK && status != SHD_NO_FINGERPRINT))
        return w->has_none ? SHD_OK : status;
    if (!w->is_text)
        TRY(shd_decode(w->octets.p, w->octets.n, &w->text));
    TRY(shd_normalise(tables, &w->text, &w->normalised));
    TRY(shd_strip_locators(&w->normalised, &w->stripped));
    TRY(shd_tokenise(tables, &w->stripped, w->label, &w->tokens));
    w->cut = &w->stripped;
    w->count = (int64_t)w->tokens.n;
    if (is_minhash(w->label))
        TRY(shd_minhash_start(&w->minhash, w->label));
    for (size_t i = 0; i < w->tokens.n; i++) {
        const struct shd_span *token = &w->tokens.p[i];
        uint64_t hash = shd_token_hash(w->stripped.p + token->start, token->end - token->start);

        add_number(&w->numbers, hash);
        if (is_minhash(w->label))
            shd_minhash_add(&w->minhash, hash);
    }
    if (!is_minhash(w->label))
        shd_simhash(w->numbers.p, w->numbers.n, w->counters, recomposed);
    return SHD_OK;
}

/* CMP-2, CMP-1: of strings and, where these are read, of numbers */
static enum shd_status op_compare(struct work *w)
{
    const struct shd_text *x = &w->labelled[0]->string, *y = &w->labelled[1]->string; /* `p` is NULL for null */
    struct shd_comparison result, of_numbers;
    uint64_t other[SHD_MAX_WORDS];

    TRY(shd_compare_labelled((const char *)x->p, x->n, (const char *)y->p, y->n, &result));
    TRY(shd_read_labelled((const char *)x->p, x->n, &w->label, w->fingerprint));
    TRY(shd_read_labelled((const char *)y->p, y->n, &w->label, other));
    of_numbers = shd_compare(w->label, w->fingerprint, other);
    if (of_numbers.distance != result.distance || of_numbers.similarity != result.similarity ||
        strcmp(of_numbers.verdict, result.verdict) != 0)
        return DISAGREEMENT;
    print(&w->out, "\"distance\":%u,\"similarity\":%.8f,", result.distance, result.similarity);
    print(&w->out, "\"verdict\":\"%s\",", result.verdict);
    return SHD_OK;
}

static void count_probe(void *context, uint32_t probe)
{
    (void)probe;
    *(int64_t *)context += 1;
}

static void digest_probe(void *context, uint32_t probe)
{
    const unsigned char octets[4] = {
        (unsigned char)(probe >> 24), (unsigned char)(probe >> 16), (unsigned char)(probe >> 8), (unsigned char)probe,
    };

    shd_lookup3_add(context, octets, 4);
}

static enum shd_status op_probe(struct work *w)
{
    w->count = 0;
    TRY(shd_probes(w->fingerprint[0], w->table, w->k, count_probe, &w->count));
    shd_lookup3_start(&w->lookup3, 4 * (uint64_t)w->count, 0, 0);
    TRY(shd_probes(w->fingerprint[0], w->table, w->k, digest_probe, &w->lookup3));
    w->fingerprint[0] = shd_lookup3_end(&w->lookup3);
    return SHD_OK;
}

static enum shd_status op_lookup(struct work *w)
{
    struct shd_matches matches = {0};
    char digits[SHD_HEX_SIZE];
    enum shd_status status;

    status = shd_index_find(w->index, w->fingerprint, w->label, w->k, &matches);
    print(&w->out, "\"completeTo\":64,\"matches\":[");
    for (size_t i = 0; i < matches.n; i++) {
        const struct shd_match *match = &matches.p[i];

        print(&w->out, "{\"id\":");
        put_text(w, (const unsigned char *)match->entry->id, match->entry->size);
        shd_write_hex(w->label, match->entry->fingerprint, digits);
        print(&w->out, "\"fingerprint\":\"%s\",", digits);
        print(&w->out, "\"distance\":%u},", match->distance);
    }
    close_list(w, ']');
    free(matches.p);
    return status;
}

enum kind {
    NONE, TEXT, DOCUMENT, OCTETS, HEX8, HASH, HASHES, ANY_LABEL, LABEL, LABELLED, BITS, LONG_BITS, ENTRIES, TABLE, N, K,
};

#define LOOKUP3_FUNCTIONS "shd_lookup3_start, shd_lookup3_add, shd_lookup3_end"
#define MINHASH_FUNCTIONS "shd_minhash_start, shd_minhash_add, shd_minhash_end"

/*
 * An operation, the functions of the library that answer it, its arguments in the order in which they are checked, and
 * what its result holds.
 */
static const struct operation {
    enum code code;
    const char *name, *functions;
    size_t line; /* as a step of accumulated vectors: how many of the members a line has, the first ones */
    struct {
        enum kind kind;
        const char *name;
    } arguments[4];
    struct member result[13];
} OPERATIONS[] = {
    {HELLO, "hello", NULL, 0, {{0}}, {{0}}},
    {DECODE, "decode", "shd_decode, shd_decode_units", 1, {{DOCUMENT, ""}}, {{"text", R_DECODED}}},
    {CLASSIFY, "classify", "shd_class", 1, {{TEXT, "text"}}, {{"classes", R_CLASSES}}},
    {NORMALISE, "normalise", "shd_normalise", 1, {{TEXT, "text"}}, {{"text", R_NORMALISED}}},
    {STRIP_LOCATORS, "strip-locators", "shd_strip_locators", 1, {{TEXT, "text"}}, {{"text", R_STRIPPED}}},
    {TOKENISE, "tokenise", "shd_tokenise", 1, {{TEXT, "text"}, {ANY_LABEL, "label"}}, {{"tokens", R_TOKENS}}},
    {TOKEN_HASH, "token-hash", "shd_token_hash", 1, {{DOCUMENT, ""}}, {{"hash", R_NUMBER}}},
    {LOOKUP3, "lookup3", LOOKUP3_FUNCTIONS, 0, {{OCTETS, "utf8"}, {HEX8, "pc"}, {HEX8, "pb"}}, {{0}}},
    {SIMHASH, "simhash", "shd_simhash", 1, {{HASHES, "hashes"}, {ANY_LABEL, "label"}},
     {{"fingerprint", R_NUMBER}, {"counters", R_COUNTERS}}},
    {DRAW, "draw", "shd_draw", 0, {{HASH, "hash"}, {N, "n"}}, {{"draw", R_NUMBER}}},
    {MINHASH, "minhash", MINHASH_FUNCTIONS, 0, {{HASHES, "hashes"}, {LABEL, "label"}},
     {{"fingerprint", R_NUMBER}, {"draws", R_DRAWS}}},
    {TRUNCATE, "truncate", "shd_truncate", 0, {{LONG_BITS, "fingerprint"}}, {{"fingerprint", R_NUMBER}}},
    {SERIALISE, "serialise", "shd_write, shd_write_hex", 2, {{ANY_LABEL, "label"}, {BITS, "fingerprint"}},
     {{"text", R_BARE}, {"hex", R_NUMBER}}},
    {PARSE, "parse", "shd_read", 1, {{TEXT, "serialised"}, {ANY_LABEL, "label"}}, {{"fingerprint", R_NUMBER}}},
    {PARSE_HEX, "parse-hex", "shd_read_hex", 0, {{TEXT, "hex"}, {ANY_LABEL, "label"}}, {{"fingerprint", R_NUMBER}}},
    {PARSE_LABEL, "parse-label", "shd_read_label, shd_label_name", 0, {{LABEL, "label"}}, {{"label", R_LABEL}}},
    {PARSE_LABELLED, "parse-labelled", "shd_read_labelled", 0, {{TEXT, "labelled"}},
     {{"label", R_LABEL}, {"fingerprint", R_NUMBER}}},
    {FORMAT_LABELLED, "format-labelled", "shd_write_labelled", 0, {{LABEL, "label"}, {BITS, "fingerprint"}},
     {{"labelled", R_LABELLED}}},
    {COMPARE, "compare", "shd_compare_labelled, shd_compare", 0, {{LABELLED, "a"}, {LABELLED, "b"}}, {{0}}},
    {TABLES, "tables", "shd_permute", 2, {{BITS, "fingerprint"}}, {{"keys", R_KEYS}, {"permuted", R_PERMUTED}}},
    {UNPERMUTE, "unpermute", "shd_unpermute", 0, {{BITS, "permuted"}, {TABLE, "table"}}, {{"fingerprint", R_NUMBER}}},
    {PROBE, "probe", "shd_probes", 2, {{BITS, "fingerprint"}, {TABLE, "table"}, {K, "k"}},
     {{"count", R_COUNT}, {"digest", R_NUMBER}}},
    {LOOKUP, "lookup", "shd_index_build, shd_index_find", 0,
     {{ANY_LABEL, "label"}, {ENTRIES, "entries"}, {BITS, "query"}, {K, "k"}}, {{0}}},
    {FINGERPRINT, "fingerprint", "shd_fingerprint", 1, {{DOCUMENT, ""}, {ANY_LABEL, "label"}},
     {{"fingerprint", R_BARE}, {"decoded", R_DECODED}, {"normalised", R_NORMALISED}, {"stripped", R_STRIPPED},
      {"tokens", R_TOKENS}, {"tokenCount", R_COUNT}, {"hashes", R_HASHES}, {"counters", R_COUNTERS},
      {"draws", R_DRAWS}, {"octets", R_OCTETS}, {"hex", R_NUMBER}, {"keys", R_KEYS}}},
    {ACCUMULATE, "accumulate", NULL, 0, {{0}}, {{0}}},
};

/* The operation of this name, or NULL. */
static const struct operation *find_operation(const struct shd_text *name)
{
    for (size_t i = 0; i < COUNT_OF(OPERATIONS); i++)
        if (equals(name, OPERATIONS[i].name))
            return &OPERATIONS[i];
    return NULL;
}

static void op_hello(struct work *w)
{
    print(&w->out, "\"name\":\"" NAME "\",\"version\":\"" SHD_VERSION "\",\"language\":\"C\",\"protocol\":1,");
    print(&w->out, "\"unicode\":\"%s\",\"operations\":[", utf8proc_unicode_version());
    for (size_t i = 1; i < COUNT_OF(OPERATIONS); i++)
        put(w, true, "%s", OPERATIONS[i].name);
    close_list(w, ']');
    print(&w->out, "\"labels\":[");
    for (unsigned label = 0; shd_label_name((enum shd_label)label) != NULL; label++)
        put(w, true, "%s", shd_label_name((enum shd_label)label));
    close_list(w, ']');
    print(&w->out, "\"declines\":[],\"functions\":{");
    for (size_t i = 0; i < COUNT_OF(OPERATIONS); i++)
        if (OPERATIONS[i].functions != NULL) {
            print(&w->out, "\"%s\":", OPERATIONS[i].name);
            put(w, true, "%s", OPERATIONS[i].functions);
        }
    close_list(w, '}');
}

static enum shd_status op_accumulate(struct work *w);

static enum shd_status operate(enum code code, struct work *w)
{
    const char *text = (const char *)w->text.p;

    switch (code) {
    case HELLO:
        op_hello(w);
        return SHD_OK;
    case DECODE:
        return w->is_text ? SHD_OK : shd_decode(w->octets.p, w->octets.n, &w->text);
    case NORMALISE:
        return shd_normalise(tables, &w->text, &w->normalised);
    case STRIP_LOCATORS:
        return shd_strip_locators(&w->text, &w->stripped);
    case TOKENISE:
        w->cut = &w->text;
        return shd_tokenise(tables, &w->text, w->label, &w->tokens);
    case TOKEN_HASH:
        w->fingerprint[0] = w->is_text ? shd_token_hash(text, w->text.n) : shd_token_hash(w->octets.p, w->octets.n);
        return SHD_OK;
    case LOOKUP3:
        return op_lookup3(w);
    case SIMHASH:
        return op_simhash(w);
    case DRAW:
        return shd_draw(w->fingerprint[0], w->n, &w->fingerprint[0]);
    case MINHASH:
        return op_minhash(w);
    case TRUNCATE:
        w->fingerprint[0] = shd_truncate(w->fingerprint);
        return SHD_OK;
    case PARSE:
        return shd_read(text, w->text.n, w->label, w->fingerprint);
    case PARSE_HEX:
        return shd_read_hex(text, w->text.n, w->label, w->fingerprint);
    case PARSE_LABELLED:
        return shd_read_labelled(text, w->text.n, &w->label, w->fingerprint);
    case COMPARE:
        return op_compare(w);
    case UNPERMUTE:
        return shd_unpermute(w->fingerprint[0], w->table, &w->fingerprint[0]);
    case PROBE:
        return op_probe(w);
    case LOOKUP:
        return op_lookup(w);
    case FINGERPRINT:
        return op_fingerprint(w);
    case ACCUMULATE:
        return op_accumulate(w);
    case CLASSIFY: case SERIALISE: case PARSE_LABEL: case FORMAT_LABELLED: case TABLES:
        break; /* the arguments are all that the members need */
    }
    return SHD_OK;
}

/* ---- Arguments ---- */

static enum shd_status read_document(const struct json *input, struct work *w)
{
    const struct json *text = get(input, "text"), *utf8 = get(input, "utf8"), *utf16 = get(input, "utf16");

    w->is_text = utf8 == NULL;
    if (utf8 != NULL)
        return read_octets(utf8, &w->octets);
    return text != NULL ? read_text(text, &w->text) : read_units(utf16, &w->text);
}

static enum shd_status read_hashes(const struct json *v, struct work *w)
{
    uint64_t hash;

    if (!is_type(v, JSON_ARRAY))
        return SHD_WRONG_TYPE;
    for (size_t i = 0; i < v->n; i++) {
        TRY(read_hex(&v->p[i], 16, &hash));
        add_number(&w->numbers, hash);
    }
    return SHD_OK;
}

static enum shd_status read_label(const struct json *v, struct work *w)
{
    if (!is_type(v, JSON_STRING))
        return SHD_WRONG_TYPE;
    return shd_read_label((const char *)v->string.p, v->string.n, &w->label);
}

/* The index is built here: an entry that it refuses comes before the query. */
static enum shd_status read_entries(const struct json *v, struct work *w)
{
    enum shd_status status = SHD_OK;

    if (!is_type(v, JSON_ARRAY))
        return SHD_WRONG_TYPE;
    w->entries = calloc(v->n + 1, sizeof *w->entries);
    if (w->entries == NULL)
        return SHD_NO_MEMORY;
    for (; w->entries_n < v->n && status == SHD_OK; w->entries_n++) {
        struct shd_entry *entry = &w->entries[w->entries_n];
        const struct json *id = get(&v->p[w->entries_n], "id");

        if (!is_type(id, JSON_STRING))
            return SHD_WRONG_TYPE;
        *entry = (struct shd_entry){(const char *)id->string.p, id->string.n, {0}};
        status = read_fingerprint(get(&v->p[w->entries_n], "fingerprint"), w->label, entry->fingerprint);
    }
    TRY(shd_index_build(w->entries, w->entries_n, w->label, &w->index));
    return status;
}

static enum shd_status read_argument(enum kind kind, const struct json *v, struct work *w)
{
    uint64_t number;

    switch (kind) {
    case TEXT:
        w->is_text = true;
        return read_text(v, &w->text);
    case DOCUMENT:
        return read_document(w->input, w);
    case OCTETS:
        return read_octets(v, &w->octets);
    case HEX8:
        TRY(read_hex(v, 8, &number));
        add_number(&w->numbers, number);
        return SHD_OK;
    case HASH:
        return read_hex(v, 16, &w->fingerprint[0]);
    case HASHES:
        return read_hashes(v, w);
    case ANY_LABEL:
        return v == NULL ? SHD_OK : read_label(v, w);
    case LABEL:
        return read_label(v, w);
    case LABELLED:
        w->labelled[w->labelled[0] != NULL] = v;
        return is_type(v, JSON_NULL) || is_type(v, JSON_STRING) ? SHD_OK : SHD_WRONG_TYPE;
    case BITS:
        return read_fingerprint(v, w->label, w->fingerprint);
    case LONG_BITS:
        return read_fingerprint(v, SHD_MINHASH_256, w->fingerprint);
    case ENTRIES:
        return read_entries(v, w);
    case TABLE:
        return read_integer(v, 0, SHD_TABLES - 1, &w->table);
    case N:
        return read_integer(v, 0, 511, &w->n);
    case K:
        w->k = SHD_DEFAULT_K;
        return v == NULL ? SHD_OK : read_integer(v, 0, 64, &w->k);
    case NONE:
        break;
    }
    return SHD_OK;
}

/* ---- Accumulated vectors: many cases of one step ---- */

static uint32_t rotate(uint32_t x, unsigned bits)
{
    return x >> bits | x << (32 - bits);
}

/* One block of SHA-256 (FIPS 180-4): 64 octets. */
static void digest_block(uint32_t h[8], const unsigned char *block)
{
    static const uint32_t K[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
    };
    uint32_t w[64], v[8];

    for (unsigned i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
               (uint32_t)block[4 * i + 3];
    for (unsigned i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] + (rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3) +
               (rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(v, h, sizeof v);
    for (unsigned i = 0; i < 64; i++) {
        uint32_t x = v[7] + (rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)) +
                     ((v[4] & v[5]) ^ (~v[4] & v[6])) + K[i] + w[i];
        uint32_t y = (rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)) +
                     ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));

        memmove(v + 1, v, 7 * sizeof v[0]);
        v[4] += x;
        v[0] = x + y;
    }
    for (unsigned i = 0; i < 8; i++)
        h[i] += v[i];
}

/* Takes whole blocks out of a text. */
static void digest_blocks(uint32_t h[8], struct shd_text *text)
{
    size_t done = 0;

    for (; text->n - done >= 64; done += 64)
        digest_block(h, text->p + done);
    text->n -= done;
    memmove(text->p, text->p + done, text->n);
}

/* splitmix64 */
static uint64_t next_number(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* Appends one text of a list of texts. */
static enum shd_status build_piece(const struct json *list, uint64_t *state, struct shd_text *to)
{
    if (list == NULL || list->type != JSON_ARRAY || list->n == 0)
        return SHD_WRONG_TYPE;
    return read_text(&list->p[next_number(state) % list->n], to);
}

/* Reads the first and the last code point of a range, and how often it counts. */
static enum shd_status read_range(const struct json *v, unsigned range[3], uint64_t *size)
{
    range[2] = 1;
    if (v->type != JSON_ARRAY || v->n < 2)
        return SHD_WRONG_TYPE;
    TRY(read_integer(&v->p[0], 0, 0x10FFFF, &range[0]));
    TRY(read_integer(&v->p[1], range[0], 0x10FFFF, &range[1]));
    if (v->n > 2)
        TRY(read_integer(&v->p[2], 1, INT32_MAX, &range[2]));
    *size = (uint64_t)(range[1] - range[0] + 1) * range[2];
    return SHD_OK;
}

/* Appends one code point of a list of ranges, whose sizes make `total`. */
static enum shd_status build_point(const struct json *list, uint64_t total, uint64_t *state, struct shd_text *to)
{
    uint64_t x = next_number(state) % total, size = 0;
    unsigned range[3];

    for (size_t r = 0; r == 0 || x >= size; r++) {
        x -= size;
        TRY(read_range(&list->p[r], range, &size));
    }
    add_point(to, range[0] + (uint32_t)(x % (range[1] - range[0] + 1)));
    return SHD_OK;
}

/* Applies the rule `octets` (0), `words` (1) or `code-points` (2). */
static enum shd_status build(size_t r, const struct json *rule, uint64_t state, size_t count, struct work *w)
{
    const struct json *ranges = get(rule, "ranges");
    uint64_t total = 0, size = 0;
    unsigned range[3];

    for (size_t i = 0; r == 2 && is_type(ranges, JSON_ARRAY) && i < ranges->n; i++, total += size)
        TRY(read_range(&ranges->p[i], range, &size));
    if (r == 2 && total == 0)
        return SHD_WRONG_TYPE;
    for (size_t i = 0; i < count; i++) {
        if (r == 1 && i > 0)
            TRY(build_piece(get(rule, "separators"), &state, &w->text));
        if (r == 0)
            add_octet(&w->octets, (unsigned char)(next_number(&state) % 256));
        else
            TRY(r == 1 ? build_piece(get(rule, "vocabulary"), &state, &w->text)
                       : build_point(ranges, total, &state, &w->text));
    }
    return SHD_OK;
}

/* Runs one case, whose text or octets are built, and appends its line. */
static void run_case(const struct operation *operation, struct work *w)
{
    enum shd_status status;
    bool is_number = operation->code == SIMHASH || operation->code == SERIALISE || operation->code == TABLES ||
                     operation->code == PROBE;
    size_t start = w->out.n;

    for (size_t i = 0; is_number && i + 8 <= w->octets.n; i += 8) {
        shd_read_octets(w->octets.p + i, 8, SHD_SIMHASH, w->fingerprint);
        add_number(&w->numbers, w->fingerprint[0]);
    }
    status = operate(operation->code, w);
    for (size_t i = 0; i < operation->line && status == SHD_OK; i++)
        put_member(w, &operation->result[i]);
    if (status != SHD_OK)
        print(&w->out, "%s", shd_code(status));
    else if (w->out.n > start && w->out.p[w->out.n - 1] == ' ')
        w->out.n--;
    add_octet(&w->out, '\n');
}

static enum shd_status op_accumulate(struct work *w)
{
    static const char *const RULES[] = {"octets", "words", "code-points"};
    uint32_t digest[8] = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    };
    uint64_t octets = 0;
    const struct json *step = get(w->input, "step"), *rule = get(w->input, "rule"), *name = get(rule, "rule");
    const struct operation *operation;
    unsigned seed, count, least, most;
    size_t r = 0;

    TRY(read_integer(get(rule, "least"), 0, INT32_MAX, &least));
    TRY(read_integer(get(rule, "most"), least, INT32_MAX, &most));
    TRY(read_integer(get(w->input, "seed"), 0, UINT32_MAX, &seed));
    TRY(read_integer(get(w->input, "count"), 0, (int64_t)UINT32_MAX - seed, &count));
    if (!is_type(step, JSON_STRING) || !is_type(name, JSON_STRING))
        return SHD_WRONG_TYPE;
    operation = find_operation(&step->string);
    while (r < COUNT_OF(RULES) && !equals(&name->string, RULES[r]))
        r++;
    if (operation == NULL || operation->line == 0 || r == COUNT_OF(RULES))
        return UNSUPPORTED;
    w->is_text = r > 0;
    w->is_line = true;
    for (unsigned i = 0; i < count; i++) {
        w->octets.n = w->text.n = w->numbers.n = 0;
        w->table = i % 16;
        w->k = i / 16 % 8;
        TRY(build(r, rule, seed + i, least + i % (most - least + 1), w));
        octets -= w->out.n;
        run_case(operation, w);
        octets += w->out.n;
        digest_blocks(digest, &w->out);
    }
    add_octet(&w->out, 0x80);
    while (w->out.n % 64 != 56)
        add_octet(&w->out, 0);
    for (unsigned shift = 64; shift > 0; shift -= 8)
        add_octet(&w->out, (unsigned char)(octets * 8 >> (shift - 8)));
    digest_blocks(digest, &w->out);
    w->is_line = false;
    print(&w->out, "\"digest\":\"");
    for (size_t i = 0; i < 8; i++)
        print(&w->out, "%08" PRIx32, digest[i]);
    print(&w->out, "\",");
    return SHD_OK;
}

/* ---- The protocol ---- */

/* Reads the arguments of an operation from left to right, runs it, and writes the members of its result. */
static enum shd_status run(const struct operation *operation, struct work *w)
{
    if (operation == NULL)
        return UNSUPPORTED;
    for (size_t i = 0; i < COUNT_OF(operation->arguments) && operation->arguments[i].kind != NONE; i++)
        TRY(read_argument(operation->arguments[i].kind, get(w->input, operation->arguments[i].name), w));
    TRY(operate(operation->code, w));
    for (size_t i = 0; i < COUNT_OF(operation->result) && operation->result[i].name != NULL; i++)
        put_member(w, &operation->result[i]);
    return SHD_OK;
}

static void write_out(const void *octets, size_t n)
{
    if (fwrite(octets, 1, n, stdout) != n || fflush(stdout) != 0)
        die("cannot write to standard output", "");
}

/* Answers one line, which ends with a zero. */
static void answer(const char *line)
{
    struct json request = {0};
    bool is_json = read_value(&line, &request, 0) && (take(&line, ""), *line == '\0');
    const struct json *id = get(&request, "id"), *op = get(&request, "op");
    struct work w = {.input = get(&request, "input")}, reply = {0};
    enum shd_status status;

    if (!is_json || !is_type(id, JSON_STRING) || !is_type(op, JSON_STRING))
        die("a line of the input is not a request", "");
    status = run(find_operation(&op->string), &w);
    add_octet(&reply.out, '{');
    print(&reply.out, "\"id\":");
    put_text(&reply, id->string.p, id->string.n);
    if (status == SHD_NO_MEMORY) {
        die("out of memory", "");
    } else if (status == SHD_OK) {
        print(&reply.out, "\"ok\":{");
        add_octets(&reply.out, w.out.p, w.out.n);
        close_list(&reply, '}');
    } else if (status == UNSUPPORTED) {
        print(&reply.out, "\"unsupported\":true,");
    } else if (status == DISAGREEMENT) {
        print(&reply.out, "\"error\":{\"code\":\"internal\",\"message\":\"two functions disagree\"},");
    } else {
        print(&reply.out, "\"error\":{\"code\":\"%s\"},", shd_code(status));
    }
    close_list(&reply, '}');
    reply.out.p[reply.out.n - 1] = '\n';
    write_out(reply.out.p, reply.out.n);
    free_work(&w);
    free_work(&reply);
    free_json(&request);
}

/* Reads one line without its LF, or the rest of the file if `end` is EOF. False if there is nothing more. */
static bool read_until(FILE *file, int end, struct shd_text *out)
{
    int octet;

    out->n = 0;
    while ((octet = getc(file)) != end && octet != EOF)
        add_octet(out, (unsigned char)octet);
    if (ferror(file))
        die("cannot read", "");
    return out->n > 0 || octet != EOF;
}

static void read_file(const char *folder, const char *name, struct shd_text *out)
{
    struct shd_text path = {0};
    FILE *file;

    add_octets(&path, folder, strlen(folder));
    add_octets(&path, name, strlen(name) + 1);
    file = fopen((const char *)path.p, "rb");
    if (file == NULL)
        die("cannot read ", (const char *)path.p);
    read_until(file, EOF, out);
    fclose(file);
    free(path.p);
}

static void load_tables(const char *folder)
{
    struct shd_text classes = {0}, bigrams = {0};

    read_file(folder, "/word-classes.txt", &classes);
    read_file(folder, "/bigrams/bg1.txt", &bigrams);
    if (shd_load((char *)classes.p, classes.n, (char *)bigrams.p, bigrams.n, &tables) != SHD_OK)
        die("not the tables of the specification, or an old utf8proc: ", folder);
    free(classes.p);
    free(bigrams.p);
}

/* Writes the fingerprint of a document, or an empty line if there is none. */
static void answer_once(const struct shd_text *document)
{
    char bare[SHD_BARE_SIZE + 1] = "";
    uint64_t fingerprint;
    enum shd_status status = shd_fingerprint(tables, document->p, document->n, SHD_SIMHASH, &fingerprint);

    if (status == SHD_OK)
        shd_write(SHD_SIMHASH, &fingerprint, bare);
    else if (status != SHD_NO_FINGERPRINT)
        die(shd_code(status), "");
    strcat(bare, "\n");
    write_out(bare, strlen(bare));
}

int main(int argc, char **argv)
{
    const char *folder = getenv("SIMHASH_DOC_SPEC");
    bool is_once = argc > 1 && strcmp(argv[argc - 1], "--one-shot") == 0;
    struct shd_text input = {0};

    if (argc > 1 + is_once)
        folder = argv[1];
    load_tables(folder != NULL ? folder : "spec");
    if (is_once) {
        read_until(stdin, EOF, &input);
        answer_once(&input);
    } else {
        while (read_until(stdin, '\n', &input)) {
            add_octet(&input, '\0');
            answer((const char *)input.p);
        }
    }
    free(input.p);
    free(tables);
    return 0;
}
