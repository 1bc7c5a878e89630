// SPDX-License-Identifier: MIT

import java.io.*;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.*;
import java.text.Normalizer;
import java.util.*;
import java.util.stream.IntStream;

/**
 * simhash-doc and minhash-doc 1.0.0-rc.1: similarity fingerprints for documents. Needs Java 17 and nothing else. Rule ids (TOK-2
 * ...) are those of the specification. All methods are static and may be called from several threads; only {@link Index} and
 * {@link MinHash} have a state.
 *
 * <p>A {@code String} is a text in 16-bit units: {@link #fingerprint} and {@link #decode(CharSequence)} read a lone surrogate
 * as U+FFFD (DEC-4). The methods of the single steps take texts without lone surrogates. A word of a fingerprint is a
 * {@code long}, to be read as an unsigned number; what has no fingerprint is an empty {@code Optional}, or {@code null} where
 * one is taken.
 */
public final class SimhashDoc {
    /** The label of simhash-doc without variants. */
    public static final String LABEL = "simhash-doc";
    /** The label of simhash-doc with pairs of characters. */
    public static final String BIGRAMS_LABEL = "simhash-doc+bg1";
    /** The label of minhash-doc with 64 bits. */
    public static final String MINHASH_LABEL = "minhash-doc";
    /** The label of minhash-doc with 256 bits. */
    public static final String MINHASH_256_LABEL = "minhash-doc-256";
    /** The registered labels (LAB-3). */
    public static final List<String> LABELS = List.of(LABEL, BIGRAMS_LABEL, MINHASH_LABEL, MINHASH_256_LABEL);
    /** The distance to filter by where none is given (CMP-7). */
    public static final int DEFAULT_K = 3;

    private SimhashDoc() {}

    /** An input that the specification refuses. */
    public static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final String code;

        public Refusal(String code, String message) {
            super(message);
            this.code = code;
        }

