/*
 * Adapter between an implementation of simhash-doc in C and its conformance tests.
 *
 * It speaks the adapter protocol, version 1 (spec/conformance.md): JSON Lines on standard input and
 * output, one reply for each request. Only the standard library is used, C11; the JSON at the end
 * of this file is all that the protocol needs.
 *
 *     cc -O2 -o adapter adapter.c
 *     simhash-doc conformance smoke -- ./adapter      checks the plumbing alone
 *     simhash-doc conformance -- ./adapter            tells what is right and what goes wrong first
 *
 * What to do: call your implementation in token_hash() below, then add one operation after the
 * other to OPERATIONS. What is not in there is not tested, and not counted as wrong.
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
/* The Unicode version of the library that NFC comes from, as JSON: "\"15.0.0\"", or null. */
#define UNICODE "null"

/* A value of JSON. Texts are UTF-8 and may hold NUL, so they have a length. */
struct json {
    enum { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_OBJECT } type;
    char *text; /* of a text its octets; of a number what was written */
    size_t length;
    struct json *items; /* of a list or an object: the first of them */
    struct json *next;  /* the next one of the list or object that this is in */
    struct json *name;  /* of a member of an object: a text */
};

static void die(const char *message);
static void *take_memory(size_t size);
static const struct json *get(const struct json *object, const char *name);
static void put(const char *format, ...);
static void put_text(const char *octets, size_t length);

/* ---------------------------------------------------------------------------------------- your implementation */

/* Step 7: the hash of a token, given as its octets in UTF-8. */
static uint64_t token_hash(const unsigned char *octets, size_t length)
{
    (void)octets;
    (void)length;
    return 0; /* CALL YOUR IMPLEMENTATION HERE */
}

/* ------------------------------------------------------------------------------------------------- operations
 * Each takes the "input" of a request, writes the "ok" of its reply with put() and put_text(), and
 * returns NULL. Where the implementation refuses the input, it returns one of the codes of the
 * specification, section Errors. The table in spec/conformance.md, section Operations, says what
 * input and result hold. Memory from take_memory() lasts until the reply is sent.
 */

/* The octets of an input that is a text or octets. */
static unsigned char *octets_of(const struct json *input, size_t *length)
{
    const struct json *text = get(input, "text");
    const struct json *hex = get(input, "utf8");
    unsigned char *octets;
    size_t i;

    if (text != NULL && text->type == JSON_TEXT) {
        *length = text->length;
        return (unsigned char *)text->text;
    }
    if (hex == NULL || hex->type != JSON_TEXT)
        die("expected an input with \"text\" or \"utf8\"");
    *length = hex->length / 2;
    octets = take_memory(*length + 1);
    for (i = 0; i < *length; i++) {
        char pair[3] = { hex->text[2 * i], hex->text[2 * i + 1], '\0' };

        octets[i] = (unsigned char)strtoul(pair, NULL, 16);
    }
    return octets;
}

static const char *operation_token_hash(const struct json *input)
{
    size_t length;
    const unsigned char *octets = octets_of(input, &length);

    put("{\"hash\":\"%016" PRIx64 "\"}", token_hash(octets, length));
    return NULL;
}

/*
 * The next ones could be:
 *
 * static const char *operation_parse(const struct json *input)
 * {
 *     const struct json *text = get(input, "serialised");
 *     uint64_t fingerprint;
 *
 *     if (!my_parse(text->text, text->length, &fingerprint))
 *         return "invalid-fingerprint";
 *     put("{\"fingerprint\":\"%016" PRIx64 "\"}", fingerprint);
 *     return NULL;
 * }
 *
 * "fingerprint", with a text of 13 characters or null under "fingerprint". With "decoded",
 * "normalised", "stripped", "tokens", "hashes" and "counters" beside it, where you have them, the
 * runner can name the step that goes wrong.
 */

static const struct {
    const char *name;
    const char *(*run)(const struct json *input);
} OPERATIONS[] = {
    { "token-hash", operation_token_hash },
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
    put("]}");
}

static int is_text(const struct json *value, const char *text)
{
    return value->type == JSON_TEXT && value->length == strlen(text) && memcmp(value->text, text, value->length) == 0;
}

/* What put() and put_text() wrote. */
static struct {
    char *text;
    size_t length, capacity;
} out;

static void answer(const struct json *request)
{
    const struct json *id = get(request, "id");
    const struct json *name = get(request, "op");
    const char *refused;
    size_t start, i;

    if (id == NULL || id->type != JSON_TEXT || name == NULL)
        die("expected a request with \"id\" and \"op\"");
    out.length = 0;
    put("{\"id\":");
    put_text(id->text, id->length);
    start = out.length;
    for (i = 0; i < COUNT && !is_text(name, OPERATIONS[i].name); i++)
        ;
    if (is_text(name, "hello")) {
        put(",\"ok\":");
        put_hello();
    } else if (i == COUNT) {
        put(",\"unsupported\":true");
    } else {
        put(",\"ok\":");
        refused = OPERATIONS[i].run(get(request, "input"));
        if (refused != NULL) {
            out.length = start;
            put(",\"error\":{\"code\":\"%s\"}", refused);
        }
    }
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

/* Writes a code point as UTF-8 and returns the place behind it. */
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

    /* The text is not longer than what stands for it. */
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

/* Reads a list, or an object, whose opening bracket was read. */
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

/* Reads the whole text as one value, strictly. */
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
