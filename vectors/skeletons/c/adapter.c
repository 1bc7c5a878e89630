/*
 * Adapter between an implementation of simhash-doc in C and the conformance tests.
 *
 * It speaks the adapter protocol, version 1 (vectors/README.md): JSON Lines on standard input and
 * output, one reply for each request. It needs C11 and only the standard library; the JSON reader
 * and writer are at the end of this file.
 *
 *     cc -O2 -o adapter adapter.c
 *     simhash-doc conformance --bail -- ./adapter      stops at the first failure
 *     simhash-doc conformance -- ./adapter             runs all vectors
 *
 * What to do: replace "return UNSUPPORTED;" in the functions below by calls of your implementation,
 * in any order. Operations that return it are not tested and do not count as wrong; you may also
 * return it for single inputs. But a class needs every vector of its operations, except inputs of
 * the kinds in DECLINES.
 *
 * To offer other labels than simhash-doc, add them to LABELS; the functions that take a label then get
 * them, in lower case.
 */

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME "my-implementation"
#define VERSION "0.0.0"
/* The labels that are offered, of simhash-doc, simhash-doc+bg1, minhash-doc and minhash-doc-256, as JSON. */
#define LABELS "[\"simhash-doc\"]"
/* The kinds of inputs that are declined (vectors/README.md, "Declined inputs"), as JSON: "[\"utf16\"]" for an
   implementation that takes octets only. */
#define DECLINES "[]"
/* The functions of the product by the operations that they answer, as JSON: "{\"fingerprint\":\"my_fingerprint\"}". */
#define FUNCTIONS "{}"
/* The Unicode version of the library that NFC comes from, as JSON: "\"15.0.0\"", or null. */
#define UNICODE "null"

/* A value of JSON. Texts are UTF-8 and may contain NUL, so they have a length. */
struct json {
    enum { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_OBJECT } type;
    char *text; /* of a text its octets; of a number its digits */
    size_t length;
    struct json *items; /* of a list or an object: the first item */
    struct json *next;  /* the next item of the list or object that contains this one */
    struct json *name;  /* of a member of an object: a text */
};

/* The result of an operation: OK, UNSUPPORTED, or the code of an error of the specification. */
typedef const char *status;
static const char OK[] = "ok";
static const char UNSUPPORTED[] = "unsupported";

static void die(const char *message);
static void *take_memory(size_t size);
static const struct json *get(const struct json *object, const char *name);
static void put(const char *format, ...);
static void put_text(const char *octets, size_t length);

/* -------------------------------------------------------------------------------------- your implementation
 * Each function writes the "ok" of its reply (vectors/README.md, section Operations) and returns OK,
 * such as
 *
 *     put("{\"hash\":\"%016" PRIx64 "\"}", my_hash(octets, length));
 *     return OK;
 *
 * put_text() writes a text with its quotes. To refuse an input: return "invalid-fingerprint", or
 * another code of the specification, section Errors. A fingerprint is one word of 64 bits, or four under
 * minhash-doc-256; NULL stands for a document without one. Memory from take_memory() lasts until the reply is sent.
 */

/* Octets, such as a text in UTF-8. */
struct octets {
    const unsigned char *at;
    size_t length;
};

/* Step 1. */
static status decode(struct octets octets)
{
    (void)octets;
    return UNSUPPORTED;
}

/* Step 1, for 16-bit units. */
static status decode_units(const uint16_t *units, size_t count)
{
    (void)units, (void)count;
    return UNSUPPORTED;
}

/* Step 2. */
static status classify(struct octets text)
{
    (void)text;
    return UNSUPPORTED;
}

/* Step 3. */
static status normalise(struct octets text)
{
    (void)text;
    return UNSUPPORTED;
}

/* Step 4. */
static status strip_locators(struct octets text)
{
    (void)text;
    return UNSUPPORTED;
}

/* Step 5. */
static status tokenise(struct octets text, const char *label)
{
    (void)text, (void)label;
    return UNSUPPORTED;
}

/* Step 7: the hash of a token. */
static status token_hash(struct octets token)
{
    (void)token;
    return UNSUPPORTED;
}