        /** One of wrong-type, out-of-range, invalid-fingerprint, invalid-label, label-mismatch, no-fingerprint. */
        public String code() {
            return code;
        }
    }

    // ---- the whole

    /** The fingerprint of a text, or none if it has no token. */
    public static Optional<Fingerprint> fingerprint(CharSequence text) {
        return fingerprint(text, LABEL);
    }

    /** The fingerprint of the octets of a text in UTF-8, or none if it has no token. */
    public static Optional<Fingerprint> fingerprint(byte[] utf8) {
        return fingerprint(decode(utf8), LABEL);
    }

    /** The fingerprint of a text under a registered label (steps 1 to 8). */
    public static Optional<Fingerprint> fingerprint(CharSequence text, String label) {
        List<String> tokens = tokenise(stripLocators(normalise(decode(text))), label);
        if (isMinhash(label)) {
            MinHash minhash = new MinHash(label);
            for (String token : tokens) minhash.add(tokenHash(token.getBytes(StandardCharsets.UTF_8)));
            return minhash.fingerprint();
        }
        OptionalLong bits = simhash(hashes(tokens));
        return bits.isPresent() ? Optional.of(new Fingerprint(label, bits.getAsLong())) : Optional.empty();
    }

    /** The fingerprint of the octets of a text in UTF-8 under a registered label. */
    public static Optional<Fingerprint> fingerprint(byte[] utf8, String label) {
        return fingerprint(decode(utf8), label);
    }

    // ---- step 1: decode

    /** Octets to a text, always as UTF-8 (DEC-1, DEC-2, DEC-3). */
    public static String decode(byte[] o) {
        int n = o.length;
        char[] out = new char[n];
        int length = 0;
        int p = n >= 3 && (o[0] & 0xFF) == 0xEF && (o[1] & 0xFF) == 0xBB && (o[2] & 0xFF) == 0xBF ? 3 : 0;
        while (p < n) {
            int x = o[p++] & 0xFF;
            if (x < 0x80) {
                out[length++] = (char) x;
                continue;
            }
            int more = x < 0xC2 ? 0 : x < 0xE0 ? 1 : x < 0xF0 ? 2 : x < 0xF5 ? 3 : 0;
            int least = x == 0xE0 ? 0xA0 : x == 0xF0 ? 0x90 : 0x80;      // the range of the second octet
            int most = x == 0xED ? 0x9F : x == 0xF4 ? 0x8F : 0xBF;
            int code = x & (0x3F >> more);
            int left = more;
            while (left > 0 && p < n && (o[p] & 0xFF) >= least && (o[p] & 0xFF) <= most) {
                code = code << 6 | o[p++] & 0x3F;
                least = 0x80;
                most = 0xBF;
                left--;
            }
            if (more == 0 || left > 0) {
                out[length++] = '\uFFFD';
            } else if (code < 0x10000) {
                out[length++] = (char) code;
            } else {
                out[length++] = Character.highSurrogate(code);
                out[length++] = Character.lowSurrogate(code);
            }
        }
        return new String(out, 0, length);
    }

    /** 16-bit units to a text: a lone surrogate becomes U+FFFD (DEC-4). */
    public static String decode(CharSequence units) {
        String s = units.toString();
        int lone = loneSurrogate(s, 0);
        if (lone < 0) return s;
        char[] out = s.toCharArray();
        for (; lone >= 0; lone = loneSurrogate(s, lone + 1)) out[lone] = '\uFFFD';
        return new String(out);
    }

    private static int loneSurrogate(String s, int from) {
        for (int i = from; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c < 0xD800 || c > 0xDFFF) continue;
            if (c >= 0xDC00 || i + 1 == s.length() || !Character.isLowSurrogate(s.charAt(i + 1))) return i;
            i++;
        }
        return -1;
    }

    // ---- step 2: classify

    /** The classes of code points, in the order of their numbers in the table. */
    public enum WordClass { BREAK, LETTER, WORD, IGNORABLE, UNASSIGNED }

    private static final byte BREAK = 0, LETTER = 1, WORD = 2, IGNORABLE = 3, UNASSIGNED = 4;
    private static final WordClass[] WORD_CLASSES = WordClass.values();
    private static final byte[] CLASS = table("word-classes.txt",       // CLS-1
        "1bb3e28272ea172e6b4605384f91a07d5be441cccfffb38bc2c84d50170175c8",
        List.of("break", "letter", "word", "ignorable", "unassigned"));

    /** The class of a code point (CLS-1). */
    public static WordClass classOf(int codePoint) {
        return WORD_CLASSES[CLASS[atMost(0x10FFFF, codePoint)]];
    }

    /** The number of the kind of each code point, by a table of lines START..END;KIND. */
    private static byte[] table(String name, String sha256, List<String> kinds) {
        byte[] octets;
        try {
            octets = readTable(name);
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(octets);
            if (!HexFormat.of().formatHex(digest).equals(sha256)) throw new IllegalStateException(name + " is damaged");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException | NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
        String s = new String(octets, StandardCharsets.US_ASCII);
        byte[] kindOf = new byte[0x110000];
        for (int i = 0; i < s.length(); i = s.indexOf('\n', i) + 1) {
            if (s.charAt(i) == '#') continue;
            int dots = s.indexOf("..", i);
            int semicolon = s.indexOf(';', dots);
            int kind = kinds.indexOf(s.substring(semicolon + 1, s.indexOf('\n', semicolon)));
            int last = Integer.parseInt(s, dots + 2, semicolon, 16);
            Arrays.fill(kindOf, Integer.parseInt(s, i, dots, 16), last + 1, (byte) kind);
        }
        return kindOf;
    }

    /** A table of the specification: from SIMHASH_DOC_SPEC, from beside the class, or from a folder spec/ above it. */
    private static byte[] readTable(String name) throws IOException, URISyntaxException {
        String folder = System.getenv("SIMHASH_DOC_SPEC");
        if (folder != null && !folder.isEmpty()) return Files.readAllBytes(Path.of(folder, name));
        try (InputStream beside = SimhashDoc.class.getResourceAsStream(name)) {
            if (beside != null) return beside.readAllBytes();
        }
        Path above = Path.of(SimhashDoc.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        for (; above != null; above = above.getParent()) {
            Path file = above.resolve("spec").resolve(name);
            if (Files.isRegularFile(file)) return Files.readAllBytes(file);
        }
        throw new FileNotFoundException(name + ": set SIMHASH_DOC_SPEC to the folder that holds it");
    }

    // ---- step 3: normalise

    /** NRM-1 to NRM-4. */
    public static String normalise(String text) {
        int n = text.length();
        StringBuilder out = null;                                       // made when something has to be changed
        int done = 0;
        for (int i = 0, c; i < n; i += Character.charCount(c)) {
            c = text.codePointAt(i);
            if (CLASS[c] < IGNORABLE) continue;
            if (out == null) out = new StringBuilder(n);
            out.append(text, done, i);
            if (CLASS[c] == UNASSIGNED) out.append('\uFFFD');           // NRM-1
            done = i + Character.charCount(c);                          // NRM-2
        }
        String cleaned = out == null ? text : out.append(text, done, n).toString();
        return Normalizer.normalize(sortLongRunsOfMarks(cleaned), Normalizer.Form.NFC);     // NRM-3, NRM-4
    }

    private static final int LONG_RUN = 32;

    /**
     * A canonically equivalent text in which long runs of marks are decomposed and in canonical order. Normalizer inserts
     * marks one by one, which takes quadratic time if they are in another order.
     */
    private static String sortLongRunsOfMarks(String text) {
        StringBuilder out = null;
        int n = text.length();
        int done = 0;
        for (int i = 0; i < n; ) {
            int c = text.codePointAt(i);
            int end = i + Character.charCount(c);
            if (isMark(c)) {
                int count = 1;
                for (; end < n && isMark(c = text.codePointAt(end)); end += Character.charCount(c)) count++;
                if (count > LONG_RUN) {
                    if (out == null) out = new StringBuilder(n + 16);
                    out.append(text, done, i);
                    appendSorted(text, i, end, out);
                    done = end;
                }
            }
            i = end;
        }
        return out == null ? text : out.append(text, done, n).toString();
    }

    private static boolean isMark(int c) {                              // holds for all with a combining class
        int marks = 1 << Character.NON_SPACING_MARK | 1 << Character.COMBINING_SPACING_MARK | 1 << Character.ENCLOSING_MARK;
        return c >= 0x300 && (marks >> Character.getType(c) & 1) != 0;
    }

    private static void appendSorted(String text, int from, int to, StringBuilder out) {
        StringBuilder[] buckets = new StringBuilder[MarkOrder.RANKS + 1];       // a starter, then its marks by rank
        for (int r = 0; r < buckets.length; r++) buckets[r] = new StringBuilder();
        for (int i = from, c; i < to; i += Character.charCount(c)) {
            c = text.codePointAt(i);
            String parts = Character.toString(c);
            if (MarkOrder.RANK[c] == 0) parts = nfd(parts);
            for (int j = 0, part; j < parts.length(); j += Character.charCount(part)) {
                part = parts.codePointAt(j);
                int rank = MarkOrder.RANK[part];
                if (rank == 0) flush(buckets, out);
                buckets[rank].appendCodePoint(part);
            }
        }
        flush(buckets, out);
    }

    private static void flush(StringBuilder[] buckets, StringBuilder out) {
        for (StringBuilder bucket : buckets) {
            out.append(bucket);
            bucket.setLength(0);
        }
    }

    private static String nfd(String s) {
        return Normalizer.normalize(s, Normalizer.Form.NFD);
    }

    /** The order of the combining classes, which the library knows but does not tell: found by what it reorders. */
    private static final class MarkOrder {
        static final byte[] RANK = new byte[0x110000];                  // 0: starters, and what has a decomposition
        static final int RANKS;

        static {
            StringBuilder all = new StringBuilder();
            for (int c = 0x300; c < 0x110000; c++) {
                if (isMark(c) && isNonStarter(Character.toString(c))) all.appendCodePoint(c);
            }
            int last = 0;
            int rank = 0;
            for (int c : nfd(all.toString()).codePoints().toArray()) {
                if (last == 0 || reorders(Character.toString(c), Character.toString(last))) rank++;
                RANK[c] = (byte) rank;
                last = c;
            }
            RANKS = rank;
        }

        private static boolean isNonStarter(String c) {                 // U+0345 has class 240, U+0334 class 1
            return nfd(c).equals(c) && (reorders("\u0345", c) || reorders(c, "\u0334"));
        }

        private static boolean reorders(String a, String b) {
            return !a.equals(b) && nfd(a + b).equals(b + a);
        }
    }

    // ---- step 4: strip locators

    private static final int ALPHA = 1, DIGIT = 2, HEX = 4, URIC = 8, SCHEME = 16, LOCAL = 32, DOMAIN = 64;
    private static final byte[] SETS = new byte[128];                   // LOC-13

    static {
        for (char c = '0'; c <= '9'; c++) SETS[c] = DIGIT | HEX | URIC | SCHEME | LOCAL | DOMAIN;
        for (char c = 'a'; c <= 'z'; c++) {
            SETS[c] = SETS[c - 32] = (byte) ((c <= 'f' ? HEX : 0) | ALPHA | URIC | SCHEME | LOCAL | DOMAIN);
        }
        for (char c : "-._~%:/?#[]@!$&'()*+,;=".toCharArray()) SETS[c] |= URIC;
        for (char c : "+.-".toCharArray()) SETS[c] |= SCHEME;
        for (char c : "._%+-".toCharArray()) SETS[c] |= LOCAL;
        SETS['-'] |= DOMAIN;
    }

    private static final String[] PREFIXES = {                          // LOC-6, LOC-7
        "www.", "ark:", "arxiv:", "cid:", "data:", "did:", "doi:", "hdl:", "info:", "isbn:", "issn:", "magnet:", "mailto:",
        "orcid:", "pmcid:", "pmid:", "swh:", "tel:", "urn:"
    };
    private static final String[][] PREFIXES_BY_LETTER = new String[32][];      // by the low bits of the first letter

    static {
        for (int bits = 0; bits < 32; bits++) {
            List<String> found = new ArrayList<>();
            for (String s : PREFIXES) if ((s.charAt(0) & 31) == bits) found.add(s);
            PREFIXES_BY_LETTER[bits] = found.toArray(new String[0]);
        }
    }

    private static final int[] UUID_GROUPS = {8, 4, 4, 4, 12};

    /** A normalised text without its locators (LOC-1 to LOC-14), in linear time. */
    public static String stripLocators(String text) {
        return new LocatorStripper(text).strip();
    }

    private static final class LocatorStripper {
        private final String t;
        private final int n;
        private int dead1, dead4, dead5;                                // how far a failed form has read (LOC-14)

        LocatorStripper(String text) {
            t = text;
            n = text.length();
        }

        String strip() {
            StringBuilder out = null;
            int done = 0;
            for (int i = 0; i < n; ) {
                int end = i > 0 && in(i - 1, ALPHA | DIGIT) ? -1 : match(i);      // LOC-1, LOC-2
                if (end < 0) {
                    i++;
                } else {                                                // LOC-4
                    if (out == null) out = new StringBuilder(n);
                    out.append(t, done, i).append(' ');
                    done = i = end;
                }
            }
            return out == null ? t : out.append(t, done, n).toString();
        }

        private boolean in(int i, int sets) {
            return i < n && t.charAt(i) < 128 && (SETS[t.charAt(i)] & sets) != 0;
        }

        private int run(int i, int sets) {
            while (in(i, sets)) i++;
            return i;
        }

        private boolean at(int i, char c) {
            return i < n && t.charAt(i) == c;
        }

        /** Whether s, lower-case ASCII, is at i in any case of ASCII letters (LOC-13). */
        private boolean has(int i, String s) {
            if (n - i < s.length()) return false;
            for (int j = 0; j < s.length(); j++) {
                char c = t.charAt(i + j);
                if (c >= 'A' && c <= 'Z') c += 32;
                if (c != s.charAt(j)) return false;
            }
            return true;
        }

        /** The end of the match that starts at i, or -1 (LOC-3). */
        private int match(int i) {
            if (!in(i, LOCAL)) return -1;                               // every form begins with one of these
            if (i >= dead1 && in(i, ALPHA)) {                           // LOC-5
                int e = run(i, SCHEME);
                if (has(e, "://") && in(e + 3, URIC)) return run(e + 3, URIC);
                dead1 = e;
            }
            for (String s : PREFIXES_BY_LETTER[t.charAt(i) & 31]) {
                if (has(i, s) && in(i + s.length(), URIC)) return run(i + s.length(), URIC);
            }
            if (i >= dead4 && has(i, "10.")) {                          // LOC-8
                int e = run(i + 3, DIGIT);
                if (e - i >= 7 && e - i <= 12) {
                    while (at(e, '.') && in(e + 1, DIGIT)) e = run(e + 1, DIGIT);
                    if (at(e, '/') && in(e + 1, URIC)) return run(e + 1, URIC);
                    dead4 = e;
                }
            }
            if (i >= dead5) {                                           // LOC-9
                int e = run(i, LOCAL);
                dead5 = e;
                if (at(e, '@') && in(e + 1, DOMAIN)) {
                    int first = run(e + 1, DOMAIN);
                    int f = first;
                    while (at(f, '.') && in(f + 1, DOMAIN)) f = run(f + 1, DOMAIN);
                    if (f > first) return f;
                }
            }
            if (!in(i, HEX)) return -1;
            int e = uuid(i);                                            // LOC-10, LOC-12
            if (e >= 0 && !in(e, ALPHA | DIGIT)) return e;
            e = run(i, HEX);                                            // LOC-11, LOC-12
            if (e - i < 32 || in(e, ALPHA | DIGIT)) return -1;
            for (int j = i; j < e; j++) {
                if (in(j, DIGIT)) return e;
            }
            return -1;
        }

        private int uuid(int i) {
            for (int g : UUID_GROUPS) {
                for (int end = i + g; i < end; i++) {
                    if (!in(i, HEX)) return -1;
                }
                if (g == 12) break;
                if (!at(i++, '-')) return -1;
            }
            return i;
        }
    }

    // ---- step 5: tokenise

    /** The tokens of a stripped text (TOK-1 to TOK-5, BIG-1 to BIG-4), in the order of their first code points. */
    public static List<String> tokenise(String text, String label) {
        boolean pairs = !readLabel(label).equals(LABEL);                // MIN-1
        List<String> tokens = new ArrayList<>();
        int n = text.length();
        int from = 0;
        boolean letter = false;
        for (int i = 0, c; i <= n; i += Character.charCount(c)) {
            c = i < n ? text.codePointAt(i) : ' ';                      // the end is as a break
            byte kind = CLASS[c];                                       // TOK-1
            if (kind == LETTER) {
                letter = true;
            } else if (kind != WORD) {                                  // TOK-2
                if (letter && pairs) addPairs(text, from, i, tokens);
                else if (letter) tokens.add(text.substring(from, i));   // TOK-3, TOK-4
                letter = false;
                from = i + Character.charCount(c);
            }
        }
        return tokens;
    }

    private static final byte MARK = 1, JOINED = 2;

    private static final class Bigrams {                                // loaded at the first use
        static final byte[] KIND = table("bigrams/bg1.txt",             // BIG-1
            "3a6cdd17cd50c15450f3f459e7b683492e6793c3e0f8409f8730a6731c23f918", List.of("neither", "mark", "joined"));
    }

    /** With bg1: a token of step 5 to its tokens. */
    private static void addPairs(String text, int from, int to, List<String> tokens) {
        byte[] kind = Bigrams.KIND;
        for (int i = from, c; i < to; ) {
            int first = i;
            if (kind[text.codePointAt(i)] == JOINED) {                  // a run of units (BIG-2, BIG-3)
                int before = -1;                                        // the unit before the one at i
                while (i < to && kind[c = text.codePointAt(i)] == JOINED) {
                    int unit = i;
                    i += Character.charCount(c);
                    while (i < to && kind[c = text.codePointAt(i)] == MARK) i += Character.charCount(c);
                    if (before >= 0) tokens.add(text.substring(before, i));
                    before = unit;
                }
                if (before == first) tokens.add(text.substring(first, i));
            } else {                                                    // a run of others (BIG-4)
                boolean letter = false;
                for (; i < to && kind[c = text.codePointAt(i)] != JOINED; i += Character.charCount(c)) {
                    letter |= CLASS[c] == LETTER;
                }
                if (letter) tokens.add(text.substring(first, i));
            }
        }
    }

    // ---- step 7: hash

    /** The hash of each token (TOK-5), in their order. Before this, no token is dropped under any registered label (STP-1). */
    public static long[] hashes(List<String> tokens) {
        long[] hashes = new long[tokens.size()];
        for (int i = 0; i < hashes.length; i++) hashes[i] = tokenHash(tokens.get(i).getBytes(StandardCharsets.UTF_8));
        return hashes;
    }

    /** The hash of the octets of a token (HSH-1, HSH-2). */
    public static long tokenHash(byte[] token) {
        return lookup3(token, 0, 0);
    }

    /** lookup3 of octets: b in the upper half of the result, c in the lower one (HSH-3). */
    public static long lookup3(byte[] k, int pc, int pb) {
        int n = k.length;
        int a = 0xDEADBEEF + n + pc;
        int b = a;
        int c = a + pb;
        if (n > 0) {
            int p = 0;
            for (; n - p > 12; p += 12) {
                a += word(k, p);
                b += word(k, p + 4);
                c += word(k, p + 8);
                a -= c;  a ^= Integer.rotateLeft(c, 4);   c += b;
                b -= a;  b ^= Integer.rotateLeft(a, 6);   a += c;
                c -= b;  c ^= Integer.rotateLeft(b, 8);   b += a;
                a -= c;  a ^= Integer.rotateLeft(c, 16);  c += b;
                b -= a;  b ^= Integer.rotateLeft(a, 19);  a += c;
                c -= b;  c ^= Integer.rotateLeft(b, 4);   b += a;
            }
            a += lastWord(k, p);
            b += lastWord(k, p + 4);
            c += lastWord(k, p + 8);
            c ^= b;  c -= Integer.rotateLeft(b, 14);
            a ^= c;  a -= Integer.rotateLeft(c, 11);
            b ^= a;  b -= Integer.rotateLeft(a, 25);
            c ^= b;  c -= Integer.rotateLeft(b, 16);
            a ^= c;  a -= Integer.rotateLeft(c, 4);
            b ^= a;  b -= Integer.rotateLeft(a, 14);
            c ^= b;  c -= Integer.rotateLeft(b, 24);
        }
        return (long) b << 32 | c & 0xFFFFFFFFL;
    }

    private static int word(byte[] k, int p) {
        return k[p] & 0xFF | (k[p + 1] & 0xFF) << 8 | (k[p + 2] & 0xFF) << 16 | k[p + 3] << 24;
    }

    private static int lastWord(byte[] k, int p) {                      // octets behind the end are 0
        int w = 0;
        for (int i = Math.min(k.length - p, 4) - 1; i >= 0; i--) w = w << 8 | k[p + i] & 0xFF;
        return w;
    }

    // ---- step 8: simhash

    /** The fingerprint of token hashes, or none if there are none (SIM-4, SIM-1, SIM-5). */
    public static OptionalLong simhash(long[] hashes) {
        long[] v = counters(hashes);
        if (hashes.length == 0) return OptionalLong.empty();
        long bits = 0;
        for (int i = 0; i < 64; i++) bits = bits << 1 | (v[i] > 0 ? 1 : 0);
        return OptionalLong.of(bits);
    }

    /** The 64 counters of token hashes (SIM-2, SIM-3). */
    public static long[] counters(long[] hashes) {
        long[] v = new long[64];
        for (long h : hashes) {
            for (int i = 0; i < 64; i++) v[i] += h >>> (63 - i) & 1;
        }
        for (int i = 0; i < 64; i++) v[i] = 2 * v[i] - hashes.length;   // ones minus zeros
        return v;
    }

    // ---- minhash, in the place of step 8

    private static final int BINS = 64, ROUNDS = 64, DRAWS = ROUNDS + BINS, MAX_WORDS = 4;

    /** S(x, n): draw n, 0 to 511, of the element x (MIN-2). */
    public static long draw(long x, int n) {
        return output(x, atMost(MAX_WORDS * DRAWS - 1, n));
    }

    private static long output(long x, int n) {
        long z = x + (n + 1) * 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    /** The fingerprint of token hashes that come one by one, in any order and with repetitions, in constant memory. */
    public static final class MinHash {
        private final String label;
        private final Bins[] words;
        private boolean isEmpty = true;

        /** The label is one of minhash-doc. */
        public MinHash(String label) {
            this.label = readLabel(label);
            if (!isMinhash(label)) throw new Refusal("invalid-label", "not a label of minhash-doc");
            words = new Bins[wordsOf(this.label)];
            for (int w = 0; w < words.length; w++) words[w] = new Bins(w * DRAWS);
        }

        /** Adds a token hash (MIN-1). */
        public void add(long hash) {
            isEmpty = false;
            for (Bins bins : words) bins.add(hash);
        }

        /** The winning draws, bin 0 of word 0 first. Without hashes there are none. */
        public long[] draws() {
            if (isEmpty) return new long[0];
            return Arrays.stream(words).flatMapToLong(bins -> Arrays.stream(bins.draws)).toArray();
        }

        /** The fingerprint of all hashes up to now (MIN-5, MIN-6, MIN-7). */
        public Optional<Fingerprint> fingerprint() {
            if (isEmpty) return Optional.empty();
            long[] bits = new long[words.length];
            for (int w = 0; w < bits.length; w++) {
                for (long y : words[w].draws) bits[w] = bits[w] << 1 | y & 1;
            }
            return Optional.of(new Fingerprint(label, bits));
        }
    }

    /** The winning draw of each bin of a word, and its round (MIN-3, MIN-4). */
    private static final class Bins {
        private final int first;                                        // the number of draw 0 of the word
        private final int[] rounds = new int[BINS];
        private final long[] draws = new long[BINS];
        private int last = DRAWS - 1;                                   // a draw of a later round cannot win

        Bins(int first) {
            this.first = first;
            Arrays.fill(rounds, DRAWS);
        }

        void add(long element) {
            for (int r = 0; r <= last; r++) {
                long y = output(element, first + r);
                int bin = r < ROUNDS ? (int) (y >>> 58) : r - ROUNDS;
                int before = rounds[bin];
                if (r > before || r == before && Long.compareUnsigned(y, draws[bin]) >= 0) continue;
                rounds[bin] = r;
                draws[bin] = y;
                if (r < before && before >= last) last = Math.min(DRAWS - 1, Arrays.stream(rounds).max().getAsInt());
            }
        }
    }

    // ---- step 9: serialise

    /** A label as it is written: in lower case, registered (LAB-1, LAB-2, LAB-3). */
    public static String readLabel(String label) {
        if (label == null) throw new Refusal("wrong-type", "the label is null");
        StringBuilder lower = new StringBuilder();
        for (int i = 0; i < label.length(); i++) {
            char c = label.charAt(i);
            lower.append(c >= 'A' && c <= 'Z' ? (char) (c + 32) : c);
        }
        int found = LABELS.indexOf(lower.toString());
        if (found < 0) throw new Refusal("invalid-label", "not a registered label");
        return LABELS.get(found);
    }

    /** Whether a registered label is one of minhash-doc. */
    public static boolean isMinhash(String label) {
        return readLabel(label).startsWith(MINHASH_LABEL);
    }

    /** The number of words of 64 bits in a fingerprint of this label. */
    private static int wordsOf(String label) {
        return label.equals(MINHASH_256_LABEL) ? MAX_WORDS : 1;
    }

    /** The argument, or a refusal if it is null: the document has no fingerprint (CMP-1, LKP-1). */
    public static Fingerprint required(Fingerprint fingerprint) {
        if (fingerprint == null) throw new Refusal("no-fingerprint", "the document has no fingerprint");
        return fingerprint;
    }

    private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

    /** 64 or 256 bits, and the label that they were made under. The most significant bit of the first word comes first. */
    public static final class Fingerprint {
        private final String label;
        private final long[] words;

        /** Of words of 64 bits: four under minhash-doc-256, otherwise one. */
        public Fingerprint(String label, long... words) {
            this.label = readLabel(label);
            if (words.length != wordsOf(this.label)) throw new Refusal("out-of-range", "not the words of the label");
            this.words = words.clone();
        }

        /** Reads the labelled form (LAB-2). */
        public static Fingerprint parse(String labelled) {
            int colon = labelled.indexOf(':');
            if (colon < 0) throw new Refusal("invalid-label", "no label");
            return parseBare(labelled.substring(colon + 1), readLabel(labelled.substring(0, colon)));
        }

        /** Reads the bare form, made under the label named: 13 or 52 characters (SER-2 to SER-5, LAB-4, MIN-9). */
        public static Fingerprint parseBare(String bare, String label) {
            long[] words = new long[wordsOf(readLabel(label))];
            int characters = words.length == 1 ? 13 : 52;
            String padding = words.length == 1 ? "===" : "====";
            String s = bare;
            if (s.length() == characters + padding.length() && s.endsWith(padding)) s = s.substring(0, characters);  // SER-2
            if (s.length() != characters) throw new Refusal("invalid-fingerprint", "not " + characters + " characters");
            for (int i = 0; i < 5 * characters; i++) {
                char c = s.charAt(i / 5);
                int value = BASE32.indexOf(c >= 'a' && c <= 'z' ? c - 32 : c);
                if (value < 0) throw new Refusal("invalid-fingerprint", "not a character of base32");
                long bit = value >> (4 - i % 5) & 1;
                if (i < 64 * words.length) words[i / 64] |= bit << (63 - i % 64);
                else if (bit != 0) throw new Refusal("invalid-fingerprint", "a spare bit is 1");        // SER-4
            }
            return new Fingerprint(label, words);
        }

        /** Reads the hexadecimal form (SER-6, MIN-9). */
        public static Fingerprint parseHex(String hex, String label) {
            long[] words = new long[wordsOf(readLabel(label))];
            if (hex.length() != 16 * words.length) throw new Refusal("invalid-fingerprint", "not the digits of the label");
            for (int i = 0; i < hex.length(); i++) {
                char c = hex.charAt(i);
                if (!(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F')) {
                    throw new Refusal("invalid-fingerprint", "not a hexadecimal digit");
                }
                words[i / 16] = words[i / 16] << 4 | Character.digit(c, 16);
            }
            return new Fingerprint(label, words);
        }

        /** Reads 8 or 32 octets in network byte order. */
        public static Fingerprint ofOctets(byte[] octets, String label) {
            long[] words = new long[wordsOf(readLabel(label))];
            if (octets.length != 8 * words.length) throw new Refusal("out-of-range", "not the octets of the label");
            for (int i = 0; i < octets.length; i++) words[i / 8] = words[i / 8] << 8 | octets[i] & 0xFF;
            return new Fingerprint(label, words);
        }

        /** The label, in lower case. */
        public String label() {
            return label;
        }

        /** The words of 64 bits. */
        public long[] words() {
            return words.clone();
        }

        /** The fingerprint of minhash-doc of the document that has this one of minhash-doc-256 (MIN-8). */
        public Fingerprint truncate() {
            if (!label.equals(MINHASH_256_LABEL)) throw new Refusal("label-mismatch", "not of " + MINHASH_256_LABEL);
            return new Fingerprint(MINHASH_LABEL, words[0]);
        }

        /** The bare form (SER-1, MIN-9). */
        public String base32() {
            StringBuilder out = new StringBuilder();
            int bits = 64 * words.length;
            for (int i = 0; i < bits; i += 5) {
                int value = 0;
                for (int j = i; j < i + 5; j++) {
                    value = value << 1 | (j < bits ? (int) (words[j / 64] >>> (63 - j % 64) & 1) : 0);
                }
                out.append(BASE32.charAt(value));
            }
            return out.toString();
        }

        /** The hexadecimal form (SER-6, MIN-9). */
        public String hex() {
            return HexFormat.of().formatHex(octets());
        }

        /** 8 or 32 octets in network byte order. */
        public byte[] octets() {
            byte[] out = new byte[8 * words.length];
            for (int i = 0; i < out.length; i++) out[i] = (byte) (words[i / 8] >>> (56 - i % 8 * 8));
            return out;
        }

        /** The labelled form (SER-7). */
        @Override public String toString() {
            return label + ":" + base32();
        }

        @Override public boolean equals(Object other) {
            return other instanceof Fingerprint f && f.label.equals(label) && Arrays.equals(f.words, words);
        }

        @Override public int hashCode() {
            return Arrays.hashCode(words);
        }
    }

    // ---- step 10: compare

    /** How near two fingerprints are: the distance, the similarity, and "close", "loose" or "none". */
    public record Comparison(int distance, double similarity, String verdict) {}

    /** Compares two fingerprints; null is a document without one (CMP-1 to CMP-6, MIN-10). */
    public static Comparison compare(Fingerprint a, Fingerprint b) {
        int distance = distance(a, b);
        boolean isLong = a.words.length > 1;
        String verdict = distance <= (isLong ? 5 : 1) ? "close" : distance <= (isLong ? 25 : 6) ? "loose" : "none";
        return new Comparison(distance, 1 - distance / (64.0 * a.words.length), verdict);
    }

    /** The distance of two fingerprints; null is a document without one (CMP-1, CMP-2, CMP-3, MIN-10). */
    public static int distance(Fingerprint a, Fingerprint b) {
        if (!required(a).label.equals(required(b).label)) throw new Refusal("label-mismatch", "the labels differ");
        int distance = 0;
        for (int w = 0; w < a.words.length; w++) distance += Long.bitCount(a.words[w] ^ b.words[w]);
        return distance;
    }

    private static int atMost(int most, int x) {
        if (x < 0 || x > most) throw new Refusal("out-of-range", x + " is not 0 to " + most);
        return x;
    }

    // ---- step 11: look up. The tables are those of a word of 64 bits; each word of minhash-doc-256 has its own (MIN-11)

    /** The key of a table, 0 to 15: 28 bits (TAB-3). */
    public static int key(long word, int table) {
        return (int) (permuted(word, table) >>> 36);
    }

    /** The permuted fingerprint of a table (TAB-1, TAB-2, TAB-4). */
    public static long permuted(long word, int table) {
        int block = 48 - 16 * (atMost(15, table) / 4);              // where the block ends in the 64 bits
        int sub = 36 - 12 * (table % 4);                            // where the sub-block ends in the other 48 bits
        long others = cut(word, block, 16);
        return (word >>> block & 0xFFFF) << 48 | (others >>> sub & 0xFFF) << 36 | cut(others, sub, 12);
    }

    /** The fingerprint that has this permuted fingerprint in a table (TAB-4). */
    public static long unpermute(long permuted, int table) {
        int block = 48 - 16 * (atMost(15, table) / 4);
        int sub = 36 - 12 * (table % 4);
        long others = paste(permuted & 0xFFFFFFFFFL, sub, 12, permuted >>> 36 & 0xFFF);
        return paste(others, block, 16, permuted >>> 48);
    }

    /** The number without some of its bits: a width, of which the last has the value 2^end. */
    private static long cut(long x, int end, int width) {
        return x >>> end >>> width << end | x & (1L << end) - 1;
    }

    private static long paste(long x, int end, int width, long value) {
        return (x >>> end << width | value) << end | x & (1L << end) - 1;
    }

    /** The keys to look up in a table for distance k, in ascending order (LKP-5). There are 2^28 for the largest k. */
    public static int[] probes(long word, int table, int k) {
        int key = key(word, table);
        IntStream.Builder upper = IntStream.builder();
        IntStream.Builder all = IntStream.builder();
        flip(key, 12, 28, atMost(64, k) / 4, upper);
        upper.build().forEach(x -> flip(x, 0, 12, (k - Integer.bitCount(x ^ key)) / 4, all));
        return all.build().sorted().toArray();
    }

    /** Adds x with every set of at most so many of its bits flipped, of the bits from one to another. */
    private static void flip(int x, int from, int to, int most, IntStream.Builder out) {
        out.add(x);
        for (int bit = from; bit < to && most > 0; bit++) flip(x ^ 1 << bit, bit + 1, to, most - 1, out);
    }

    /** An entry within the distance, and its distance. */
    public record Match(String id, Fingerprint fingerprint, int distance) {}

    /** An index of one label in memory. It compares with every entry, so it is complete for every k (LKP-2, LKP-4). */
    public static final class Index {
        private final String label;
        private final Map<String, Fingerprint> entries = new HashMap<>();

        public Index(String label) {
            this.label = readLabel(label);
        }

        /** Adds an entry, in the place of the one with this identifier. */
        public void add(String id, Fingerprint fingerprint) {
            if (id == null || loneSurrogate(id, 0) >= 0) throw new Refusal("wrong-type", "the identifier is not a text");
            if (id.isEmpty()) throw new Refusal("out-of-range", "the identifier is empty");
            check(required(fingerprint));                               // LKP-1
            entries.put(id, fingerprint);
        }

        public void remove(String id) {
            entries.remove(id);
        }

        /**
         * All entries within distance k, sorted by distance, then by the octets of the identifier (LKP-2, LKP-3, LKP-1). Of 256
         * bits, those with a word within k of the same word of the query, with the distance of all bits (MIN-11).
         */
        public List<Match> lookup(Fingerprint query, int k) {
            required(query);
            atMost(64, k);
            check(query);
            List<Match> matches = new ArrayList<>();
            entries.forEach((id, f) -> {
                int nearest = 64;
                for (int w = 0; w < f.words.length; w++) {
                    nearest = Math.min(nearest, Long.bitCount(query.words[w] ^ f.words[w]));
                }
                if (nearest <= k) matches.add(new Match(id, f, distance(query, f)));
            });
            Comparator<Match> byOctets = (x, y) -> Arrays.compareUnsigned(
                x.id.getBytes(StandardCharsets.UTF_8), y.id.getBytes(StandardCharsets.UTF_8));
            matches.sort(Comparator.comparingInt(Match::distance).thenComparing(byOctets));
            return matches;
        }

        private void check(Fingerprint f) {                             // CMP-2
            if (!f.label.equals(label)) throw new Refusal("label-mismatch", "this is an index of " + label);
        }
    }
}
