/*
 * simhash-doc 0.1.0 in C11: steps 1 to 5 and 7 to 11, the variants bg1 and cap8, and the adapter protocol (version 1)
 * around them.
 *
 * Written from spec/simhash-doc.md, spec/word-classes.txt, spec/bigrams/bg1.txt and spec/conformance.md alone. Nothing
 * beyond the C library is used. The identifiers in comments (DEC-1, TOK-1, ...) are the rules of spec/simhash-doc.md.
 *
 * Usage: adapter [word-classes.txt]
 *
 * The one part of the scheme that is not here is NFC: see the function nfc().
 */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME "simhash-doc-c"
#define VERSION "0.1.0"
#define DEFAULT_CLASSES "spec/word-classes.txt"
#define BIGRAMS "bigrams/bg1.txt" /* in the folder of the word classes */
#define JSON_DEPTH 64 /* the deepest nesting of arrays and objects that the reader takes; the protocol needs 4 */

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* ------------------------------------------------------------------------------------------------------------------
 * Memory: buffers that grow
 * ------------------------------------------------------------------------------------------------------------------ */

struct bytes {
    unsigned char *p;
    size_t n, cap;
};

/* A sequence of code points; also of 16-bit units where a function says so. */
struct text {
    uint32_t *p;
    size_t n, cap;
};

struct numbers {
    uint64_t *p;
    size_t n, cap;
};

static void die(const char *message)
{
    fprintf(stderr, NAME ": %s\n", message);
    exit(2);
}

/* Makes room for one element more than n; ends the program where there is no memory. */
static void *room(void *p, size_t n, size_t *cap, size_t element)
{
    size_t want;
    void *q;

    if (n < *cap)
        return p;
    want = *cap < 2 ? 2 : *cap;
    if (want > SIZE_MAX / 2 || want * 2 > SIZE_MAX / element)
        die("out of memory");
    want *= 2;
    q = realloc(p, want * element);
    if (q == NULL)
        die("out of memory");
    *cap = want;
    return q;
}

/* An array of n elements, set to zero; never NULL. */
static void *array_of(size_t n, size_t element)
{
    void *p = calloc(n > 0 ? n : 1, element);

    if (p == NULL)
        die("out of memory");
    return p;
}

static void add_byte(struct bytes *to, unsigned char octet)
{
    to->p = room(to->p, to->n, &to->cap, sizeof *to->p);
    to->p[to->n++] = octet;
}

static void add_ascii(struct bytes *to, const char *s)
{
    for (; *s != '\0'; s++)
        add_byte(to, (unsigned char)*s);
}

static void add_point(struct text *to, uint32_t point)
{
    to->p = room(to->p, to->n, &to->cap, sizeof *to->p);
    to->p[to->n++] = point;
}

static void add_number(struct numbers *to, uint64_t number)
{
    to->p = room(to->p, to->n, &to->cap, sizeof *to->p);
    to->p[to->n++] = number;
}

/* ------------------------------------------------------------------------------------------------------------------
 * Step 1: Decode
 * ------------------------------------------------------------------------------------------------------------------ */

static const struct {
    unsigned char first, last; /* range of the first octet */
    unsigned char length;
    unsigned char low, high; /* range of the second octet */
    unsigned char bits;      /* mask of the bits of the first octet that belong to the code point */
} UTF8[] = {
    {0xC2, 0xDF, 2, 0x80, 0xBF, 0x1F}, {0xE0, 0xE0, 3, 0xA0, 0xBF, 0x0F}, {0xE1, 0xEC, 3, 0x80, 0xBF, 0x0F},
    {0xED, 0xED, 3, 0x80, 0x9F, 0x0F}, {0xEE, 0xEF, 3, 0x80, 0xBF, 0x0F}, {0xF0, 0xF0, 4, 0x90, 0xBF, 0x07},
    {0xF1, 0xF3, 4, 0x80, 0xBF, 0x07}, {0xF4, 0xF4, 4, 0x80, 0x8F, 0x07},
};

/* DEC-2: reads one code point, or one maximal ill-formed subsequence, at p < n. Gives the number of octets read. */
static size_t utf8_read(const unsigned char *o, size_t n, size_t p, uint32_t *point, int *well_formed)
{
    size_t row, read;
    uint32_t value;

    *well_formed = 1;
    if (o[p] < 0x80) {
        *point = o[p];
        return 1;
    }
    *well_formed = 0;
    *point = 0xFFFD;
    for (row = 0; row < COUNT_OF(UTF8); row++)
        if (o[p] >= UTF8[row].first && o[p] <= UTF8[row].last)
            break;
    if (row == COUNT_OF(UTF8))
        return 1;
    value = (uint32_t)(o[p] & UTF8[row].bits);
    for (read = 1; read < UTF8[row].length; read++) {
        unsigned char low = read == 1 ? UTF8[row].low : 0x80;
        unsigned char high = read == 1 ? UTF8[row].high : 0xBF;

        if (read >= n - p || o[p + read] < low || o[p + read] > high)
            return read;
        value = value << 6 | (uint32_t)(o[p + read] & 0x3F);
    }
    *well_formed = 1;
    *point = value;
    return read;
}

/* DEC-1, DEC-2, DEC-3 */
static void decode_octets(const struct bytes *in, struct text *out)
{
    size_t p = 0;

    if (in->n >= 3 && in->p[0] == 0xEF && in->p[1] == 0xBB && in->p[2] == 0xBF)
        p = 3;
    while (p < in->n) {
        uint32_t point;
        int well_formed;

        p += utf8_read(in->p, in->n, p, &point, &well_formed);
        add_point(out, point);
    }
}

/* DEC-4: the input holds 16-bit units. */
static void decode_units(const struct text *in, struct text *out)
{
    size_t i = 0;

    while (i < in->n) {
        uint32_t unit = in->p[i++];

        if (unit >= 0xD800 && unit <= 0xDBFF && i < in->n && in->p[i] >= 0xDC00 && in->p[i] <= 0xDFFF)
            add_point(out, 0x10000 + (unit - 0xD800) * 0x400 + (in->p[i++] - 0xDC00));
        else if (unit >= 0xD800 && unit <= 0xDFFF)
            add_point(out, 0xFFFD);
        else
            add_point(out, unit);
    }
}

/* ------------------------------------------------------------------------------------------------------------------
 * Step 2: Classify
 * ------------------------------------------------------------------------------------------------------------------ */

enum word_class { C_LETTER, C_WORD, C_BREAK, C_IGNORABLE, C_UNASSIGNED };

static const char *const CLASS_NAMES[] = {"letter", "word", "break", "ignorable", "unassigned"};

/* The kinds of BIG-1. */
enum bigram_kind { B_NEITHER, B_JOINED, B_MARK };

static const char *const BIGRAM_NAMES[] = {NULL, "joined", "mark"};

/* Filled by load_ranges(). */
static unsigned char classes[0x110000], bigrams[0x110000];

/* CLS-1, CLS-2, CLS-3, CLS-4, CLS-5, CLS-6: all of them are the table. */
static enum word_class class_of(uint32_t point)
{
    return (enum word_class)classes[point];
}

/* Reads `point` of the grammar in step 2: 4 to 6 upper-case digits, no more zeros in front than needed for four. */
static int class_file_point(const unsigned char *s, size_t n, size_t *p, uint32_t *point)
{
    size_t digits = 0, start = *p;

    *point = 0;
    while (*p < n && digits < 6 && ((s[*p] >= '0' && s[*p] <= '9') || (s[*p] >= 'A' && s[*p] <= 'F'))) {
        *point = *point << 4 | (uint32_t)(s[*p] <= '9' ? s[*p] - '0' : s[*p] - 'A' + 10);
        digits++;
        (*p)++;
    }
    return digits >= 4 && (digits == 4 || s[start] != '0') && *point <= 0x10FFFF;
}

/*
 * CLS-1, BIG-1: loads a file of ranges into a table. Everything that its format promises is checked. Where names[0] is
 * NULL, the file may leave code points out; they have the kind 0.
 */
static int load_ranges(const char *path, const char *const *names, size_t count, unsigned char table[0x110000])
{
    int partial = names[0] == NULL;
    FILE *file = fopen(path, "rb");
    struct bytes s = {0};
    size_t p = 0, c;
    uint32_t next = 0; /* the code point behind the last range */
    int previous = -1, octet, good = 0;

    if (file == NULL)
        return 0;
    while ((octet = getc(file)) != EOF)
        add_byte(&s, (unsigned char)octet);
    if (ferror(file))
        goto end;
    while (p < s.n) {
        uint32_t first, last, i;

        if (s.p[p] == '#') {
            do
                p++;
            while (p < s.n && s.p[p] >= 0x20 && s.p[p] <= 0x7E);
        } else {
            if (!class_file_point(s.p, s.n, &p, &first) || s.n - p < 2 || s.p[p] != '.' || s.p[p + 1] != '.')
                goto end;
            p += 2;
            if (!class_file_point(s.p, s.n, &p, &last) || p >= s.n || s.p[p] != ';')
                goto end;
            p++;
            for (c = (size_t)partial; c < count; c++) {
                size_t length = strlen(names[c]);

                if (s.n - p > length && memcmp(s.p + p, names[c], length) == 0 && s.p[p + length] == '\n') {
                    p += length;
                    break;
                }
            }
            if (c == count || first < next || (first != next && !partial) || last < first)
                goto end;
            if (first == next && (int)c == previous)
                goto end;
            for (i = first; i <= last; i++)
                table[i] = (unsigned char)c;
            next = last + 1;
            previous = (int)c;
        }
        if (p >= s.n || s.p[p] != '\n')
            goto end;
        p++;
    }
    good = partial || next == 0x110000;
end:
    fclose(file);
    free(s.p);
    return good;
}

/* ------------------------------------------------------------------------------------------------------------------
 * Step 3: Normalise
 * ------------------------------------------------------------------------------------------------------------------ */

/*
 * Ranges for nfc(). Nothing is claimed of code points that are unassigned or ignorable by word-classes.txt: NRM-1 and
 * NRM-2 have removed them. For every other code point of a range, the data of Unicode 12.0 says:
 *
 *   STARTER  NFC_Quick_Check=Yes and Canonical_Combining_Class=0
 *   MARK     NFC_Quick_Check=Yes, with any Canonical_Combining_Class
 *
 * What is left out has NFC_Quick_Check=No (it is replaced: U+2126, U+0958, U+F900, ...) or Maybe (it may join what is
 * before it: U+0301, U+093C, U+3099, U+1161, ...), or belongs to a script that this table does not cover.
 */
enum nfc_kind { STARTER, MARK };