/* Step 7 with initial values. */
static status lookup3(struct octets octets, uint32_t pc, uint32_t pb)
{
    (void)octets, (void)pc, (void)pb;
    return UNSUPPORTED;
}

/* Step 8. */
static status simhash(const uint64_t *hashes, size_t count)
{
    (void)hashes, (void)count;
    return UNSUPPORTED;
}

/* minhash-doc: S(element, n). */
static status draw(uint64_t element, long long n)
{
    (void)element, (void)n;
    return UNSUPPORTED;
}

/* minhash-doc: the fingerprint, and the winning draws, bin 0 of word 0 first. */
static status minhash(const uint64_t *hashes, size_t count, const char *label)
{
    (void)hashes, (void)count, (void)label;
    return UNSUPPORTED;
}

/* minhash-doc: the fingerprint of minhash-doc that one of minhash-doc-256 begins with. */
static status truncate_fingerprint(const uint64_t *fingerprint)
{
    (void)fingerprint;
    return UNSUPPORTED;
}

/* Step 9. */
static status serialise(const uint64_t *fingerprint, const char *label)
{
    (void)fingerprint, (void)label;
    return UNSUPPORTED;
}

/* Step 9, for 13 or 52 characters. */
static status parse(struct octets serialised, const char *label)
{
    (void)serialised, (void)label;
    return UNSUPPORTED;
}

/* Step 9, for the hexadecimal form. */
static status parse_hex(struct octets digits, const char *label)
{
    (void)digits, (void)label;
    return UNSUPPORTED;
}

/* Labels: the label in lower case. */
static status parse_label(struct octets label)
{
    (void)label;
    return UNSUPPORTED;
}

/* Labels: the label and the fingerprint. */
static status parse_labelled(struct octets labelled)
{
    (void)labelled;
    return UNSUPPORTED;
}

/* Labels: the labelled form. */
static status format_labelled(struct octets label, const uint64_t *fingerprint)
{
    (void)label, (void)fingerprint;
    return UNSUPPORTED;
}

/* Step 10, for two labelled forms; NULL in the place of the octets stands for null. */
static status compare(struct octets a, struct octets b)
{
    (void)a, (void)b;
    return UNSUPPORTED;
}

/* Step 11. */
static status tables(const uint64_t *fingerprint)
{
    (void)fingerprint;
    return UNSUPPORTED;
}

/* Step 11. */
static status unpermute(uint64_t permuted, long long table)
{
    (void)permuted, (void)table;
    return UNSUPPORTED;
}

/* Step 11. */
static status probe(const uint64_t *fingerprint, long long table, long long k)
{
    (void)fingerprint, (void)table, (void)k;
    return UNSUPPORTED;
}

/* A document in a lookup. */
struct entry {
    struct octets id;
    const uint64_t *fingerprint;
};

/* Step 11. */
static status lookup(const struct entry *entries, size_t count, const uint64_t *query, long long k, const char *label)
{
    (void)entries, (void)count, (void)query, (void)k, (void)label;
    return UNSUPPORTED;
}

/*
 * Steps 1 to 9. Add "decoded", "normalised", "stripped", "tokens", "hashes", and "counters" or "draws"
 * to "fingerprint" if you have them: they show which step goes wrong.
 */
static status fingerprint(struct octets document, const char *label)
{
    (void)document, (void)label;
    return UNSUPPORTED;
}

/* Steps 1 to 9, for 16-bit units. */
static status fingerprint_of_units(const uint16_t *units, size_t count, const char *label)
{
    (void)units, (void)count, (void)label;
    return UNSUPPORTED;
}

/* Many cases of one step (vectors/README.md, section Accumulated vectors). */
static status accumulate(struct octets step, const struct json *rule, long long seed, long long count)
{
    (void)step, (void)rule, (void)seed, (void)count;
    return UNSUPPORTED;
}

/* Extraction and steps 1 to 9. */
static status extract(struct octets document, struct octets medium)
{
    (void)document, (void)medium;
    return UNSUPPORTED;
}

/* The HTML profile; NULL in the place of the octets stands for no charset. */
static status extract_html(struct octets document, struct octets charset)
{
    (void)document, (void)charset;
    return UNSUPPORTED;
}

/* ----------------------------------------------------------------------------------------------- operations */

/* A member that is a text; NULL in the place of its octets stands for null or no member. */
static struct octets text_of(const struct json *input, const char *name)
{
    const struct json *text = get(input, name);
    struct octets octets = { NULL, 0 };

    if (text == NULL || text->type == JSON_NULL)
        return octets;
    if (text->type != JSON_TEXT)
        die("expected a text");
    octets.at = (const unsigned char *)text->text;
    octets.length = text->length;
    return octets;
}

/* A number of `length` hexadecimal digits. */
static uint64_t number_of(const unsigned char *digits, size_t length)
{
    uint64_t number = 0;
    size_t i;

    for (i = 0; i < length; i++) {
        unsigned char c = digits[i];

        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
            die("expected hexadecimal digits");
        number = number << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return number;
}

static uint64_t hex_of(const struct json *input, const char *name)
{
    struct octets digits = text_of(input, name);

    return number_of(digits.at, digits.length);
}

/* The words of a fingerprint; NULL stands for null. */
static const uint64_t *fingerprint_of(const struct json *input, const char *name)
{
    struct octets digits = text_of(input, name);
    uint64_t *words;
    size_t i;

    if (digits.at == NULL)
        return NULL;
    words = take_memory(digits.length / 2 + 1);
    for (i = 0; i < digits.length / 16; i++)
        words[i] = number_of(digits.at + 16 * i, 16);
    return words;
}

/* The label of an operation. */
static const char *label_of(const struct json *input)
{
    const struct json *label = get(input, "label");

    return label != NULL && label->type == JSON_TEXT ? label->text : "simhash-doc";
}

static long long integer_of(const struct json *input, const char *name, long long missing)
{
    const struct json *number = get(input, name);

    if (number == NULL)
        return missing;
    if (number->type != JSON_NUMBER)
        die("expected a number");
    return strtoll(number->text, NULL, 10);
}

/* The octets of a text, or of pairs of hexadecimal digits. */
static struct octets octets_of(const struct json *input)
{
    struct octets octets = text_of(input, "text");
    struct octets digits;
    unsigned char *to;
    size_t i;

    if (octets.at != NULL)
        return octets;
    digits = text_of(input, "utf8");
    if (digits.at == NULL)
        die("expected an input with \"text\" or \"utf8\"");
    octets.length = digits.length / 2;
    octets.at = to = take_memory(octets.length + 1);
    for (i = 0; i < octets.length; i++)
        to[i] = (unsigned char)number_of(digits.at + 2 * i, 2);
    return octets;
}

/* 16-bit units; NULL if the input has none. */
static const uint16_t *units_of(const struct json *input, size_t *count)
{
    struct octets digits = text_of(input, "utf16");
    uint16_t *units;
    size_t i;

    if (digits.at == NULL)
        return NULL;
    *count = digits.length / 4;
    units = take_memory(*count * sizeof *units + 1);
    for (i = 0; i < *count; i++)
        units[i] = (uint16_t)number_of(digits.at + 4 * i, 4);
    return units;
}

static struct octets octets_of_base64(struct octets text)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char *to = take_memory(text.length + 1);
    struct octets octets = { to, 0 };
    unsigned long bits = 0;
    int count = 0;
    size_t i;

    for (i = 0; i < text.length && text.at[i] != '='; i++) {
        const char *digit = text.at[i] != 0 ? strchr(alphabet, text.at[i]) : NULL;

        if (digit == NULL)
            die("expected base64");
        bits = (bits << 6 | (unsigned long)(digit - alphabet)) & 0xffff;
        count += 6;
        if (count >= 8) {
            count -= 8;
            to[octets.length++] = (unsigned char)(bits >> count);
        }
    }
    return octets;
}

static status operation_decode(const struct json *input)
{
    size_t count = 0;
    const uint16_t *units = units_of(input, &count);

    return units != NULL ? decode_units(units, count) : decode(octets_of(input));
}