static const struct {
    uint32_t first, last;
    enum nfc_kind kind;
} NFC_SAFE[] = {
    {0x0000, 0x02FF, STARTER}, /* Basic Latin to Spacing Modifier Letters */
    {0x0370, 0x0373, STARTER}, /* Greek, without 0374, 037E, 0387 */
    {0x0375, 0x037D, STARTER},
    {0x037F, 0x0386, STARTER},
    {0x0388, 0x0482, STARTER}, /* Greek, Cyrillic */
    {0x0483, 0x0487, MARK},    /* Cyrillic marks */
    {0x0488, 0x058F, STARTER}, /* Cyrillic, Armenian */
    {0x0591, 0x05C7, MARK},    /* Hebrew accents and points */
    {0x05D0, 0x060F, STARTER}, /* Hebrew letters, Arabic signs */
    {0x0610, 0x061A, MARK},
    {0x061B, 0x064A, STARTER}, /* Arabic letters */
    {0x064B, 0x0652, MARK},    /* Arabic points, without 0653-0655 */
    {0x0656, 0x065F, MARK},
    {0x0660, 0x066F, STARTER}, /* Arabic digits */
    {0x0670, 0x0670, MARK},
    {0x0671, 0x06D5, STARTER},
    {0x06D6, 0x06ED, MARK},
    {0x06EE, 0x0710, STARTER}, /* Arabic, Syriac */
    {0x0900, 0x093B, STARTER}, /* Devanagari, without 093C, 0958-095F */
    {0x093D, 0x094C, STARTER},
    {0x094D, 0x094D, MARK}, /* virama */
    {0x094E, 0x0950, STARTER},
    {0x0951, 0x0954, MARK},
    {0x0955, 0x0957, STARTER},
    {0x0960, 0x09B9, STARTER}, /* Devanagari, Bengali without 09BE, 09D7, 09DC-09DF */
    {0x09BC, 0x09BC, MARK},
    {0x09BD, 0x09BD, STARTER},
    {0x09BF, 0x09CC, STARTER},
    {0x09CD, 0x09CD, MARK},
    {0x09CE, 0x09CE, STARTER},
    {0x09E0, 0x09FD, STARTER},
    {0x0B82, 0x0BB9, STARTER}, /* Tamil, without 0BBE, 0BD7 */
    {0x0BBF, 0x0BCC, STARTER},
    {0x0BCD, 0x0BCD, MARK},
    {0x0BD0, 0x0BD0, STARTER},
    {0x0BE6, 0x0C4C, STARTER}, /* Tamil, Telugu, without 0C56 */
    {0x0C4D, 0x0C55, MARK},
    {0x0E01, 0x0E37, STARTER}, /* Thai */
    {0x0E38, 0x0E3A, MARK},
    {0x0E3F, 0x0E47, STARTER},
    {0x0E48, 0x0E4B, MARK},
    {0x0E4C, 0x0EB7, STARTER}, /* Thai, Lao */
    {0x0EB8, 0x0EBA, MARK},
    {0x0EBB, 0x0EC6, STARTER},
    {0x0EC8, 0x0ECB, MARK},
    {0x0ECC, 0x0EDF, STARTER},
    {0x1000, 0x102D, STARTER}, /* Myanmar, without 102E */
    {0x102F, 0x1036, STARTER},
    {0x1037, 0x1037, MARK},
    {0x1038, 0x1038, STARTER},
    {0x1039, 0x103A, MARK},
    {0x103B, 0x108C, STARTER},
    {0x10A0, 0x10FF, STARTER}, /* Georgian */
    {0x1200, 0x135A, STARTER}, /* Ethiopic */
    {0x135D, 0x135F, MARK},
    {0x1360, 0x1713, STARTER}, /* Ethiopic, Cherokee, Canadian syllabics, Ogham, runes, Tagalog */
    {0x1780, 0x17D1, STARTER}, /* Khmer */
    {0x17D2, 0x17D2, MARK},
    {0x17D3, 0x17DC, STARTER},
    {0x17DD, 0x17DD, MARK},
    {0x17E0, 0x18A8, STARTER}, /* Khmer, Mongolian */
    {0x1D00, 0x1DBF, STARTER}, /* Phonetic Extensions */
    {0x1E00, 0x1F70, STARTER}, /* Latin Extended Additional, Greek Extended without its replaced code points */
    {0x1F72, 0x1F72, STARTER},
    {0x1F74, 0x1F74, STARTER},
    {0x1F76, 0x1F76, STARTER},
    {0x1F78, 0x1F78, STARTER},
    {0x1F7A, 0x1F7A, STARTER},
    {0x1F7C, 0x1F7C, STARTER},
    {0x1F80, 0x1FBA, STARTER},
    {0x1FBC, 0x1FBD, STARTER},
    {0x1FBF, 0x1FC8, STARTER},
    {0x1FCA, 0x1FCA, STARTER},
    {0x1FCC, 0x1FD2, STARTER},
    {0x1FD6, 0x1FDA, STARTER},
    {0x1FDD, 0x1FE2, STARTER},
    {0x1FE4, 0x1FEA, STARTER},
    {0x1FEC, 0x1FED, STARTER},
    {0x1FF2, 0x1FF8, STARTER},
    {0x1FFA, 0x1FFA, STARTER},
    {0x1FFC, 0x1FFC, STARTER},
    {0x1FFE, 0x1FFE, STARTER},
    {0x2002, 0x20BF, STARTER}, /* General Punctuation without 2000-2001, superscripts, currency */
    {0x2100, 0x2125, STARTER}, /* Letterlike Symbols, without 2126, 212A-212B */
    {0x2127, 0x2129, STARTER},
    {0x212C, 0x2328, STARTER}, /* Number Forms, Arrows, mathematical and technical symbols, without 2329-232A */
    {0x232B, 0x2ADB, STARTER}, /* to Supplemental Mathematical Operators, without 2ADC */
    {0x2ADD, 0x2CEE, STARTER}, /* to Coptic */
    {0x2D00, 0x2D70, STARTER}, /* Georgian, Tifinagh */
    {0x2D80, 0x2DDE, STARTER}, /* Ethiopic Extended */
    {0x2E00, 0x3029, STARTER}, /* Supplemental Punctuation to CJK Symbols */
    {0x302A, 0x302F, MARK},
    {0x3030, 0x3096, STARTER}, /* Hiragana, without 3099-309A */
    {0x309B, 0xA48F, STARTER}, /* Katakana, Bopomofo, Hangul compatibility letters, CJK ideographs, Yi syllables */
    {0xA490, 0xA66E, STARTER}, /* Yi Radicals, Lisu, Vai, Cyrillic Extended-B */
    {0xA6A0, 0xA6EF, STARTER}, /* Bamum */
    {0xA700, 0xA7FF, STARTER}, /* Modifier Tone Letters, Latin Extended-D */
    {0xAB30, 0xABBF, STARTER}, /* Latin Extended-E, Cherokee */
    {0xAC00, 0xD7A3, STARTER}, /* Hangul syllables; the jamo that may join them are left out */
    {0xE000, 0xF8FF, STARTER}, /* private use */
    {0xFB00, 0xFB17, STARTER}, /* Latin and Armenian ligatures */
    {0xFB50, 0xFDFD, STARTER}, /* Arabic Presentation Forms-A */
    {0xFE30, 0xFFFD, STARTER}, /* small, Arabic, halfwidth and fullwidth forms, FFFD */
    {0x10000, 0x101FC, STARTER}, /* Linear B to Phaistos Disc */
    {0x10330, 0x1034A, STARTER}, /* Gothic */
    {0x10400, 0x104FF, STARTER}, /* Deseret to Osage */
    {0x12000, 0x1254F, STARTER}, /* Cuneiform */
    {0x13000, 0x1343F, STARTER}, /* Egyptian hieroglyphs */
    {0x1D000, 0x1D15D, STARTER}, /* musical symbols, in part */
    {0x1D400, 0x1D7FF, STARTER}, /* Mathematical Alphanumeric Symbols */
    {0x1F000, 0x1FAFF, STARTER}, /* game symbols, emoji, pictographs */
    {0x20000, 0x2EBE0, STARTER}, /* CJK ideographs, extensions B to F */
    {0xF0000, 0x10FFFD, STARTER}, /* private use */
};

/*
 * The hook for NRM-3. It gets a text after NRM-1 and NRM-2, appends its NFC to `out` and returns 1, or returns 0 where
 * it cannot tell; the adapter then answers `unsupported`. To use a library, replace this function, and give the Unicode
 * version of its data (12.0 or later) in the reply to `hello`. The library must not limit runs of marks.
 *
 * The one that is shipped changes nothing. It returns 1 only for a text that is certainly in NFC already, by the quick
 * check of UAX #15, section 9: a text is in NFC when each of its code points has NFC_Quick_Check=Yes and the combining
 * classes other than 0 do not descend from one code point to the next. It is satisfied here when
 *
 *   1. every code point lies in a range of NFC_SAFE, so that all have NFC_Quick_Check=Yes; and
 *   2. no two neighbours are both MARK. A code point of a class other than 0 is then alone between code points of
 *      class 0, and there is no order to violate.
 */
static int nfc(const struct text *in, struct text *out)
{
    size_t i;
    enum nfc_kind before = STARTER;

    for (i = 0; i < in->n; i++) {
        size_t low = 0, high = COUNT_OF(NFC_SAFE);

        while (low < high) {
            size_t middle = low + (high - low) / 2;

            if (NFC_SAFE[middle].last < in->p[i])
                low = middle + 1;
            else
                high = middle;
        }
        if (low == COUNT_OF(NFC_SAFE) || in->p[i] < NFC_SAFE[low].first)
            return 0;
        if (before == MARK && NFC_SAFE[low].kind == MARK)
            return 0;
        before = NFC_SAFE[low].kind;
    }
    for (i = 0; i < in->n; i++)
        add_point(out, in->p[i]);
    return 1;
}

/* NRM-1, NRM-2, NRM-3, NRM-4. Returns 0 where nfc() cannot tell. */
static int normalise(const struct text *in, struct text *out)
{
    struct text clean = {0};
    size_t i;
    int known;

    for (i = 0; i < in->n; i++) {
        enum word_class c = class_of(in->p[i]);

        if (c == C_UNASSIGNED)
            add_point(&clean, 0xFFFD); /* NRM-1 */
        else if (c != C_IGNORABLE)     /* NRM-2 */
            add_point(&clean, in->p[i]);
    }
    known = nfc(&clean, out); /* NRM-3; no folding of any kind: NRM-4 */
    free(clean.p);
    return known;
}

/* ------------------------------------------------------------------------------------------------------------------
 * Step 4: Strip locators
 * ------------------------------------------------------------------------------------------------------------------ */

/* LOC-1: ASCII only. */
static int is_letter(uint32_t c)
{
    return (c >= 0x41 && c <= 0x5A) || (c >= 0x61 && c <= 0x7A);
}

static int is_digit(uint32_t c)
{
    return c >= 0x30 && c <= 0x39;
}

static int is_alnum(uint32_t c)
{
    return is_letter(c) || is_digit(c);
}

static int is_hex(uint32_t c)
{
    return is_digit(c) || (c >= 0x41 && c <= 0x46) || (c >= 0x61 && c <= 0x66);
}

static int is_one_of(uint32_t c, const char *set)
{
    return c > 0 && c < 0x80 && strchr(set, (int)c) != NULL;
}

static int is_uric(uint32_t c)
{
    return is_alnum(c) || is_one_of(c, "-._~%:/?#[]@!$&'()*+,;=");
}

static int is_scheme(uint32_t c)
{
    return is_alnum(c) || is_one_of(c, "+.-");
}

static int is_local(uint32_t c)
{
    return is_alnum(c) || is_one_of(c, "._%+-");
}

static int is_label(uint32_t c)
{
    return is_alnum(c) || c == '-';
}

/* The text of step 4, and up to where forms 1, 4 and 5 are known not to match (LOC-14). */
struct scan {
    const uint32_t *t;
    size_t n;
    size_t failed1, failed4, failed5;
};

/* The first position from p on whose code point is not of the given kind. */
static size_t run(const struct scan *s, size_t p, int (*kind)(uint32_t))
{
    while (p < s->n && kind(s->t[p]))
        p++;
    return p;
}

static int is_at(const struct scan *s, size_t p, uint32_t c)
{
    return p < s->n && s->t[p] == c;
}

/* Whether the ASCII word (given in lower case) stands at p, in any case. */
static int word_at(const struct scan *s, size_t p, const char *word)
{
    for (; *word != '\0'; word++, p++) {
        uint32_t c;

        if (p >= s->n)
            return 0;
        c = s->t[p];
        if (c >= 0x41 && c <= 0x5A)
            c += 0x20;
        if (c != (uint32_t)(unsigned char)*word)
            return 0;
    }
    return 1;
}

/* 1*uric at p: the position behind it, or 0 (no match ends at 0). */
static size_t urics(const struct scan *s, size_t p)
{
    size_t end = run(s, p, is_uric);

    return end > p ? end : 0;
}

/* LOC-13 */
static int ends_word(const struct scan *s, size_t p)
{
    return p >= s->n || !is_alnum(s->t[p]);
}

/* Each form gives the position behind its longest match at i, or 0. */

/* LOC-6, LOC-14 */
static size_t form1(struct scan *s, size_t i)
{
    size_t e, end = 0;

    if (i < s->failed1 || !is_letter(s->t[i]))
        return 0;
    e = run(s, i, is_scheme);
    if (is_at(s, e, ':') && is_at(s, e + 1, '/') && is_at(s, e + 2, '/'))
        end = urics(s, e + 3);
    if (end == 0)
        s->failed1 = e;
    return end;
}

/* LOC-7 */
static size_t form2(struct scan *s, size_t i)
{
    return word_at(s, i, "www.") ? urics(s, i + 4) : 0;
}

/* LOC-8 */
static size_t form3(struct scan *s, size_t i)
{
    static const char *const PREFIXES[] = {
        "ark:",  "arxiv:",  "cid:",    "data:",  "did:",   "doi:",  "hdl:", "info:", "isbn:",
        "issn:", "magnet:", "mailto:", "orcid:", "pmcid:", "pmid:", "swh:", "tel:",  "urn:",
    };
    size_t k;

    for (k = 0; k < COUNT_OF(PREFIXES); k++)
        if (word_at(s, i, PREFIXES[k]))
            return urics(s, i + strlen(PREFIXES[k]));
    return 0;
}