static status operation_classify(const struct json *input) { return classify(text_of(input, "text")); }
static status operation_normalise(const struct json *input) { return normalise(text_of(input, "text")); }
static status operation_strip_locators(const struct json *input) { return strip_locators(text_of(input, "text")); }
static status operation_tokenise(const struct json *input) { return tokenise(text_of(input, "text"), label_of(input)); }
static status operation_token_hash(const struct json *input) { return token_hash(octets_of(input)); }

static status operation_lookup3(const struct json *input)
{
    return lookup3(octets_of(input), (uint32_t)hex_of(input, "pc"), (uint32_t)hex_of(input, "pb"));
}

static size_t count_items(const struct json *list)
{
    const struct json *item;
    size_t count = 0;

    for (item = list != NULL ? list->items : NULL; item != NULL; item = item->next)
        count++;
    return count;
}

static const uint64_t *hashes_of(const struct json *input, size_t *count)
{
    const struct json *list = get(input, "hashes");
    const struct json *item;
    size_t i = 0;
    uint64_t *hashes;

    *count = count_items(list);
    hashes = take_memory(*count * sizeof *hashes + 1);
    for (item = list != NULL ? list->items : NULL; item != NULL; item = item->next)
        hashes[i++] = number_of((const unsigned char *)item->text, item->length);
    return hashes;
}

static status operation_simhash(const struct json *input)
{
    size_t count;
    const uint64_t *hashes = hashes_of(input, &count);

    return simhash(hashes, count);
}

static status operation_draw(const struct json *input)
{
    return draw(hex_of(input, "hash"), integer_of(input, "n", 0));
}

static status operation_minhash(const struct json *input)
{
    size_t count;
    const uint64_t *hashes = hashes_of(input, &count);

    return minhash(hashes, count, label_of(input));
}

static status operation_truncate(const struct json *input)
{
    return truncate_fingerprint(fingerprint_of(input, "fingerprint"));
}

static status operation_serialise(const struct json *input)
{
    return serialise(fingerprint_of(input, "fingerprint"), label_of(input));
}

static status operation_parse(const struct json *input)
{
    return parse(text_of(input, "serialised"), label_of(input));
}

static status operation_parse_hex(const struct json *input)
{
    return parse_hex(text_of(input, "hex"), label_of(input));
}

static status operation_parse_label(const struct json *input) { return parse_label(text_of(input, "label")); }
static status operation_parse_labelled(const struct json *input) { return parse_labelled(text_of(input, "labelled")); }

static status operation_format_labelled(const struct json *input)
{
    return format_labelled(text_of(input, "label"), fingerprint_of(input, "fingerprint"));
}

static status operation_compare(const struct json *input) { return compare(text_of(input, "a"), text_of(input, "b")); }
static status operation_tables(const struct json *input) { return tables(fingerprint_of(input, "fingerprint")); }

static status operation_unpermute(const struct json *input)
{
    return unpermute(hex_of(input, "permuted"), integer_of(input, "table", 0));
}

static status operation_probe(const struct json *input)
{
    return probe(fingerprint_of(input, "fingerprint"), integer_of(input, "table", 0), integer_of(input, "k", 3));
}

static status operation_lookup(const struct json *input)
{
    const struct json *list = get(input, "entries");
    const struct json *item;
    size_t count = count_items(list), i = 0;
    struct entry *entries = take_memory(count * sizeof *entries + 1);

    for (item = list != NULL ? list->items : NULL; item != NULL; item = item->next, i++) {
        entries[i].id = text_of(item, "id");
        entries[i].fingerprint = fingerprint_of(item, "fingerprint");
    }
    return lookup(entries, count, fingerprint_of(input, "query"), integer_of(input, "k", 3), label_of(input));
}

static status operation_fingerprint(const struct json *input)
{
    size_t count = 0;
    const uint16_t *units = units_of(input, &count);

    if (units != NULL)
        return fingerprint_of_units(units, count, label_of(input));
    return fingerprint(octets_of(input), label_of(input));
}

static status operation_accumulate(const struct json *input)
{
    long long seed = integer_of(input, "seed", 0), count = integer_of(input, "count", 0);

    return accumulate(text_of(input, "step"), get(input, "rule"), seed, count);
}

static status operation_extract(const struct json *input)
{
    return extract(octets_of_base64(text_of(input, "base64")), text_of(input, "type"));
}

static status operation_extract_html(const struct json *input)
{
    return extract_html(octets_of(input), text_of(input, "charset"));
}

static const struct {
    const char *name;
    status (*run)(const struct json *input);
} OPERATIONS[] = {
    { "decode", operation_decode },
    { "classify", operation_classify },
    { "normalise", operation_normalise },
    { "strip-locators", operation_strip_locators },
    { "tokenise", operation_tokenise },
    { "token-hash", operation_token_hash },
    { "lookup3", operation_lookup3 },
    { "simhash", operation_simhash },
    { "draw", operation_draw },
    { "minhash", operation_minhash },
    { "truncate", operation_truncate },
    { "serialise", operation_serialise },
    { "parse", operation_parse },
    { "parse-hex", operation_parse_hex },
    { "parse-label", operation_parse_label },
    { "parse-labelled", operation_parse_labelled },
    { "format-labelled", operation_format_labelled },
    { "compare", operation_compare },
    { "tables", operation_tables },
    { "unpermute", operation_unpermute },
    { "probe", operation_probe },
    { "lookup", operation_lookup },
    { "fingerprint", operation_fingerprint },
    { "accumulate", operation_accumulate },
    { "extract", operation_extract },
    { "extract-html", operation_extract_html },
};

#define COUNT (sizeof(OPERATIONS) / sizeof(OPERATIONS[0]))

/* --------------------------------------------------------------------------------------------------- protocol */

static void put_hello(void)
{
    size_t i;

    put("{\"name\":\"%s\",\"version\":\"%s\",\"language\":\"C\",\"protocol\":1,", NAME, VERSION);
    put("\"unicode\":%s,\"operations\":[", UNICODE);
    for (i = 0; i < COUNT; i++)
        put("%s\"%s\"", i > 0 ? "," : "", OPERATIONS[i].name);
    put("],\"labels\":%s,\"declines\":%s,\"functions\":%s}", LABELS, DECLINES, FUNCTIONS);
}

static int is_text(const struct json *value, const char *text)
{
    return value->type == JSON_TEXT && value->length == strlen(text) && memcmp(value->text, text, value->length) == 0;
}

/* The reply that put() and put_text() write. */
static struct {
    char *text;
    size_t length, capacity;
} out;

static void answer(const struct json *request)
{
    const struct json *id = get(request, "id");
    const struct json *name = get(request, "op");
    status found = UNSUPPORTED;
    size_t start, i;

    if (id == NULL || id->type != JSON_TEXT || name == NULL)
        die("expected a request with \"id\" and \"op\"");
    out.length = 0;
    put("{\"id\":");
    put_text(id->text, id->length);
    start = out.length;
    put(",\"ok\":");
    for (i = 0; i < COUNT && !is_text(name, OPERATIONS[i].name); i++)
        ;
    if (is_text(name, "hello")) {
        put_hello();
        found = OK;
    } else if (i < COUNT) {
        found = OPERATIONS[i].run(get(request, "input"));
    }
    if (found != OK)
        out.length = start;
    if (found == UNSUPPORTED)
        put(",\"unsupported\":true");
    else if (found != OK)
        put(",\"error\":{\"code\":\"%s\"}", found);
    put("}\n");
    fwrite(out.text, 1, out.length, stdout);
    if (fflush(stdout) != 0)
        die("cannot write to standard output");
}

static struct json *read_json(const char *text, size_t length);
static void free_memory(void);

int main(void)
{
    size_t capacity = 1 << 16, length = 0;
    char *line = malloc(capacity);
    int c;

    if (line == NULL)
        die("out of memory");
    while ((c = getchar()) != EOF) {
        if (c == '\n') {
            answer(read_json(line, length));
            free_memory();
            length = 0;
            continue;
        }
        if (length == capacity) {
            line = realloc(line, capacity *= 2);
            if (line == NULL)
                die("out of memory");
        }
        line[length++] = (char)c;
    }
    free(line);
    free(out.text);
    return 0;
}