/* LOC-9, LOC-14 */
static size_t form4(struct scan *s, size_t i)
{
    size_t e, digits, end = 0;

    if (i < s->failed4 || !word_at(s, i, "10."))
        return 0;
    e = i + 3;
    for (digits = 0; digits < 10 && e < s->n && is_digit(s->t[e]); digits++)
        e++;
    if (digits < 4 || digits > 9)
        return 0;
    while (is_at(s, e, '.') && e + 1 < s->n && is_digit(s->t[e + 1]))
        e = run(s, e + 1, is_digit);
    if (is_at(s, e, '/'))
        end = urics(s, e + 1);
    if (end == 0)
        s->failed4 = e;
    return end;
}

/* LOC-10, LOC-14 */
static size_t form5(struct scan *s, size_t i)
{
    size_t e, p, end = 0;

    if (i < s->failed5)
        return 0;
    e = run(s, i, is_local);
    if (e == i)
        return 0;
    if (is_at(s, e, '@')) {
        p = run(s, e + 1, is_label);
        if (p > e + 1)
            while (is_at(s, p, '.') && p + 1 < s->n && is_label(s->t[p + 1]))
                end = p = run(s, p + 1, is_label);
    }
    if (end == 0)
        s->failed5 = e;
    return end;
}

/* LOC-11, LOC-13 */
static size_t form6(struct scan *s, size_t i)
{
    static const unsigned char GROUPS[] = {8, 4, 4, 4, 12};
    size_t g, k, p = i;

    for (g = 0; g < COUNT_OF(GROUPS); g++) {
        if (g > 0 && !is_at(s, p++, '-'))
            return 0;
        for (k = 0; k < GROUPS[g]; k++, p++)
            if (p >= s->n || !is_hex(s->t[p]))
                return 0;
    }
    return ends_word(s, p) ? p : 0;
}

/* LOC-12, LOC-13 */
static size_t form7(struct scan *s, size_t i)
{
    size_t p, end = run(s, i, is_hex);

    if (end - i < 32 || !ends_word(s, end))
        return 0;
    for (p = i; p < end; p++)
        if (is_digit(s->t[p]))
            return end;
    return 0;
}