static void die(const char *message)
{
    fprintf(stderr, "adapter: %s\n", message);
    exit(1);
}

/* ----------------------------------------------------------------------------------------- memory of one request */

union block {
    union block *before;
    max_align_t align;
};

static union block *blocks;

static void *take_memory(size_t size)
{
    union block *block = calloc(1, sizeof(union block) + size);

    if (block == NULL)
        die("out of memory");
    block->before = blocks;
    blocks = block;
    return block + 1;
}

static void free_memory(void)
{
    while (blocks != NULL) {
        union block *before = blocks->before;

        free(blocks);
        blocks = before;
    }
}

/* --------------------------------------------------------------------------------------------------- writing JSON */

static void make_room(size_t more)
{
    if (out.length + more <= out.capacity)
        return;
    out.capacity = 2 * (out.length + more);
    out.text = realloc(out.text, out.capacity);
    if (out.text == NULL)
        die("out of memory");
}

/* Writes like printf(). */
static void put(const char *format, ...)
{
    va_list arguments, again;
    int length;

    va_start(arguments, format);
    va_copy(again, arguments);
    length = vsnprintf(NULL, 0, format, arguments);
    if (length < 0)
        die("wrong format");
    make_room((size_t)length + 1);
    vsnprintf(out.text + out.length, (size_t)length + 1, format, again);
    out.length += (size_t)length;
    va_end(again);
    va_end(arguments);
}

/* Writes octets of UTF-8 as a text, with its quotes. */
static void put_text(const char *octets, size_t length)
{
    size_t i;

    put("\"");
    for (i = 0; i < length; i++) {
        unsigned char c = (unsigned char)octets[i];

        if (c == '"' || c == '\\')
            put("\\%c", c);
        else if (c < 0x20)
            put("\\u%04x", c);
        else {
            make_room(1);
            out.text[out.length++] = (char)c;
        }
    }
    put("\"");
}

/* --------------------------------------------------------------------------------------------------- reading JSON */

static struct {
    const char *at, *end;
    int depth;
} in;

static int peek(void)
{
    return in.at < in.end ? (unsigned char)*in.at : -1;
}

static void skip_space(void)
{
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')
        in.at++;
}

static int take(const char *word)
{
    size_t length = strlen(word);

    if ((size_t)(in.end - in.at) < length || memcmp(in.at, word, length) != 0)
        return 0;
    in.at += length;
    return 1;
}

static struct json *new_json(int type)
{
    struct json *value = take_memory(sizeof(struct json));

    value->type = type;
    return value;
}

static unsigned long read_unit(void)
{
    unsigned long unit = 0;
    int i;

    for (i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdef0123456789ABCDEF";
        const char *digit = peek() > 0 ? strchr(digits, peek()) : NULL;

        if (digit == NULL)
            die("JSON: expected four hexadecimal digits");
        unit = unit * 16 + (unsigned long)((digit - digits) % 16);
        in.at++;
    }
    return unit;
}

/* Writes a code point as UTF-8 and returns the place after it. */
static char *encode(char *to, unsigned long c)
{
    if (c < 0x80) {
        *to++ = (char)c;
    } else if (c < 0x800) {
        *to++ = (char)(0xc0 | c >> 6);
        *to++ = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        *to++ = (char)(0xe0 | c >> 12);
        *to++ = (char)(0x80 | (c >> 6 & 0x3f));
        *to++ = (char)(0x80 | (c & 0x3f));
    } else {
        *to++ = (char)(0xf0 | c >> 18);
        *to++ = (char)(0x80 | (c >> 12 & 0x3f));
        *to++ = (char)(0x80 | (c >> 6 & 0x3f));
        *to++ = (char)(0x80 | (c & 0x3f));
    }
    return to;
}

static struct json *read_text(void)
{
    static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    struct json *value = new_json(JSON_TEXT);
    const char *closing = in.at + 1;
    const char *escape;
    unsigned long c, low;
    char *to;

    /* A text is never longer than its escaped form. */
    while (closing < in.end && *closing != '"')
        closing += *closing == '\\' ? 2 : 1;
    if (closing >= in.end)
        die("JSON: expected the end of a text");
    to = value->text = take_memory((size_t)(closing - in.at));
    in.at++;
    while (in.at < closing) {
        c = (unsigned char)*in.at++;
        if (c < 0x20)
            die("JSON: expected no control character in a text");
        if (c != '\\') {
            *to++ = (char)c;
            continue;
        }
        if (take("u")) {
            c = read_unit();
            if (c >= 0xd800 && c < 0xdc00) {
                low = take("\\u") ? read_unit() : 0;
                if (low < 0xdc00 || low > 0xdfff)
                    die("JSON: expected a low surrogate");
                c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
            } else if (c >= 0xdc00 && c < 0xe000) {
                die("JSON: expected no lone surrogate");
            }
            to = encode(to, c);
            continue;
        }
        escape = peek() > 0 ? strchr(escapes, peek()) : NULL;
        if (escape == NULL)
            die("JSON: expected an escape");
        *to++ = meanings[escape - escapes];
        in.at++;
    }
    in.at = closing + 1;
    value->length = (size_t)(to - value->text);
    return value;
}

static void skip_digits(void)
{
    if (peek() < '0' || peek() > '9')
        die("JSON: expected a digit");
    while (peek() >= '0' && peek() <= '9')
        in.at++;
}

static struct json *read_number(void)
{
    struct json *value = new_json(JSON_NUMBER);
    const char *from = in.at;

    take("-");
    if (!take("0"))
        skip_digits();
    if (take("."))
        skip_digits();
    if (take("e") || take("E")) {
        if (!take("+"))
            take("-");
        skip_digits();
    }
    value->length = (size_t)(in.at - from);
    value->text = take_memory(value->length + 1);
    memcpy(value->text, from, value->length);
    return value;
}

static struct json *read_value(void);

/* Reads the rest of a list or an object after its opening bracket. */
static struct json *read_items(int type, const char *closing)
{
    struct json *value = new_json(type);
    struct json **end = &value->items;

    skip_space();
    if (take(closing))
        return value;
    for (;;) {
        struct json *name = NULL;

        if (type == JSON_OBJECT) {
            skip_space();
            if (peek() != '"')
                die("JSON: expected a name");
            name = read_text();
            skip_space();
            if (!take(":"))
                die("JSON: expected \":\"");
        }
        *end = read_value();
        (*end)->name = name;
        end = &(*end)->next;
        skip_space();
        if (take(closing))
            return value;
        if (!take(","))
            die("JSON: expected \",\" or a closing bracket");
    }
}

static struct json *read_value(void)
{
    struct json *value = NULL;

    skip_space();
    if (++in.depth > 64)
        die("JSON: expected fewer levels");
    if (peek() == '"')
        value = read_text();
    else if (peek() == '-' || (peek() >= '0' && peek() <= '9'))
        value = read_number();
    else if (take("{"))
        value = read_items(JSON_OBJECT, "}");
    else if (take("["))
        value = read_items(JSON_LIST, "]");
    else if (take("null"))
        value = new_json(JSON_NULL);
    else if (take("true"))
        value = new_json(JSON_TRUE);
    else if (take("false"))
        value = new_json(JSON_FALSE);
    else
        die("JSON: expected a value");
    in.depth--;
    return value;
}

/* Reads the whole text as one value of strict JSON. */
static struct json *read_json(const char *text, size_t length)
{
    struct json *value;

    in.at = text;
    in.end = text + length;
    in.depth = 0;
    value = read_value();
    skip_space();
    if (in.at < in.end)
        die("JSON: expected the end");
    return value;
}

/* A member of an object, or NULL. */
static const struct json *get(const struct json *object, const char *name)
{
    const struct json *member;

    for (member = object != NULL ? object->items : NULL; member != NULL; member = member->next)
        if (member->name != NULL && is_text(member->name, name))
            return member;
    return NULL;
}