/* LOC-2, LOC-3, LOC-4, LOC-5 */
static void strip_locators(const struct text *in, struct text *out)
{
    static size_t (*const FORMS[])(struct scan *, size_t) = {form1, form2, form3, form4, form5, form6, form7};
    struct scan s = {in->p, in->n, 0, 0, 0};
    size_t i = 0, f, end;

    while (i < s.n) {
        end = 0;
        if (i == 0 || !is_alnum(s.t[i - 1]))
            for (f = 0; f < COUNT_OF(FORMS) && end == 0; f++)
                end = FORMS[f](&s, i);
        if (end > 0) {
            add_point(out, 0x20);
            i = end;
        } else {
            add_point(out, s.t[i++]);
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------------
 * Step 5: Tokenise
 * ------------------------------------------------------------------------------------------------------------------ */

/* The registered labels, each at the number that its variants make. */
enum { BG1 = 1, CAP8 = 2 };

static const char *const LABELS[] = {
    "simhash-doc", "simhash-doc+bg1", "simhash-doc+cap8", "simhash-doc+bg1+cap8",
};

static void add_span(struct numbers *spans, size_t start, size_t end)
{
    add_number(spans, start);
    add_number(spans, end);
}

/* BIG-1, BIG-2, BIG-3, BIG-4: adds the spans that take the place of the token from `i` up to, and without, `end`. */
static void cut_token(const struct text *in, size_t i, size_t end, struct numbers *spans)
{
    while (i < end) {
        size_t start = i, before = i; /* `before`: where the last unit that was read begins */
        int has_letter = 0;

        while (i < end && bigrams[in->p[i]] == B_JOINED) {
            size_t next = i + 1;

            while (next < end && bigrams[in->p[next]] == B_MARK)
                next++;
            if (i > start)
                add_span(spans, before, next);
            before = i;
            i = next;
        }
        if (i > start) {
            if (before == start)
                add_span(spans, start, i);
            continue;
        }
        for (; i < end && bigrams[in->p[i]] != B_JOINED; i++)
            if (class_of(in->p[i]) == C_LETTER)
                has_letter = 1;
        if (has_letter)
            add_span(spans, start, i);
    }
}

/*
 * TOK-1, TOK-2, TOK-3, TOK-4. `spans` gets, for each token in order, the position of its first code point and the one
 * behind its last.
 */
static void tokenise(const struct text *in, unsigned label, struct numbers *spans)
{
    size_t i = 0;

    while (i < in->n) {
        size_t start = i;
        int has_letter = 0;

        for (; i < in->n; i++) {
            enum word_class c = class_of(in->p[i]);

            if (c != C_LETTER && c != C_WORD)
                break;
            if (c == C_LETTER)
                has_letter = 1;
        }
        if (has_letter && label & BG1)
            cut_token(in, start, i, spans);
        else if (has_letter)
            add_span(spans, start, i);
        if (i == start)
            i++;
    }
}

/* TOK-5: appends the UTF-8 form of the code points from `start` up to, and without, `end`. */
static void encode(const struct text *in, size_t start, size_t end, struct bytes *out)
{
    size_t i;

    for (i = start; i < end; i++) {
        uint32_t c = in->p[i];

        if (c < 0x80) {
            add_byte(out, (unsigned char)c);
        } else if (c < 0x800) {
            add_byte(out, (unsigned char)(0xC0 | c >> 6));
            add_byte(out, (unsigned char)(0x80 | (c & 0x3F)));
        } else if (c < 0x10000) {
            add_byte(out, (unsigned char)(0xE0 | c >> 12));
            add_byte(out, (unsigned char)(0x80 | (c >> 6 & 0x3F)));
            add_byte(out, (unsigned char)(0x80 | (c & 0x3F)));
        } else {
            add_byte(out, (unsigned char)(0xF0 | c >> 18));
            add_byte(out, (unsigned char)(0x80 | (c >> 12 & 0x3F)));
            add_byte(out, (unsigned char)(0x80 | (c >> 6 & 0x3F)));
            add_byte(out, (unsigned char)(0x80 | (c & 0x3F)));
        }
    }
}

/* Step 6 (STP-1): no registered label drops a token; there is nothing to do. */

/* ------------------------------------------------------------------------------------------------------------------
 * Step 7: Hash the tokens
 * ------------------------------------------------------------------------------------------------------------------ */

/* lookup3 over octets that come one after another. The number of all octets has to be known at the start. */
struct lookup3 {
    uint32_t a, b, c;
    unsigned char block[12];
    size_t have;
};

/* 0 < bits < 32 */
static uint32_t rot(uint32_t x, unsigned bits)
{
    return x << bits | x >> (32 - bits);
}

/* HSH-2: the word at p, least significant octet first. */
static uint32_t word_of(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void mix_round(uint32_t *x, uint32_t *y, uint32_t *z, unsigned bits)
{
    *x -= *y;
    *x ^= rot(*y, bits);
    *y += *z;
}

static void final_round(uint32_t *x, uint32_t *y, unsigned bits)
{
    *x ^= *y;
    *x -= rot(*y, bits);
}

static void lookup3_init(struct lookup3 *s, uint64_t n, uint32_t pc, uint32_t pb)
{
    s->a = s->b = s->c = UINT32_C(0xDEADBEEF) + (uint32_t)(n & UINT32_C(0xFFFFFFFF)) + pc;
    s->c += pb;
    s->have = 0;
}

static void lookup3_block(struct lookup3 *s)
{
    s->a += word_of(s->block);
    s->b += word_of(s->block + 4);
    s->c += word_of(s->block + 8);
    s->have = 0;
}

/* A block of 12 octets goes through Mix when, and only when, another octet follows. */
static void lookup3_octet(struct lookup3 *s, unsigned char octet)
{
    if (s->have == 12) {
        lookup3_block(s);
        mix_round(&s->a, &s->c, &s->b, 4);
        mix_round(&s->b, &s->a, &s->c, 6);
        mix_round(&s->c, &s->b, &s->a, 8);
        mix_round(&s->a, &s->c, &s->b, 16);
        mix_round(&s->b, &s->a, &s->c, 19);
        mix_round(&s->c, &s->b, &s->a, 4);
    }
    s->block[s->have++] = octet;
}

static void lookup3_end(struct lookup3 *s)
{
    if (s->have == 0)
        return; /* no octets at all */
    while (s->have < 12)
        s->block[s->have++] = 0;
    lookup3_block(s);
    final_round(&s->c, &s->b, 14);
    final_round(&s->a, &s->c, 11);
    final_round(&s->b, &s->a, 25);
    final_round(&s->c, &s->b, 16);
    final_round(&s->a, &s->c, 4);
    final_round(&s->b, &s->a, 14);
    final_round(&s->c, &s->b, 24);
}

/* HSH-1, HSH-3 */
static uint64_t token_hash(const unsigned char *octets, size_t n)
{
    struct lookup3 s;
    size_t i;

    lookup3_init(&s, n, 0, 0);
    for (i = 0; i < n; i++)
        lookup3_octet(&s, octets[i]);
    lookup3_end(&s);
    return (uint64_t)s.b << 32 | s.c;
}

/* ------------------------------------------------------------------------------------------------------------------
 * Step 8: Simhash
 * ------------------------------------------------------------------------------------------------------------------ */

static int by_number(const void *x, const void *y)
{
    const uint64_t *a = x, *b = y;

    return (*a > *b) - (*a < *b);
}

/* SIM-1, SIM-2, SIM-3, SIM-4, SIM-5. Returns 0 where there is no fingerprint; all counters are 0 then. */
static int simhash(const struct numbers *hashes, unsigned label, int64_t counters[64], uint64_t *fingerprint)
{
    uint64_t *sorted = array_of(hashes->n, sizeof *sorted);
    size_t h;
    unsigned i;

    for (i = 0; i < 64; i++)
        counters[i] = 0;
    for (h = 0; h < hashes->n; h++)
        sorted[h] = hashes->p[h];
    if (label & CAP8)
        qsort(sorted, hashes->n, sizeof *sorted, by_number);
    for (h = 0; h < hashes->n; h++) {
        if (label & CAP8 && h >= 8 && sorted[h] == sorted[h - 8])
            continue; /* CAP-1 */
        for (i = 0; i < 64; i++)
            counters[i] += sorted[h] >> (63 - i) & 1 ? 1 : -1;
    }
    free(sorted);
    *fingerprint = 0;
    for (i = 0; i < 64; i++)
        if (counters[i] > 0)
            *fingerprint |= UINT64_C(1) << (63 - i);
    return hashes->n > 0;
}

/* ------------------------------------------------------------------------------------------------------------------
 * Step 9: Serialise
 * ------------------------------------------------------------------------------------------------------------------ */

/* The error codes of the specification, and the two other ways in which an operation ends. */
enum result {
    DONE,
    UNSUPPORTED,
    WRONG_TYPE,
    OUT_OF_RANGE,
    INVALID_FINGERPRINT,
    INVALID_LABEL,
    LABEL_MISMATCH,
    NO_FINGERPRINT
};

static const char *const CODES[] = {
    NULL,            NULL,             "wrong-type",     "out-of-range", "invalid-fingerprint",
    "invalid-label", "label-mismatch", "no-fingerprint",
};

/* SER-1: 64 bits, a spare bit 0, 13 groups of five. */
static void write_bare(uint64_t fingerprint, char out[14])
{
    static const char ALPHABET[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    unsigned i;

    for (i = 0; i < 12; i++)
        out[i] = ALPHABET[fingerprint >> (59 - 5 * i) & 31];
    out[12] = ALPHABET[(fingerprint & 15) << 1];
    out[13] = '\0';
}

/* SER-6 */
static void write_hex(uint64_t number, char out[17])
{
    unsigned i;

    for (i = 0; i < 16; i++)
        out[i] = "0123456789abcdef"[number >> (60 - 4 * i) & 15];
    out[16] = '\0';
}

/* SER-2, SER-3, SER-4, SER-5: reads the n code points at s. */
static enum result read_bare(const uint32_t *s, size_t n, uint64_t *fingerprint)
{
    uint64_t value = 0;
    uint32_t digit = 0;
    size_t i;

    if (n == 16 && s[13] == '=' && s[14] == '=' && s[15] == '=')
        n = 13;
    if (n != 13)
        return INVALID_FINGERPRINT;
    for (i = 0; i < 13; i++) {
        if (s[i] >= 0x41 && s[i] <= 0x5A)
            digit = s[i] - 0x41;
        else if (s[i] >= 0x61 && s[i] <= 0x7A)
            digit = s[i] - 0x61;
        else if (s[i] >= 0x32 && s[i] <= 0x37)
            digit = s[i] - 0x32 + 26;
        else
            return INVALID_FINGERPRINT;
        value = i < 12 ? value << 5 | digit : value << 4 | digit >> 1;
    }
    if (digit & 1)
        return INVALID_FINGERPRINT; /* SER-4 */
    *fingerprint = value;
    return DONE;
}

/* SER-6: reads the n code points at s, digits in either case. */
static enum result read_hex(const uint32_t *s, size_t n, uint64_t *fingerprint)
{
    size_t i;

    if (n != 16)
        return INVALID_FINGERPRINT;
    *fingerprint = 0;
    for (i = 0; i < 16; i++) {
        if (!is_hex(s[i]))
            return INVALID_FINGERPRINT;
        *fingerprint = *fingerprint << 4 | (s[i] <= 0x39 ? s[i] - 0x30 : (s[i] | 0x20) - 0x61 + 10);
    }
    return DONE;
}

/* LAB-1, LAB-2, LAB-3 */
static enum result read_label(const uint32_t *s, size_t n, unsigned *label)
{
    struct scan scan = {s, n, 0, 0, 0};

    for (*label = 0; *label < COUNT_OF(LABELS); ++*label)
        if (n == strlen(LABELS[*label]) && word_at(&scan, 0, LABELS[*label]))
            return DONE;
    return INVALID_LABEL;
}

/* SER-7, LAB-4 */
static enum result read_labelled(const struct text *s, unsigned *label, uint64_t *fingerprint)
{
    size_t colon = 0;

    while (colon < s->n && s->p[colon] != ':')
        colon++;
    if (colon == s->n || read_label(s->p, colon, label) != DONE)
        return INVALID_LABEL;
    return read_bare(s->p + colon + 1, s->n - colon - 1, fingerprint);
}

/* ------------------------------------------------------------------------------------------------------------------
 * Step 10: Compare
 * ------------------------------------------------------------------------------------------------------------------ */

/* CMP-1 */
static unsigned distance(uint64_t x, uint64_t y)
{
    unsigned d = 0;

    for (x ^= y; x != 0; x &= x - 1)
        d++;
    return d;
}

/* CMP-2: 1 - d/64 in decimals, exactly. 1/64 is 0.015625. */
static void write_similarity(unsigned d, char out[16])
{
    unsigned millionths = (64 - d) * 15625;
    size_t n;

    snprintf(out, 16, "%u.%06u", millionths / 1000000, millionths % 1000000);
    for (n = strlen(out); out[n - 1] == '0'; n--)
        out[n - 1] = '\0';
    if (out[n - 1] == '.')
        out[n - 1] = '\0';
}

/* CMP-3, CMP-4 */
static const char *verdict(unsigned d)
{
    return d <= 1 ? "close" : d <= 6 ? "loose" : "none";
}

/* ------------------------------------------------------------------------------------------------------------------
 * Step 11: Lookup tables
 * ------------------------------------------------------------------------------------------------------------------ */

#define TABLES 16

/* TAB-1, TAB-2, TAB-4 */
static uint64_t permute(uint64_t fingerprint, unsigned t)
{
    unsigned i = t / 4, j = t % 4, m;
    uint64_t block = fingerprint >> (48 - 16 * i) & 0xFFFF;
    uint64_t rest = 0, result;

    for (m = 0; m < 4; m++)
        if (m != i)
            rest = rest << 16 | (fingerprint >> (48 - 16 * m) & 0xFFFF);
    result = block << 12 | (rest >> (36 - 12 * j) & 0xFFF);
    for (m = 0; m < 4; m++)
        if (m != j)
            result = result << 12 | (rest >> (36 - 12 * m) & 0xFFF);
    return result;
}

/* TAB-4, the inverse */
static uint64_t unpermute(uint64_t permuted, unsigned t)
{
    unsigned i = t / 4, j = t % 4, m, next;
    uint64_t block = permuted >> 48, rest = 0, result = 0;

    for (m = 0, next = 24; m < 4; m++) {
        unsigned shift = 36;

        if (m != j) {
            shift = next;
            next -= 12; /* may wrap behind the last one, and is not used then */
        }
        rest = rest << 12 | (permuted >> shift & 0xFFF);
    }
    for (m = 0, next = 32; m < 4; m++) {
        if (m == i) {
            result = result << 16 | block;
        } else {
            result = result << 16 | (rest >> next & 0xFFFF);
            next -= 16;
        }
    }
    return result;
}

/* TAB-3 */
static uint32_t key_of(uint64_t fingerprint, unsigned t)
{
    return (uint32_t)(permute(fingerprint, t) >> 36);
}

/* n over m, for n up to 16 */
static uint64_t binomial(unsigned n, unsigned m)
{
    uint64_t result = 1;
    unsigned i;

    if (m > n)
        return 0;
    for (i = 1; i <= m; i++)
        result = result * (n - m + i) / i;
    return result;
}

/* LKP-2: the number of probes of a table. */
static uint64_t probe_count(unsigned k)
{
    uint64_t count = 0;
    unsigned e1, e2;

    for (e1 = 0; e1 <= k / 4; e1++)
        for (e2 = 0; e2 <= (k - e1) / 4; e2++)
            count += binomial(16, e1) * binomial(12, e2);
    return count;
}

/* LKP-2: calls `each` for every probe of table t, in ascending order. */
static void probes(uint64_t fingerprint, unsigned t, unsigned k, void (*each)(void *, uint32_t), void *to)
{
    static unsigned char ones[0x10000]; /* how many bits of a number are 1 */
    uint32_t key = key_of(fingerprint, t), upper, lower;

    if (ones[1] == 0)
        for (upper = 1; upper < 0x10000; upper++)
            ones[upper] = (unsigned char)(ones[upper >> 1] + (upper & 1));
    for (upper = 0; upper < 0x10000; upper++) {
        unsigned e1 = ones[upper ^ key >> 12];

        if (e1 > k / 4)
            continue;
        for (lower = 0; lower < 0x1000; lower++)
            if (ones[lower ^ (key & 0xFFF)] <= (k - e1) / 4)
                each(to, upper << 12 | lower);
    }
}

struct entry {
    struct bytes id; /* in UTF-8 */
    struct text name; /* the same as code points; borrowed */
    uint64_t fingerprint;
    size_t position; /* its place in the request */
    unsigned distance;
    int found;
};

struct row {
    uint64_t permuted;
    struct entry *entry;
};

struct search {
    const struct row *rows;
    size_t n;
    uint64_t query;
    unsigned k;
};

/* LKP-4: unsigned octets, a prefix before what it is a prefix of. */
static int compare_ids(const struct bytes *x, const struct bytes *y)
{
    size_t n = x->n < y->n ? x->n : y->n;
    int order = n > 0 ? memcmp(x->p, y->p, n) : 0;

    if (order != 0)
        return order;
    return (x->n > y->n) - (x->n < y->n);
}

static int by_id_and_position(const void *x, const void *y)
{
    const struct entry *a = x, *b = y;
    int order = compare_ids(&a->id, &b->id);

    return order != 0 ? order : (a->position > b->position) - (a->position < b->position);
}

static int by_distance_and_id(const void *x, const void *y)
{
    const struct entry *a = x, *b = y;

    if (a->distance != b->distance)
        return a->distance < b->distance ? -1 : 1;
    return compare_ids(&a->id, &b->id);
}

/* TAB-5: unsigned */
static int by_permuted(const void *x, const void *y)
{
    const struct row *a = x, *b = y;

    return (a->permuted > b->permuted) - (a->permuted < b->permuted);
}

/* LKP-3: candidates are checked. */
static void check(struct entry *entry, uint64_t query, unsigned k)
{
    unsigned d = distance(entry->fingerprint, query);

    if (d <= k) {
        entry->distance = d;
        entry->found = 1;
    }
}

/* Reads the entries of one key: from key * 2^36 to key * 2^36 + 2^36 - 1. */
static void search_key(void *to, uint32_t key)
{
    const struct search *s = to;
    size_t low = 0, high = s->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (s->rows[middle].permuted < (uint64_t)key << 36)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < s->n && s->rows[low].permuted >> 36 == key; low++)
        check(s->rows[low].entry, s->query, s->k);
}

/*
 * LKP-1, LKP-3, LKP-4. The entries have different identifiers; those within distance k become the first ones of the
 * array, in order, and their number is returned. Up to k = 7 the tables are used; above, where the probes are
 * thousands, every entry is compared.
 */
static size_t look_up(struct entry *entries, size_t n, uint64_t query, unsigned k)
{
    size_t i, found = 0;

    if (k <= 7) {
        struct row *rows = array_of(n, sizeof *rows);
        struct search s = {rows, n, query, k};
        unsigned t;

        for (t = 0; t < TABLES; t++) {
            for (i = 0; i < n; i++) {
                rows[i].permuted = permute(entries[i].fingerprint, t);
                rows[i].entry = &entries[i];
            }
            qsort(rows, n, sizeof *rows, by_permuted);
            probes(query, t, k, search_key, &s);
        }
        free(rows);
    } else {
        for (i = 0; i < n; i++)
            check(&entries[i], query, k);
    }
    for (i = 0; i < n; i++) {
        if (entries[i].found) {
            struct entry swap = entries[found];

            entries[found++] = entries[i];
            entries[i] = swap;
        }
    }
    qsort(entries, found, sizeof *entries, by_distance_and_id);
    return found;
}

/* ------------------------------------------------------------------------------------------------------------------
 * JSON: a reader
 * ------------------------------------------------------------------------------------------------------------------ */

enum json_type { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json {
    enum json_type type;
    struct text string;     /* of a string; code points, lone surrogates included */
    int lone_surrogate;     /* whether the string holds one, so that it is no text */
    int integer;            /* whether a number has neither fraction nor exponent */
    int64_t number;         /* value of such a number; INT64_MIN or INT64_MAX where it lies outside -10^17 to 10^17 */
    struct member *members; /* of an array (without names) or an object */
    size_t n, cap;
};

struct member {
    struct text name;
    struct json value;
};

struct reader {
    const unsigned char *s;
    size_t n, p;
};

static int json_value(struct reader *r, struct json *v, unsigned depth);

static void json_free(struct json *v)
{
    size_t i;

    for (i = 0; i < v->n; i++) {
        free(v->members[i].name.p);
        json_free(&v->members[i].value);
    }
    free(v->members);
    free(v->string.p);
}

static void json_space(struct reader *r)
{
    while (r->p < r->n && (r->s[r->p] == ' ' || r->s[r->p] == '\t' || r->s[r->p] == '\n' || r->s[r->p] == '\r'))
        r->p++;
}

static int json_take(struct reader *r, unsigned char c)
{
    if (r->p < r->n && r->s[r->p] == c) {
        r->p++;
        return 1;
    }
    return 0;
}

static int json_literal(struct reader *r, const char *literal)
{
    for (; *literal != '\0'; literal++)
        if (!json_take(r, (unsigned char)*literal))
            return 0;
    return 1;
}

/* The value of a hexadecimal digit, or -1. */
static int hex_value(uint32_t c)
{
    if (!is_hex(c))
        return -1;
    return is_digit(c) ? (int)(c - '0') : (int)((c | 0x20) - 'a') + 10;
}

static int json_unit(struct reader *r, uint32_t *unit)
{
    int i;

    *unit = 0;
    for (i = 0; i < 4; i++, r->p++) {
        int digit = r->p < r->n ? hex_value(r->s[r->p]) : -1;

        if (digit < 0)
            return 0;
        *unit = *unit << 4 | (uint32_t)digit;
    }
    return 1;
}

/* Reads behind the opening quotation mark. */
static int json_string(struct reader *r, struct text *out, int *lone)
{
    static const char ESCAPES[] = "\"\\/bfnrt", MEANINGS[] = "\"\\/\b\f\n\r\t";

    *lone = 0;
    for (;;) {
        uint32_t c, low;
        int well_formed;

        if (r->p >= r->n || r->s[r->p] < 0x20)
            return 0;
        if (json_take(r, '"'))
            return 1;
        if (!json_take(r, '\\')) {
            r->p += utf8_read(r->s, r->n, r->p, &c, &well_formed);
            if (!well_formed)
                return 0;
        } else if (json_take(r, 'u')) {
            if (!json_unit(r, &c))
                return 0;
            if (c >= 0xD800 && c <= 0xDBFF && r->n - r->p >= 6 && r->s[r->p] == '\\' && r->s[r->p + 1] == 'u') {
                struct reader ahead = {r->s, r->n, r->p + 2};

                if (!json_unit(&ahead, &low))
                    return 0;
                if (low >= 0xDC00 && low <= 0xDFFF) {
                    c = 0x10000 + (c - 0xD800) * 0x400 + (low - 0xDC00);
                    r->p = ahead.p;
                }
            }
            if (c >= 0xD800 && c <= 0xDFFF)
                *lone = 1;
        } else {
            const char *found;

            if (r->p >= r->n || r->s[r->p] == 0 || r->s[r->p] >= 0x80)
                return 0;
            found = strchr(ESCAPES, r->s[r->p]);
            if (found == NULL)
                return 0;
            c = (uint32_t)(unsigned char)MEANINGS[found - ESCAPES];
            r->p++;
        }
        add_point(out, c);
    }
}

static size_t json_digits(struct reader *r)
{
    size_t start = r->p;

    while (r->p < r->n && is_digit(r->s[r->p]))
        r->p++;
    return r->p - start;
}

static int json_number(struct reader *r, struct json *v)
{
    int negative = json_take(r, '-');
    size_t start = r->p, digits = json_digits(r), i;

    if (digits == 0 || (digits > 1 && r->s[start] == '0'))
        return 0;
    v->number = 0;
    for (i = 0; i < digits && digits <= 17; i++)
        v->number = v->number * 10 + (r->s[start + i] - '0');
    if (negative)
        v->number = -v->number;
    if (digits > 17)
        v->number = negative ? INT64_MIN : INT64_MAX;
    v->integer = 1;
    if (json_take(r, '.')) {
        v->integer = 0;
        if (json_digits(r) == 0)
            return 0;
    }
    if (json_take(r, 'e') || json_take(r, 'E')) {
        v->integer = 0;
        if (!json_take(r, '+'))
            json_take(r, '-');
        if (json_digits(r) == 0)
            return 0;
    }
    return 1;
}

/* Reads behind the opening bracket or brace, up to and with the closing one. */
static int json_members(struct reader *r, struct json *v, unsigned depth)
{
    unsigned char close = v->type == JSON_OBJECT ? '}' : ']';

    if (depth >= JSON_DEPTH)
        return 0;
    json_space(r);
    if (json_take(r, close))
        return 1;
    for (;;) {
        static const struct member EMPTY;
        struct member *m;
        int lone;

        v->members = room(v->members, v->n, &v->cap, sizeof *v->members);
        m = &v->members[v->n++];
        *m = EMPTY;
        if (v->type == JSON_OBJECT) {
            json_space(r);
            if (!json_take(r, '"') || !json_string(r, &m->name, &lone))
                return 0;
            json_space(r);
            if (!json_take(r, ':'))
                return 0;
        }
        if (!json_value(r, &m->value, depth + 1))
            return 0;
        json_space(r);
        if (json_take(r, close))
            return 1;
        if (!json_take(r, ','))
            return 0;
    }
}

/* `v` is set to zero by the caller. Whatever is returned, json_free() frees what was read. */
static int json_value(struct reader *r, struct json *v, unsigned depth)
{
    json_space(r);
    if (r->p >= r->n)
        return 0;
    switch (r->s[r->p]) {
    case 'n':
        v->type = JSON_NULL;
        return json_literal(r, "null");
    case 'f':
        v->type = JSON_FALSE;
        return json_literal(r, "false");
    case 't':
        v->type = JSON_TRUE;
        return json_literal(r, "true");
    case '"':
        r->p++;
        v->type = JSON_STRING;
        return json_string(r, &v->string, &v->lone_surrogate);
    case '[':
        r->p++;
        v->type = JSON_ARRAY;
        return json_members(r, v, depth);
    case '{':
        r->p++;
        v->type = JSON_OBJECT;
        return json_members(r, v, depth);
    default:
        v->type = JSON_NUMBER;
        return json_number(r, v);
    }
}

/* One value and nothing behind it. */
static int json_read(const struct bytes *line, struct json *v)
{
    struct reader r = {line->p, line->n, 0};

    if (!json_value(&r, v, 0))
        return 0;
    json_space(&r);
    return r.p == r.n;
}

static int text_is(const struct text *s, const char *ascii)
{
    size_t i, n = strlen(ascii);

    if (s->n != n)
        return 0;
    for (i = 0; i < n; i++)
        if (s->p[i] != (uint32_t)(unsigned char)ascii[i])
            return 0;
    return 1;
}

/* The member of an object, or NULL. Of two with one name, the last one counts. */
static const struct json *json_get(const struct json *object, const char *name)
{
    size_t i;

    if (object == NULL || object->type != JSON_OBJECT)
        return NULL;
    for (i = object->n; i > 0; i--)
        if (text_is(&object->members[i - 1].name, name))
            return &object->members[i - 1].value;
    return NULL;
}

/* ------------------------------------------------------------------------------------------------------------------
 * JSON: a writer. It gives ASCII only.
 * ------------------------------------------------------------------------------------------------------------------ */

static void put_unit(struct bytes *to, uint32_t unit)
{
    char s[8];

    snprintf(s, sizeof s, "\\u%04x", (unsigned)(unit & 0xFFFF));
    add_ascii(to, s);
}

static void put_points(struct bytes *to, const struct text *s, size_t start, size_t end)
{
    size_t i;

    add_byte(to, '"');
    for (i = start; i < end; i++) {
        uint32_t c = s->p[i];

        if (c == '"' || c == '\\') {
            add_byte(to, '\\');
            add_byte(to, (unsigned char)c);
        } else if (c >= 0x20 && c <= 0x7E) {
            add_byte(to, (unsigned char)c);
        } else if (c < 0x10000) {
            put_unit(to, c);
        } else {
            put_unit(to, 0xD800 + (c - 0x10000) / 0x400);
            put_unit(to, 0xDC00 + (c - 0x10000) % 0x400);
        }
    }
    add_byte(to, '"');
}

static void put_text(struct bytes *to, const struct text *s)
{
    put_points(to, s, 0, s->n);
}

static void put_integer(struct bytes *to, int64_t number)
{
    char s[32];

    snprintf(s, sizeof s, "%lld", (long long)number);
    add_ascii(to, s);
}

/* `s` holds no character that needs an escape. */
static void put_quoted(struct bytes *to, const char *s)
{
    add_byte(to, '"');
    add_ascii(to, s);
    add_byte(to, '"');
}

static void put_hex16(struct bytes *to, uint64_t number)
{
    char s[17];

    write_hex(number, s);
    put_quoted(to, s);
}

/* 32 bits as 8 digits */
static void put_hex8(struct bytes *to, uint32_t number)
{
    char digits[17];

    write_hex(number, digits);
    put_quoted(to, digits + 8);
}

static void put_bare(struct bytes *to, uint64_t fingerprint)
{
    char s[14];

    write_bare(fingerprint, s);
    put_quoted(to, s);
}

static void put_counters(struct bytes *to, const int64_t counters[64])
{
    unsigned i;

    for (i = 0; i < 64; i++) {
        add_byte(to, i == 0 ? '[' : ',');
        put_integer(to, counters[i]);
    }
    add_byte(to, ']');
}

static void put_keys(struct bytes *to, uint64_t fingerprint)
{
    unsigned t;

    for (t = 0; t < TABLES; t++) {
        add_byte(to, t == 0 ? '[' : ',');
        put_integer(to, key_of(fingerprint, t));
    }
    add_byte(to, ']');
}

static void put_tokens(struct bytes *to, const struct text *s, const struct numbers *spans)
{
    size_t i;

    add_byte(to, '[');
    for (i = 0; i < spans->n; i += 2) {
        if (i > 0)
            add_byte(to, ',');
        put_points(to, s, (size_t)spans->p[i], (size_t)spans->p[i + 1]);
    }
    add_byte(to, ']');
}

/* ------------------------------------------------------------------------------------------------------------------
 * Values of the protocol
 * ------------------------------------------------------------------------------------------------------------------ */

static enum result get_text(const struct json *v, const struct text **out)
{
    if (v == NULL || v->type != JSON_STRING || v->lone_surrogate)
        return WRONG_TYPE;
    *out = &v->string;
    return DONE;
}

/* hex16: exactly 16 lower-case digits. */
static enum result get_hex16(const struct json *v, uint64_t *out)
{
    size_t i;

    if (v == NULL || v->type != JSON_STRING || v->string.n != 16)
        return WRONG_TYPE;
    *out = 0;
    for (i = 0; i < 16; i++) {
        uint32_t c = v->string.p[i];

        if (!is_digit(c) && !(c >= 'a' && c <= 'f'))
            return WRONG_TYPE;
        *out = *out << 4 | (uint64_t)hex_value(c);
    }
    return DONE;
}

/* Exactly 8 lower-case digits, for 32 bits. */
static enum result get_hex8(const struct json *v, uint32_t *out)
{
    size_t i;

    if (v == NULL || v->type != JSON_STRING || v->string.n != 8)
        return WRONG_TYPE;
    *out = 0;
    for (i = 0; i < 8; i++) {
        uint32_t c = v->string.p[i];

        if (!is_digit(c) && !(c >= 'a' && c <= 'f'))
            return WRONG_TYPE;
        *out = *out << 4 | (uint32_t)hex_value(c);
    }
    return DONE;
}

/* The member `label`, which may be absent. */
static enum result get_label(const struct json *input, unsigned *label)
{
    const struct json *v = json_get(input, "label");
    const struct text *s;

    *label = 0;
    if (v == NULL)
        return DONE;
    return get_text(v, &s) == DONE ? read_label(s->p, s->n, label) : WRONG_TYPE;
}

/* hex16, or null for a document without a fingerprint (SIM-4). */
static enum result get_fingerprint(const struct json *v, uint64_t *out)
{
    if (v != NULL && v->type == JSON_NULL)
        return NO_FINGERPRINT;
    return get_hex16(v, out);
}

static enum result get_integer(const struct json *v, int64_t low, int64_t high, unsigned *out)
{
    if (v == NULL || v->type != JSON_NUMBER)
        return WRONG_TYPE;
    if (!v->integer || v->number < low || v->number > high)
        return OUT_OF_RANGE;
    *out = (unsigned)v->number;
    return DONE;
}

/* Groups of `digits` (2 or 4) lower-case hexadecimal digits, as numbers. */
static enum result get_groups(const struct json *v, size_t digits, struct text *out)
{
    size_t i, k;

    if (v->type != JSON_STRING || v->string.n % digits != 0)
        return WRONG_TYPE;
    for (i = 0; i < v->string.n; i += digits) {
        uint32_t number = 0;

        for (k = i; k < i + digits; k++) {
            uint32_t c = v->string.p[k];

            if (!is_digit(c) && !(c >= 'a' && c <= 'f'))
                return WRONG_TYPE;
            number = number << 4 | (uint32_t)hex_value(c);
        }
        add_point(out, number);
    }
    return DONE;
}

static enum result get_octets(const struct json *v, struct bytes *out)
{
    struct text groups = {0};
    enum result result = get_groups(v, 2, &groups);
    size_t i;

    for (i = 0; result == DONE && i < groups.n; i++)
        add_byte(out, (unsigned char)groups.p[i]);
    free(groups.p);
    return result;
}

/* Document input: exactly one of `text` (where it is allowed), `utf8` and `utf16`. Gives the text after step 1. */
static enum result get_document(const struct json *input, int text_allowed, struct text *out)
{
    const struct json *text = text_allowed ? json_get(input, "text") : NULL;
    const struct json *utf8 = json_get(input, "utf8"), *utf16 = json_get(input, "utf16");
    enum result result;
    size_t i;

    if ((text != NULL) + (utf8 != NULL) + (utf16 != NULL) != 1)
        return WRONG_TYPE;
    if (text != NULL) {
        const struct text *s;

        result = get_text(text, &s);
        for (i = 0; result == DONE && i < s->n; i++)
            add_point(out, s->p[i]);
    } else if (utf8 != NULL) {
        struct bytes octets = {0};

        result = get_octets(utf8, &octets);
        if (result == DONE)
            decode_octets(&octets, out);
        free(octets.p);
    } else {
        struct text units = {0};

        result = get_groups(utf16, 4, &units);
        if (result == DONE)
            decode_units(&units, out);
        free(units.p);
    }
    return result;
}

/* ------------------------------------------------------------------------------------------------------------------
 * Operations. Each appends its result, an object, to `out`; what is there when it does not return DONE is dropped.
 * ------------------------------------------------------------------------------------------------------------------ */

static void put_text_result(struct bytes *out, const struct text *s)
{
    add_ascii(out, "{\"text\":");
    put_text(out, s);
    add_byte(out, '}');
}

static enum result op_decode(const struct json *input, struct bytes *out)
{
    struct text decoded = {0};
    enum result result = get_document(input, 0, &decoded);

    if (result == DONE)
        put_text_result(out, &decoded);
    free(decoded.p);
    return result;
}

static enum result op_classify(const struct json *input, struct bytes *out)
{
    const struct text *s;
    enum result result = get_text(json_get(input, "text"), &s);
    size_t i;

    if (result != DONE)
        return result;
    add_ascii(out, "{\"classes\":[");
    for (i = 0; i < s->n; i++) {
        if (i > 0)
            add_byte(out, ',');
        put_quoted(out, CLASS_NAMES[class_of(s->p[i])]);
    }
    add_ascii(out, "]}");
    return DONE;
}

static enum result op_normalise(const struct json *input, struct bytes *out)
{
    const struct text *s;
    struct text normalised = {0};
    enum result result = get_text(json_get(input, "text"), &s);

    if (result == DONE) {
        if (normalise(s, &normalised))
            put_text_result(out, &normalised);
        else
            result = UNSUPPORTED;
    }
    free(normalised.p);
    return result;
}

static enum result op_strip_locators(const struct json *input, struct bytes *out)
{
    const struct text *s;
    struct text stripped = {0};
    enum result result = get_text(json_get(input, "text"), &s);

    if (result == DONE) {
        strip_locators(s, &stripped);
        put_text_result(out, &stripped);
    }
    free(stripped.p);
    return result;
}

static enum result op_tokenise(const struct json *input, struct bytes *out)
{
    const struct text *s;
    struct numbers spans = {0};
    unsigned label;
    enum result result = get_text(json_get(input, "text"), &s);

    if (result == DONE)
        result = get_label(input, &label);
    if (result == DONE) {
        tokenise(s, label, &spans);
        add_ascii(out, "{\"tokens\":");
        put_tokens(out, s, &spans);
        add_byte(out, '}');
    }
    free(spans.p);
    return result;
}

static enum result op_token_hash(const struct json *input, struct bytes *out)
{
    const struct json *text = json_get(input, "text"), *utf8 = json_get(input, "utf8");
    const struct text *s;
    struct bytes octets = {0};
    enum result result = WRONG_TYPE;

    if (text != NULL && utf8 == NULL) {
        result = get_text(text, &s);
        if (result == DONE)
            encode(s, 0, s->n, &octets);
    } else if (text == NULL && utf8 != NULL) {
        result = get_octets(utf8, &octets);
    }
    if (result == DONE) {
        add_ascii(out, "{\"hash\":");
        put_hex16(out, token_hash(octets.p, octets.n));
        add_byte(out, '}');
    }
    free(octets.p);
    return result;
}

/* HSH-1, HSH-2, with initial values */
static enum result op_lookup3(const struct json *input, struct bytes *out)
{
    const struct json *utf8 = json_get(input, "utf8");
    struct bytes octets = {0};
    struct lookup3 s;
    uint32_t pc = 0, pb = 0;
    size_t i;
    enum result result = utf8 == NULL ? WRONG_TYPE : get_octets(utf8, &octets);

    if (result == DONE)
        result = get_hex8(json_get(input, "pc"), &pc);
    if (result == DONE)
        result = get_hex8(json_get(input, "pb"), &pb);
    if (result == DONE) {
        lookup3_init(&s, octets.n, pc, pb);
        for (i = 0; i < octets.n; i++)
            lookup3_octet(&s, octets.p[i]);
        lookup3_end(&s);
        add_ascii(out, "{\"c\":");
        put_hex8(out, s.c);
        add_ascii(out, ",\"b\":");
        put_hex8(out, s.b);
        add_byte(out, '}');
    }
    free(octets.p);
    return result;
}

static enum result op_simhash(const struct json *input, struct bytes *out)
{
    const struct json *list = json_get(input, "hashes");
    struct numbers hashes = {0};
    enum result result = list != NULL && list->type == JSON_ARRAY ? DONE : WRONG_TYPE;
    int64_t counters[64];
    uint64_t number;
    unsigned label;
    size_t i;

    for (i = 0; result == DONE && i < list->n; i++) {
        result = get_hex16(&list->members[i].value, &number);
        if (result == DONE)
            add_number(&hashes, number);
    }
    if (result == DONE)
        result = get_label(input, &label);
    if (result == DONE) {
        add_ascii(out, "{\"fingerprint\":");
        if (simhash(&hashes, label, counters, &number))
            put_hex16(out, number);
        else
            add_ascii(out, "null");
        add_ascii(out, ",\"counters\":");
        put_counters(out, counters);
        add_byte(out, '}');
    }
    free(hashes.p);
    return result;
}

static enum result op_serialise(const struct json *input, struct bytes *out)
{
    uint64_t fingerprint;
    enum result result = get_fingerprint(json_get(input, "fingerprint"), &fingerprint);

    if (result != DONE)
        return result;
    add_ascii(out, "{\"text\":");
    put_bare(out, fingerprint);
    add_ascii(out, ",\"hex\":");
    put_hex16(out, fingerprint);
    add_byte(out, '}');
    return DONE;
}

static enum result op_parse(const struct json *input, struct bytes *out)
{
    const struct text *s;
    uint64_t fingerprint;
    enum result result = get_text(json_get(input, "serialised"), &s);

    if (result == DONE)
        result = read_bare(s->p, s->n, &fingerprint);
    if (result != DONE)
        return result;
    add_ascii(out, "{\"fingerprint\":");
    put_hex16(out, fingerprint);
    add_byte(out, '}');
    return DONE;
}

static enum result op_parse_hex(const struct json *input, struct bytes *out)
{
    const struct text *s;
    uint64_t fingerprint;
    enum result result = get_text(json_get(input, "hex"), &s);

    if (result == DONE)
        result = read_hex(s->p, s->n, &fingerprint);
    if (result != DONE)
        return result;
    add_ascii(out, "{\"fingerprint\":");
    put_hex16(out, fingerprint);
    add_byte(out, '}');
    return DONE;
}

static enum result op_parse_label(const struct json *input, struct bytes *out)
{
    const struct text *s;
    unsigned label;
    enum result result = get_text(json_get(input, "label"), &s);

    if (result == DONE)
        result = read_label(s->p, s->n, &label);
    if (result != DONE)
        return result;
    add_ascii(out, "{\"label\":");
    put_quoted(out, LABELS[label]);
    add_byte(out, '}');
    return DONE;
}

static enum result op_parse_labelled(const struct json *input, struct bytes *out)
{
    const struct text *s;
    unsigned label;
    uint64_t fingerprint;
    enum result result = get_text(json_get(input, "labelled"), &s);

    if (result == DONE)
        result = read_labelled(s, &label, &fingerprint);
    if (result != DONE)
        return result;
    add_ascii(out, "{\"label\":");
    put_quoted(out, LABELS[label]);
    add_ascii(out, ",\"fingerprint\":");
    put_hex16(out, fingerprint);
    add_byte(out, '}');
    return DONE;
}

/* SER-7, LAB-1: the label is read before the fingerprint is looked at. */
static enum result op_format_labelled(const struct json *input, struct bytes *out)
{
    const struct text *s;
    unsigned label;
    uint64_t fingerprint;
    char bare[14];
    enum result result = get_text(json_get(input, "label"), &s);

    if (result == DONE)
        result = read_label(s->p, s->n, &label);
    if (result == DONE)
        result = get_fingerprint(json_get(input, "fingerprint"), &fingerprint);
    if (result != DONE)
        return result;
    write_bare(fingerprint, bare);
    add_ascii(out, "{\"labelled\":\"");
    add_ascii(out, LABELS[label]);
    add_byte(out, ':');
    add_ascii(out, bare);
    add_ascii(out, "\"}");
    return DONE;
}

/* CMP-5, CMP-6: both are read before the labels are compared. */
static enum result op_compare(const struct json *input, struct bytes *out)
{
    static const char *const NAMES[] = {"a", "b"};
    uint64_t fingerprints[2];
    unsigned labels[2], i, d;
    char similarity[16];

    for (i = 0; i < 2; i++) {
        const struct json *v = json_get(input, NAMES[i]);
        const struct text *s;
        enum result result;

        if (v != NULL && v->type == JSON_NULL)
            return NO_FINGERPRINT;
        result = get_text(v, &s);
        if (result == DONE)
            result = read_labelled(s, &labels[i], &fingerprints[i]);
        if (result != DONE)
            return result;
    }
    if (labels[0] != labels[1])
        return LABEL_MISMATCH;
    d = distance(fingerprints[0], fingerprints[1]);
    write_similarity(d, similarity);
    add_ascii(out, "{\"distance\":");
    put_integer(out, d);
    add_ascii(out, ",\"similarity\":");
    add_ascii(out, similarity);
    add_ascii(out, ",\"verdict\":");
    put_quoted(out, verdict(d));
    add_byte(out, '}');
    return DONE;
}

static enum result op_tables(const struct json *input, struct bytes *out)
{
    uint64_t fingerprint;
    unsigned t;
    enum result result = get_fingerprint(json_get(input, "fingerprint"), &fingerprint);

    if (result != DONE)
        return result;
    add_ascii(out, "{\"keys\":");
    put_keys(out, fingerprint);
    add_ascii(out, ",\"permuted\":");
    for (t = 0; t < TABLES; t++) {
        add_byte(out, t == 0 ? '[' : ',');
        put_hex16(out, permute(fingerprint, t));
    }
    add_ascii(out, "]}");
    return DONE;
}

static enum result op_unpermute(const struct json *input, struct bytes *out)
{
    uint64_t permuted;
    unsigned t;
    enum result result = get_fingerprint(json_get(input, "permuted"), &permuted);

    if (result == DONE)
        result = get_integer(json_get(input, "table"), 0, TABLES - 1, &t);
    if (result != DONE)
        return result;
    add_ascii(out, "{\"fingerprint\":");
    put_hex16(out, unpermute(permuted, t));
    add_byte(out, '}');
    return DONE;
}

static void digest_probe(void *to, uint32_t probe)
{
    struct lookup3 *s = to;

    lookup3_octet(s, (unsigned char)(probe >> 24));
    lookup3_octet(s, (unsigned char)(probe >> 16 & 0xFF));
    lookup3_octet(s, (unsigned char)(probe >> 8 & 0xFF));
    lookup3_octet(s, (unsigned char)(probe & 0xFF));
}

static enum result op_probe(const struct json *input, struct bytes *out)
{
    uint64_t fingerprint, count;
    unsigned t, k;
    struct lookup3 s;
    enum result result = get_fingerprint(json_get(input, "fingerprint"), &fingerprint);

    if (result == DONE)
        result = get_integer(json_get(input, "table"), 0, TABLES - 1, &t);
    if (result == DONE)
        result = get_integer(json_get(input, "k"), 0, 64, &k);
    if (result != DONE)
        return result;
    count = probe_count(k); /* at most 2^28 */
    lookup3_init(&s, 4 * count, 0, 0);
    probes(fingerprint, t, k, digest_probe, &s);
    lookup3_end(&s);
    add_ascii(out, "{\"count\":");
    put_integer(out, (int64_t)count);
    add_ascii(out, ",\"digest\":");
    put_hex16(out, (uint64_t)s.b << 32 | s.c);
    add_byte(out, '}');
    return DONE;
}

/* Reads one entry: a non-empty identifier and a fingerprint (LKP-6). */
static enum result get_entry(const struct json *v, struct entry *entry)
{
    const struct text *id;
    enum result result = get_text(json_get(v, "id"), &id);

    if (result != DONE)
        return result;
    if (id->n == 0)
        return OUT_OF_RANGE;
    entry->name = *id;
    encode(id, 0, id->n, &entry->id);
    return get_fingerprint(json_get(v, "fingerprint"), &entry->fingerprint);
}

/* LKP-5: the answer is complete to the k that was asked for, and says so. CMP-7: without a k, it is 3. */
static enum result op_lookup(const struct json *input, struct bytes *out)
{
    const struct json *list = json_get(input, "entries"), *limit = json_get(input, "k");
    struct entry *entries;
    uint64_t query = 0;
    unsigned k = 3;
    size_t read = 0, n = 0, i, found;
    enum result result = DONE;

    if (list == NULL || list->type != JSON_ARRAY)
        return WRONG_TYPE;
    entries = array_of(list->n, sizeof *entries);
    while (result == DONE && read < list->n) {
        entries[read].position = read;
        result = get_entry(&list->members[read].value, &entries[read]);
        read++;
    }
    if (result == DONE)
        result = get_fingerprint(json_get(input, "query"), &query);
    if (result == DONE && limit != NULL)
        result = get_integer(limit, 0, 64, &k);
    if (result == DONE) {
        /* An index holds one entry for each identifier; one that is added later takes the place of the earlier. */
        qsort(entries, read, sizeof *entries, by_id_and_position);
        for (i = 0; i < read; i++) {
            if (i + 1 < read && compare_ids(&entries[i].id, &entries[i + 1].id) == 0)
                continue;
            if (n != i) {
                struct entry swap = entries[n];

                entries[n] = entries[i];
                entries[i] = swap;
            }
            n++;
        }
        found = look_up(entries, n, query, k);
        add_ascii(out, "{\"completeTo\":");
        put_integer(out, k);
        add_ascii(out, ",\"matches\":[");
        for (i = 0; i < found; i++) {
            add_ascii(out, i == 0 ? "{\"id\":" : ",{\"id\":");
            put_text(out, &entries[i].name);
            add_ascii(out, ",\"fingerprint\":");
            put_hex16(out, entries[i].fingerprint);
            add_ascii(out, ",\"distance\":");
            put_integer(out, entries[i].distance);
            add_byte(out, '}');
        }
        add_ascii(out, "]}");
    }
    for (i = 0; i < read; i++)
        free(entries[i].id.p);
    free(entries);
    return result;
}

static enum result op_fingerprint(const struct json *input, struct bytes *out)
{
    struct text decoded = {0}, normalised = {0}, stripped = {0};
    struct numbers spans = {0}, hashes = {0};
    struct bytes octets = {0};
    int64_t counters[64];
    uint64_t fingerprint;
    unsigned label;
    size_t i;
    int some;
    enum result result = get_document(input, 1, &decoded);

    if (result == DONE)
        result = get_label(input, &label);
    if (result == DONE && !normalise(&decoded, &normalised))
        result = UNSUPPORTED;
    if (result == DONE) {
        strip_locators(&normalised, &stripped);
        tokenise(&stripped, label, &spans);
        for (i = 0; i < spans.n; i += 2) {
            octets.n = 0;
            encode(&stripped, (size_t)spans.p[i], (size_t)spans.p[i + 1], &octets);
            add_number(&hashes, token_hash(octets.p, octets.n));
        }
        some = simhash(&hashes, label, counters, &fingerprint);

        add_ascii(out, "{\"fingerprint\":");
        if (some)
            put_bare(out, fingerprint);
        else
            add_ascii(out, "null");
        add_ascii(out, ",\"decoded\":");
        put_text(out, &decoded);
        add_ascii(out, ",\"normalised\":");
        put_text(out, &normalised);
        add_ascii(out, ",\"stripped\":");
        put_text(out, &stripped);
        add_ascii(out, ",\"tokens\":");
        put_tokens(out, &stripped, &spans);
        add_ascii(out, ",\"hashes\":[");
        for (i = 0; i < hashes.n; i++) {
            if (i > 0)
                add_byte(out, ',');
            put_hex16(out, hashes.p[i]);
        }
        add_ascii(out, "],\"counters\":");
        put_counters(out, counters);
        if (some) {
            add_ascii(out, ",\"octets\":");
            put_hex16(out, fingerprint);
            add_ascii(out, ",\"hex\":");
            put_hex16(out, fingerprint);
            add_ascii(out, ",\"keys\":");
            put_keys(out, fingerprint);
        } else {
            add_ascii(out, ",\"octets\":null,\"hex\":null,\"keys\":null");
        }
        add_ascii(out, ",\"tokenCount\":");
        put_integer(out, (int64_t)hashes.n);
        add_byte(out, '}');
    }
    free(decoded.p);
    free(normalised.p);
    free(stripped.p);
    free(spans.p);
    free(hashes.p);
    free(octets.p);
    return result;
}

/* ------------------------------------------------------------------------------------------------------------------
 * Accumulated vectors: many cases of one step
 * ------------------------------------------------------------------------------------------------------------------ */

/* SHA-256 (FIPS 180-4) over octets that come in parts. */
struct sha256 {
    uint32_t h[8];
    unsigned char block[64];
    size_t have;
    uint64_t length;
};

static void sha256_init(struct sha256 *s)
{
    static const uint32_t START[8] = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    };

    memcpy(s->h, START, sizeof START);
    s->have = 0;
    s->length = 0;
}

static void sha256_block(struct sha256 *s)
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
    unsigned i;

    for (i = 0; i < 16; i++)
        w[i] = (uint32_t)s->block[4 * i] << 24 | (uint32_t)s->block[4 * i + 1] << 16 |
               (uint32_t)s->block[4 * i + 2] << 8 | (uint32_t)s->block[4 * i + 3];
    for (i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] + (rot(w[i - 15], 25) ^ rot(w[i - 15], 14) ^ w[i - 15] >> 3) +
               (rot(w[i - 2], 15) ^ rot(w[i - 2], 13) ^ w[i - 2] >> 10);
    memcpy(v, s->h, sizeof v);
    for (i = 0; i < 64; i++) {
        uint32_t x = v[7] + (rot(v[4], 26) ^ rot(v[4], 21) ^ rot(v[4], 7)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) +
                     K[i] + w[i];
        uint32_t y = (rot(v[0], 30) ^ rot(v[0], 19) ^ rot(v[0], 10)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));

        memmove(v + 1, v, 7 * sizeof v[0]);
        v[4] += x;
        v[0] = x + y;
    }
    for (i = 0; i < 8; i++)
        s->h[i] += v[i];
    s->have = 0;
}

static void sha256_octet(struct sha256 *s, unsigned char octet)
{
    s->block[s->have++] = octet;
    s->length++;
    if (s->have == 64)
        sha256_block(s);
}

static void sha256_end(struct sha256 *s)
{
    uint64_t bits = s->length * 8;
    unsigned i;

    sha256_octet(s, 0x80);
    while (s->have != 56)
        sha256_octet(s, 0);
    for (i = 0; i < 8; i++)
        sha256_octet(s, (unsigned char)(bits >> (56 - 8 * i) & 0xFF));
}

/* splitmix64 */
static uint64_t next_number(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* What a rule built: octets, or a text. */
struct made {
    int is_text;
    struct bytes octets;
    struct text text;
};

static enum result build_octets(unsigned seed, size_t count, struct made *made)
{
    uint64_t state = seed;
    size_t i;

    for (i = 0; i < count; i++)
        add_byte(&made->octets, (unsigned char)(next_number(&state) % 256));
    return DONE;
}

/* Appends one text of a list of texts. */
static enum result build_piece(const struct json *list, uint64_t *state, struct text *to)
{
    const struct text *piece;
    size_t i;

    if (list == NULL || list->type != JSON_ARRAY || list->n == 0)
        return WRONG_TYPE;
    if (get_text(&list->members[next_number(state) % list->n].value, &piece) != DONE)
        return WRONG_TYPE;
    for (i = 0; i < piece->n; i++)
        add_point(to, piece->p[i]);
    return DONE;
}

static enum result build_words(const struct json *rule, unsigned seed, size_t count, struct made *made)
{
    const struct json *vocabulary = json_get(rule, "vocabulary"), *separators = json_get(rule, "separators");
    uint64_t state = seed;
    enum result result = DONE;
    size_t i;

    for (i = 0; result == DONE && i < count; i++) {
        if (i > 0)
            result = build_piece(separators, &state, &made->text);
        if (result == DONE)
            result = build_piece(vocabulary, &state, &made->text);
    }
    return result;
}

static enum result build_code_points(const struct json *rule, unsigned seed, size_t count, struct made *made)
{
    const struct json *list = json_get(rule, "ranges");
    struct numbers ranges = {0}; /* the first code point, the width and the size of each */
    uint64_t state = seed, total = 0, x;
    enum result result = list != NULL && list->type == JSON_ARRAY ? DONE : WRONG_TYPE;
    size_t i, k;

    for (i = 0; result == DONE && i < list->n; i++) {
        const struct json *range = &list->members[i].value;
        unsigned first, last, times = 1;

        if (range->type != JSON_ARRAY || range->n < 2 || range->n > 3)
            result = WRONG_TYPE;
        if (result == DONE)
            result = get_integer(&range->members[0].value, 0, 0x10FFFF, &first);
        if (result == DONE)
            result = get_integer(&range->members[1].value, first, 0x10FFFF, &last);
        if (result == DONE && range->n == 3)
            result = get_integer(&range->members[2].value, 1, INT32_MAX, &times);
        if (result == DONE) {
            add_number(&ranges, first);
            add_number(&ranges, last - first + 1);
            add_number(&ranges, (uint64_t)(last - first + 1) * times);
            total += (uint64_t)(last - first + 1) * times;
        }
    }
    if (result == DONE && total == 0)
        result = OUT_OF_RANGE;
    for (i = 0; result == DONE && i < count; i++) {
        x = next_number(&state) % total;
        for (k = 0; x >= ranges.p[k + 2]; k += 3)
            x -= ranges.p[k + 2];
        add_point(&made->text, (uint32_t)(ranges.p[k] + x % ranges.p[k + 1]));
    }
    free(ranges.p);
    return result;
}

/* Lines, without their LF. Each returns DONE, or the code of the refusal, or UNSUPPORTED. */

static void put_octet_hex(struct bytes *to, unsigned char octet)
{
    add_byte(to, (unsigned char)"0123456789abcdef"[octet >> 4]);
    add_byte(to, (unsigned char)"0123456789abcdef"[octet & 15]);
}

static void put_hex_of_points(struct bytes *to, const struct text *s, size_t start, size_t end)
{
    struct bytes octets = {0};
    size_t i;

    encode(s, start, end, &octets);
    for (i = 0; i < octets.n; i++)
        put_octet_hex(to, octets.p[i]);
    free(octets.p);
}

static void put_digits16(struct bytes *to, uint64_t number)
{
    char digits[17];

    write_hex(number, digits);
    add_ascii(to, digits);
}

static void put_characters13(struct bytes *to, uint64_t number)
{
    char characters[14];

    write_bare(number, characters);
    add_ascii(to, characters);
}

static uint64_t number_at(const unsigned char *p)
{
    uint64_t number = 0;
    unsigned i;

    for (i = 0; i < 8; i++)
        number = number << 8 | p[i];
    return number;
}

static enum result line_decode(struct made *made, size_t i, struct bytes *line)
{
    (void)i;
    decode_octets(&made->octets, &made->text);
    put_hex_of_points(line, &made->text, 0, made->text.n);
    return DONE;
}

static enum result line_classify(struct made *made, size_t i, struct bytes *line)
{
    for (i = 0; i < made->text.n; i++)
        add_byte(line, (unsigned char)CLASS_NAMES[class_of(made->text.p[i])][0]);
    return DONE;
}

static enum result line_normalise(struct made *made, size_t i, struct bytes *line)
{
    struct text normalised = {0};
    int known = normalise(&made->text, &normalised);

    (void)i;
    if (known)
        put_hex_of_points(line, &normalised, 0, normalised.n);
    free(normalised.p);
    return known ? DONE : UNSUPPORTED;
}

static enum result line_strip_locators(struct made *made, size_t i, struct bytes *line)
{
    struct text stripped = {0};

    (void)i;
    strip_locators(&made->text, &stripped);
    put_hex_of_points(line, &stripped, 0, stripped.n);
    free(stripped.p);
    return DONE;
}

static enum result line_tokenise(struct made *made, size_t i, struct bytes *line)
{
    struct numbers spans = {0};

    tokenise(&made->text, 0, &spans);
    for (i = 0; i < spans.n; i += 2) {
        if (i > 0)
            add_byte(line, ' ');
        put_hex_of_points(line, &made->text, (size_t)spans.p[i], (size_t)spans.p[i + 1]);
    }
    free(spans.p);
    return DONE;
}

static enum result line_token_hash(struct made *made, size_t i, struct bytes *line)
{
    (void)i;
    if (made->is_text)
        encode(&made->text, 0, made->text.n, &made->octets);
    put_digits16(line, token_hash(made->octets.p, made->octets.n));
    return DONE;
}

static enum result line_simhash(struct made *made, size_t i, struct bytes *line)
{
    struct numbers hashes = {0};
    int64_t counters[64];
    uint64_t fingerprint;

    for (i = 0; i + 8 <= made->octets.n; i += 8)
        add_number(&hashes, number_at(made->octets.p + i));
    if (simhash(&hashes, 0, counters, &fingerprint))
        put_digits16(line, fingerprint);
    else
        add_byte(line, '-');
    free(hashes.p);
    return DONE;
}

static enum result line_serialise(struct made *made, size_t i, struct bytes *line)
{
    (void)i;
    if (made->octets.n != 8)
        return WRONG_TYPE;
    put_characters13(line, number_at(made->octets.p));
    add_byte(line, ' ');
    put_digits16(line, number_at(made->octets.p));
    return DONE;
}

static enum result line_parse(struct made *made, size_t i, struct bytes *line)
{
    uint64_t fingerprint;
    enum result result = read_bare(made->text.p, made->text.n, &fingerprint);

    (void)i;
    if (result == DONE)
        put_digits16(line, fingerprint);
    return result;
}

static enum result line_tables(struct made *made, size_t i, struct bytes *line)
{
    unsigned t;

    (void)i;
    if (made->octets.n != 8)
        return WRONG_TYPE;
    for (t = 0; t < TABLES; t++) {
        put_integer(line, key_of(number_at(made->octets.p), t));
        add_byte(line, ' ');
    }
    for (t = 0; t < TABLES; t++) {
        if (t > 0)
            add_byte(line, ' ');
        put_digits16(line, permute(number_at(made->octets.p), t));
    }
    return DONE;
}

static enum result line_probe(struct made *made, size_t i, struct bytes *line)
{
    unsigned k = (unsigned)(i / 16 % 8);
    struct lookup3 s;

    if (made->octets.n != 8)
        return WRONG_TYPE;
    lookup3_init(&s, 4 * probe_count(k), 0, 0);
    probes(number_at(made->octets.p), (unsigned)(i % 16), k, digest_probe, &s);
    lookup3_end(&s);
    put_integer(line, (int64_t)probe_count(k));
    add_byte(line, ' ');
    put_digits16(line, (uint64_t)s.b << 32 | s.c);
    return DONE;
}

static enum result line_fingerprint(struct made *made, size_t i, struct bytes *line)
{
    struct text normalised = {0}, stripped = {0};
    struct numbers spans = {0}, hashes = {0};
    struct bytes octets = {0};
    int64_t counters[64];
    uint64_t fingerprint;
    int known;

    if (!made->is_text)
        decode_octets(&made->octets, &made->text);
    known = normalise(&made->text, &normalised);
    if (known) {
        strip_locators(&normalised, &stripped);
        tokenise(&stripped, 0, &spans);
        for (i = 0; i < spans.n; i += 2) {
            octets.n = 0;
            encode(&stripped, (size_t)spans.p[i], (size_t)spans.p[i + 1], &octets);
            add_number(&hashes, token_hash(octets.p, octets.n));
        }
        if (simhash(&hashes, 0, counters, &fingerprint))
            put_characters13(line, fingerprint);
        else
            add_byte(line, '-');
    }
    free(normalised.p);
    free(stripped.p);
    free(spans.p);
    free(hashes.p);
    free(octets.p);
    return known ? DONE : UNSUPPORTED;
}

enum takes { OCTETS = 1, TEXT = 2 };

static const struct {
    const char *name;
    int takes;
    enum result (*line)(struct made *, size_t, struct bytes *);
} STEPS[] = {
    {"decode", OCTETS, line_decode},
    {"classify", TEXT, line_classify},
    {"normalise", TEXT, line_normalise},
    {"strip-locators", TEXT, line_strip_locators},
    {"tokenise", TEXT, line_tokenise},
    {"token-hash", OCTETS | TEXT, line_token_hash},
    {"simhash", OCTETS, line_simhash},
    {"serialise", OCTETS, line_serialise},
    {"parse", TEXT, line_parse},
    {"tables", OCTETS, line_tables},
    {"probe", OCTETS, line_probe},
    {"fingerprint", OCTETS | TEXT, line_fingerprint},
};

/* Runs `count` cases of a step; gives the digest of their lines. */
static enum result accumulate(size_t step, const struct json *rule, unsigned seed, unsigned count, struct sha256 *digest)
{
    const struct json *name = rule != NULL && rule->type == JSON_OBJECT ? json_get(rule, "rule") : NULL;
    struct made made = {0};
    struct bytes line = {0};
    unsigned least, most, i;
    size_t k;
    int octets;
    enum result result;

    if (name == NULL || name->type != JSON_STRING)
        return WRONG_TYPE;
    octets = text_is(&name->string, "octets");
    made.is_text = !octets;
    if (!octets && !text_is(&name->string, "words") && !text_is(&name->string, "code-points"))
        return UNSUPPORTED;
    if ((STEPS[step].takes & (octets ? OCTETS : TEXT)) == 0)
        return WRONG_TYPE;
    result = get_integer(json_get(rule, "least"), 0, INT32_MAX, &least);
    if (result == DONE)
        result = get_integer(json_get(rule, "most"), least, INT32_MAX, &most);
    for (i = 0; result == DONE && i < count; i++) {
        size_t length = least + i % (most - least + 1);

        made.octets.n = made.text.n = line.n = 0;
        if (octets)
            result = build_octets(seed + i, length, &made);
        else if (text_is(&name->string, "words"))
            result = build_words(rule, seed + i, length, &made);
        else
            result = build_code_points(rule, seed + i, length, &made);
        if (result != DONE)
            break;
        result = STEPS[step].line(&made, i, &line);
        if (result != DONE && result != UNSUPPORTED) {
            line.n = 0;
            add_ascii(&line, CODES[result]);
            result = DONE;
        }
        add_byte(&line, '\n');
        for (k = 0; k < line.n; k++)
            sha256_octet(digest, line.p[k]);
    }
    free(made.octets.p);
    free(made.text.p);
    free(line.p);
    return result;
}

static enum result op_accumulate(const struct json *input, struct bytes *out)
{
    const struct json *name = json_get(input, "step");
    struct sha256 digest;
    unsigned seed, count, i;
    size_t step = 0;
    enum result result = get_integer(json_get(input, "seed"), 0, UINT32_MAX, &seed);

    if (result == DONE)
        result = get_integer(json_get(input, "count"), 0, (int64_t)UINT32_MAX - seed, &count);
    if (result == DONE && (name == NULL || name->type != JSON_STRING))
        result = WRONG_TYPE;
    if (result != DONE)
        return result;
    while (step < COUNT_OF(STEPS) && !text_is(&name->string, STEPS[step].name))
        step++;
    if (step == COUNT_OF(STEPS))
        return UNSUPPORTED;
    sha256_init(&digest);
    result = accumulate(step, json_get(input, "rule"), seed, count, &digest);
    if (result != DONE)
        return result;
    sha256_end(&digest);
    add_ascii(out, "{\"digest\":\"");
    for (i = 0; i < 32; i++)
        put_octet_hex(out, (unsigned char)(digest.h[i / 4] >> (24 - 8 * (i % 4)) & 0xFF));
    add_ascii(out, "\"}");
    return DONE;
}

static const struct {
    const char *name;
    enum result (*run)(const struct json *, struct bytes *);
} OPERATIONS[] = {
    {"decode", op_decode},
    {"classify", op_classify},
    {"normalise", op_normalise},
    {"strip-locators", op_strip_locators},
    {"tokenise", op_tokenise},
    {"token-hash", op_token_hash},
    {"lookup3", op_lookup3},
    {"simhash", op_simhash},
    {"serialise", op_serialise},
    {"parse", op_parse},
    {"parse-hex", op_parse_hex},
    {"parse-label", op_parse_label},
    {"parse-labelled", op_parse_labelled},
    {"format-labelled", op_format_labelled},
    {"compare", op_compare},
    {"tables", op_tables},
    {"unpermute", op_unpermute},
    {"probe", op_probe},
    {"lookup", op_lookup},
    {"fingerprint", op_fingerprint},
    {"accumulate", op_accumulate},
};

/* ------------------------------------------------------------------------------------------------------------------
 * The protocol
 * ------------------------------------------------------------------------------------------------------------------ */

static void put_hello(struct bytes *out)
{
    size_t i;

    add_ascii(out, "{\"name\":\"" NAME "\",\"version\":\"" VERSION "\",\"language\":\"C\",\"protocol\":1,"
                   "\"unicode\":null,\"operations\":[");
    for (i = 0; i < COUNT_OF(OPERATIONS); i++) {
        if (i > 0)
            add_byte(out, ',');
        put_quoted(out, OPERATIONS[i].name);
    }
    add_ascii(out, "],\"labels\":[");
    for (i = 0; i < COUNT_OF(LABELS); i++) {
        if (i > 0)
            add_byte(out, ',');
        put_quoted(out, LABELS[i]);
    }
    add_ascii(out, "]}");
}

static enum result dispatch(const struct json *request, struct bytes *out)
{
    const struct json *op = json_get(request, "op"), *input = json_get(request, "input");
    size_t i;

    if (text_is(&op->string, "hello")) {
        put_hello(out);
        return DONE;
    }
    for (i = 0; i < COUNT_OF(OPERATIONS); i++)
        if (text_is(&op->string, OPERATIONS[i].name))
            return input != NULL && input->type == JSON_OBJECT ? OPERATIONS[i].run(input, out) : WRONG_TYPE;
    return UNSUPPORTED;
}

/* Answers one line. Returns 0 where it is no request, so that there is no `id` to answer to. */
static int answer(const struct bytes *line, struct bytes *reply)
{
    static const struct json EMPTY;
    struct json request = EMPTY;
    const struct json *id, *op;
    int good = 0;

    if (json_read(line, &request)) {
        id = json_get(&request, "id");
        op = json_get(&request, "op");
        if (id != NULL && id->type == JSON_STRING && op != NULL && op->type == JSON_STRING) {
            struct bytes result = {0};
            enum result code = dispatch(&request, &result);
            size_t i;

            add_ascii(reply, "{\"id\":");
            put_text(reply, &id->string);
            if (code == DONE) {
                add_ascii(reply, ",\"ok\":");
                for (i = 0; i < result.n; i++)
                    add_byte(reply, result.p[i]);
            } else if (code == UNSUPPORTED) {
                add_ascii(reply, ",\"unsupported\":true");
            } else {
                add_ascii(reply, ",\"error\":{\"code\":");
                put_quoted(reply, CODES[code]);
                add_byte(reply, '}');
            }
            add_ascii(reply, "}\n");
            free(result.p);
            good = 1;
        }
    }
    json_free(&request);
    return good;
}

/* Reads one line, without its LF. Returns 0 at the end of the input. A last line without LF is read too. */
static int read_line(FILE *file, struct bytes *line)
{
    int octet;

    line->n = 0;
    while ((octet = getc(file)) != EOF) {
        if (octet == '\n')
            return 1;
        add_byte(line, (unsigned char)octet);
    }
    return line->n > 0;
}

int main(int argc, char **argv)
{
    struct bytes line = {0}, reply = {0}, beside = {0};
    const char *path = argc > 1 ? argv[1] : getenv("SIMHASH_DOC_WORD_CLASSES");

    if (path == NULL || path[0] == '\0')
        path = DEFAULT_CLASSES;
    add_ascii(&beside, path);
    while (beside.n > 0 && beside.p[beside.n - 1] != '/')
        beside.n--;
    add_ascii(&beside, BIGRAMS);
    add_byte(&beside, '\0');
    if (!load_ranges(path, CLASS_NAMES, COUNT_OF(CLASS_NAMES), classes) ||
        !load_ranges((const char *)beside.p, BIGRAM_NAMES, COUNT_OF(BIGRAM_NAMES), bigrams)) {
        fprintf(stderr, NAME ": cannot read %s or %s, or one is not as specified\n", path, (const char *)beside.p);
        return 2;
    }
    free(beside.p);
    while (read_line(stdin, &line)) {
        reply.n = 0;
        if (!answer(&line, &reply))
            die("a line of the input is not a request");
        if (fwrite(reply.p, 1, reply.n, stdout) != reply.n || fflush(stdout) != 0)
            die("cannot write to standard output");
    }
    if (ferror(stdin))
        die("cannot read from standard input");
    free(line.p);
    free(reply.p);
    return 0;
}
