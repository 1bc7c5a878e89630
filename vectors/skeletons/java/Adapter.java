/*
 * Adapter between an implementation of simhash-doc in Java and the conformance tests.
 *
 * It speaks the adapter protocol, version 1 (vectors/README.md): JSON Lines on standard input and
 * output, one reply for each request. It needs Java 11 or later and only the standard library; the
 * JSON reader and writer are at the end of this file.
 *
 *     javac Adapter.java
 *     simhash-doc conformance --bail -- java Adapter      stops at the first failure
 *     simhash-doc conformance -- java Adapter             runs all vectors
 *
 * What to do: replace "throw new Unsupported()" in the functions below by calls of your
 * implementation, in any order. Operations that throw it are not tested and do not count as wrong;
 * you may also throw it for single inputs. But a class needs every vector of its operations, except
 * inputs of the kinds in DECLINES.
 *
 * To offer other labels than simhash-doc, add them to LABELS; the functions that take a label then
 * get them, in lower case.
 */

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

public final class Adapter {
    static final String NAME = "my-implementation";
    static final String VERSION = "0.0.0";
    /** The labels that are offered, of simhash-doc, simhash-doc+bg1, minhash-doc and minhash-doc-256. */
    static final List<String> LABELS = List.of("simhash-doc");
    /** The kinds of inputs that are declined (vectors/README.md, "Declined inputs"): "utf8" for texts only. */
    static final List<String> DECLINES = List.of();
    /** The functions of the product by the operations that they answer: "fingerprint", "fingerprint(String)". */
    static final Map<String, String> FUNCTIONS = Map.of();
    /** The Unicode version of the library that NFC comes from, or null. */
    static final String UNICODE = null;

    /** The operation is not implemented, or not for this input. */
    static final class Unsupported extends RuntimeException {}

    /** The implementation refuses its input, with a code of the specification, section Errors. */
    static final class Refusal extends RuntimeException {
        final String code;

        Refusal(String code) {
            super(code);
            this.code = code;
        }
    }

    // ------------------------------------------------------------------------------------ your implementation
    // Hashes are unsigned numbers of 64 bits. A fingerprint is one word of 64 bits, or an array of them: one, or
    // four under minhash-doc-256. null stands for a document without a fingerprint. To refuse an input:
    // throw new Refusal("invalid-fingerprint").

    /** Step 1. */
    static String decode(byte[] octets) {
        throw new Unsupported();
    }

    /** Step 1, for a string that may contain lone surrogates. */
    static String decodeUnits(String string) {
        throw new Unsupported();
    }

    /** Step 2: "letter", "word", "break", "ignorable" or "unassigned" for each code point. */
    static List<String> classify(String text) {
        throw new Unsupported();
    }

    /** Step 3. */
    static String normalise(String text) {
        throw new Unsupported();
    }

    /** Step 4. */
    static String stripLocators(String text) {
        throw new Unsupported();
    }

    /** Step 5. */
    static List<String> tokenise(String text, String label) {
        throw new Unsupported();
    }

    /** Step 7: the hash of a token. */
    static long tokenHash(byte[] octets) {
        throw new Unsupported();
    }

    /** Step 7 with initial values: c and b. */
    static int[] lookup3(byte[] octets, int pc, int pb) {
        throw new Unsupported();
    }

    /** Step 8: the 64 counters, counter 0 first. */
    static List<Long> counters(List<Long> hashes) {
        throw new Unsupported();
    }

    /** Step 8: the fingerprint, or null. */
    static Long simhash(List<Long> hashes) {
        throw new Unsupported();
    }

    /** minhash-doc: S(element, n). */
    static long draw(long element, int n) {
        throw new Unsupported();
    }

    /** minhash-doc: the fingerprint, or null. */
    static long[] minhash(List<Long> hashes, String label) {
        throw new Unsupported();
    }

    /** minhash-doc: the winning draws, bin 0 of word 0 first. */
    static List<Long> draws(List<Long> hashes, String label) {
        throw new Unsupported();
    }

    /** minhash-doc: the fingerprint of minhash-doc that one of minhash-doc-256 begins with. */
    static long truncate(long[] fingerprint) {
        throw new Unsupported();
    }

    /** Step 9: the 13 or 52 characters. */
    static String serialise(long[] fingerprint, String label) {
        throw new Unsupported();
    }

    /** Step 9: the hexadecimal form. */
    static String toHex(long[] fingerprint, String label) {
        throw new Unsupported();
    }

    /** Step 9, for 13 or 52 characters. */
    static long[] parse(String serialised, String label) {
        throw new Unsupported();
    }

    /** Step 9, for the hexadecimal form. */
    static long[] parseHex(String digits, String label) {
        throw new Unsupported();
    }

    /** Labels: the label in lower case. */
    static String parseLabel(String label) {
        throw new Unsupported();
    }

    /** Labels: object("label", label, "fingerprint", hexOf(fingerprint)). */
    static Map<String, Object> parseLabelled(String labelled) {
        throw new Unsupported();
    }

    /** Labels: the labelled form. */
    static String formatLabelled(String label, long[] fingerprint) {
        throw new Unsupported();
    }

    /** Step 10, for two labelled forms or null: an object with "distance", "similarity" and "verdict". */
    static Map<String, Object> compare(String a, String b) {
        throw new Unsupported();
    }

    /** Step 11: an object with "keys" and "permuted" (hex16), lists of 16. */
    static Map<String, Object> tables(Long fingerprint) {
        throw new Unsupported();
    }

    /** Step 11. */
    static long unpermute(long permuted, int table) {
        throw new Unsupported();
    }

    /** Step 11: an object with "count", the number of probes, and "digest", their token hash (hex16). */
    static Map<String, Object> probe(Long fingerprint, int table, int k) {
        throw new Unsupported();
    }

    /** Step 11: an object with "completeTo" and "matches", objects with "id", "fingerprint" (hexOf) and "distance". */
    static Map<String, Object> lookup(Map<String, long[]> entries, long[] query, int k, String label) {
        throw new Unsupported();
    }

    /**
     * Steps 1 to 9: an object with "fingerprint", the 13 or 52 characters or null. Add "decoded", "normalised",
     * "stripped", "tokens", "hashes" (hex16), and "counters" or "draws" (hex16) if you have them: they show which step
     * goes wrong.
     */
    static Map<String, Object> fingerprint(byte[] octets, String label) {
        throw new Unsupported();
    }

    /** Steps 1 to 9, for a string that may contain lone surrogates. */
    static Map<String, Object> fingerprintOfUnits(String string, String label) {
        throw new Unsupported();
    }

    /** Many cases of one step: the digest (vectors/README.md, section Accumulated vectors). */
    static String accumulate(String step, Map<String, Object> rule, long seed, int count) {
        throw new Unsupported();
    }

    /** Extraction and steps 1 to 9: the 13 characters, or null. */
    static String extract(byte[] octets, String medium) {
        throw new Unsupported();
    }

    /** The HTML profile: an object with "tokens" and "fingerprint", the 13 characters or null. */
    static Map<String, Object> extractHtml(byte[] octets, String charset) {
        throw new Unsupported();
    }

    // --------------------------------------------------------------------------------------------- operations
    // Each takes the "input" of a request and returns the "ok" of its reply (vectors/README.md, section
    // Operations). A JSON object is a Map<String, Object>, a list a List<Object>, a number a Long or Double.

    interface Operation extends Function<Map<String, Object>, Map<String, Object>> {}

    static final Map<String, Operation> OPERATIONS = new LinkedHashMap<>();

    static {
        OPERATIONS.put("decode", Adapter::operationDecode);
        OPERATIONS.put("classify", in -> object("classes", classify(text(in, "text"))));
        OPERATIONS.put("normalise", in -> object("text", normalise(text(in, "text"))));
        OPERATIONS.put("strip-locators", in -> object("text", stripLocators(text(in, "text"))));
        OPERATIONS.put("tokenise", in -> object("tokens", tokenise(text(in, "text"), label(in))));
        OPERATIONS.put("token-hash", in -> object("hash", hex16(tokenHash(octetsOf(in)))));
        OPERATIONS.put("lookup3", Adapter::operationLookup3);
        OPERATIONS.put("simhash", Adapter::operationSimhash);
        OPERATIONS.put("draw", in -> object("draw", hex16(draw(number(text(in, "hash")), integer(in, "n")))));
        OPERATIONS.put("minhash", Adapter::operationMinhash);
        OPERATIONS.put("truncate", in -> object("fingerprint", hex16(truncate(words(text(in, "fingerprint"))))));
        OPERATIONS.put("serialise", Adapter::operationSerialise);
        OPERATIONS.put("parse", in -> object("fingerprint", hexOf(parse(text(in, "serialised"), label(in)))));
        OPERATIONS.put("parse-hex", in -> object("fingerprint", hexOf(parseHex(text(in, "hex"), label(in)))));
        OPERATIONS.put("parse-label", in -> object("label", parseLabel(text(in, "label"))));
        OPERATIONS.put("parse-labelled", in -> parseLabelled(text(in, "labelled")));
        OPERATIONS.put("format-labelled", Adapter::operationFormatLabelled);
        OPERATIONS.put("compare", in -> compare(text(in, "a"), text(in, "b")));
        OPERATIONS.put("tables", in -> tables(fingerprint(in)));
        OPERATIONS.put("unpermute", Adapter::operationUnpermute);
        OPERATIONS.put("probe", in -> probe(fingerprint(in), integer(in, "table"), integer(in, "k")));
        OPERATIONS.put("lookup", Adapter::operationLookup);
        OPERATIONS.put("fingerprint", Adapter::operationFingerprint);
        OPERATIONS.put("accumulate", Adapter::operationAccumulate);
        OPERATIONS.put("extract", Adapter::operationExtract);
        OPERATIONS.put("extract-html", in -> extractHtml(octetsOf(in), text(in, "charset")));
    }

    static Map<String, Object> operationDecode(Map<String, Object> input) {
        return object("text", input.containsKey("utf16") ? decodeUnits(unitsOf(input)) : decode(octetsOf(input)));
    }

    static Map<String, Object> operationUnpermute(Map<String, Object> input) {
        return object("fingerprint", hex16(unpermute(number(text(input, "permuted")), integer(input, "table"))));
    }

    static Map<String, Object> operationFingerprint(Map<String, Object> input) {
        if (input.containsKey("utf16")) return fingerprintOfUnits(unitsOf(input), label(input));
        return fingerprint(octetsOf(input), label(input));
    }

    static Map<String, Object> operationSerialise(Map<String, Object> input) {
        long[] fingerprint = words(text(input, "fingerprint"));
        return object("text", serialise(fingerprint, label(input)), "hex", toHex(fingerprint, label(input)));
    }

    static Map<String, Object> operationFormatLabelled(Map<String, Object> input) {
        return object("labelled", formatLabelled(text(input, "label"), words(text(input, "fingerprint"))));
    }

    static Map<String, Object> operationExtract(Map<String, Object> input) {
        byte[] octets = Base64.getDecoder().decode(text(input, "base64"));
        return object("fingerprint", extract(octets, text(input, "type")));
    }

    static Map<String, Object> operationLookup3(Map<String, Object> input) {
        int[] words = lookup3(octetsOf(input), (int) number(text(input, "pc")), (int) number(text(input, "pb")));
        return object("c", String.format("%08x", words[0]), "b", String.format("%08x", words[1]));
    }

    static Map<String, Object> operationSimhash(Map<String, Object> input) {
        List<Long> hashes = hashes(input);
        Long fingerprint = simhash(hashes);
        return object("fingerprint", fingerprint == null ? null : hex16(fingerprint), "counters", counters(hashes));
    }

    static Map<String, Object> operationMinhash(Map<String, Object> input) {
        List<Long> hashes = hashes(input);
        long[] fingerprint = minhash(hashes, label(input));
        List<String> draws = new ArrayList<>();
        for (long each : draws(hashes, label(input))) draws.add(hex16(each));
        return object("fingerprint", fingerprint == null ? null : hexOf(fingerprint), "draws", draws);
    }

    static Map<String, Object> operationLookup(Map<String, Object> input) {
        Map<String, long[]> entries = new LinkedHashMap<>();
        for (Object each : (List<?>) input.get("entries")) {
            Map<?, ?> entry = (Map<?, ?>) each;
            entries.put((String) entry.get("id"), words((String) entry.get("fingerprint")));
        }
        int k = input.containsKey("k") ? integer(input, "k") : 3;
        return lookup(entries, words(text(input, "query")), k, label(input));
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> operationAccumulate(Map<String, Object> input) {
        Map<String, Object> rule = (Map<String, Object>) input.get("rule");
        long seed = (Long) input.get("seed");
        return object("digest", accumulate(text(input, "step"), rule, seed, integer(input, "count")));
    }

    /** A member that is a text or null. */
    static String text(Map<String, Object> input, String name) {
        return (String) input.get(name);
    }

    static int integer(Map<String, Object> input, String name) {
        return Math.toIntExact((Long) input.get(name));
    }

    /** The label of an operation. */
    static String label(Map<String, Object> input) {
        return input.containsKey("label") ? text(input, "label") : "simhash-doc";
    }

    static List<Long> hashes(Map<String, Object> input) {
        List<Long> hashes = new ArrayList<>();
        for (Object hash : (List<?>) input.get("hashes")) hashes.add(number((String) hash));
        return hashes;
    }

    /** The words of a fingerprint, which may be null. */
    static long[] words(String digits) {
        if (digits == null) return null;
        long[] words = new long[digits.length() / 16];
        for (int w = 0; w < words.length; w++) words[w] = number(digits.substring(16 * w, 16 * w + 16));
        return words;
    }

    /** Writes a fingerprint. */
    static String hexOf(long[] words) {
        StringBuilder digits = new StringBuilder();
        for (long word : words) digits.append(hex16(word));
        return digits.toString();
    }

    /** The member "fingerprint" of 64 bits, which may be null. */
    static Long fingerprint(Map<String, Object> input) {
        String digits = text(input, "fingerprint");
        return digits == null ? null : number(digits);
    }

    static long number(String digits) {
        return Long.parseUnsignedLong(digits, 16);
    }

    /** The octets of a text, or of pairs of hexadecimal digits. */
    static byte[] octetsOf(Map<String, Object> input) {
        if (input.containsKey("text")) return text(input, "text").getBytes(StandardCharsets.UTF_8);
        String digits = text(input, "utf8");
        byte[] octets = new byte[digits.length() / 2];
        for (int i = 0; i < octets.length; i++)
            octets[i] = (byte) Integer.parseInt(digits.substring(2 * i, 2 * i + 2), 16);
        return octets;
    }

    static String unitsOf(Map<String, Object> input) {
        String digits = text(input, "utf16");
        StringBuilder units = new StringBuilder();
        for (int i = 0; i < digits.length(); i += 4)
            units.append((char) Integer.parseInt(digits.substring(i, i + 4), 16));
        return units.toString();
    }

    /** Writes 64 bits. */
    static String hex16(long number) {
        return String.format("%016x", number);
    }

    /** A JSON object of names and values in turn. */
    static Map<String, Object> object(Object... members) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < members.length; i += 2) object.put((String) members[i], members[i + 1]);
        return object;
    }

    // ----------------------------------------------------------------------------------------------- protocol

    static Map<String, Object> hello() {
        return object(
            "name", NAME,
            "version", VERSION,
            "language", "Java",
            "protocol", 1L,
            "unicode", UNICODE,
            "labels", LABELS,
            "declines", DECLINES,
            "functions", FUNCTIONS,
            "operations", new ArrayList<Object>(OPERATIONS.keySet()));
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> answer(Map<String, Object> request) {
        Object id = request.get("id");
        Object name = request.get("op");
        if ("hello".equals(name)) return object("id", id, "ok", hello());
        Operation operation = OPERATIONS.get(name);
        try {
            if (operation == null) throw new Unsupported();
            return object("id", id, "ok", operation.apply((Map<String, Object>) request.get("input")));
        } catch (Unsupported unsupported) {
            return object("id", id, "unsupported", true);
        } catch (Refusal refusal) {
            return object("id", id, "error", object("code", refusal.code));
        }
    }

    @SuppressWarnings("unchecked")
    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, false, "UTF-8");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            StringBuilder reply = new StringBuilder();
            Json.write(answer((Map<String, Object>) new Json(line).read()), reply);
            out.print(reply.append('\n'));
            out.flush();
        }
    }

    // --------------------------------------------------------------------------------------------------- JSON

    /** Reads strict JSON, and writes it in ASCII. */
    static final class Json {
        private final String text;
        private int at;
        private int depth;

        Json(String text) {
            this.text = text;
        }

        /** Reads the whole text as one value. */
        Object read() {
            Object value = value();
            skipSpace();
            if (at < text.length()) throw wrong("the end");
            return value;
        }

        private IllegalArgumentException wrong(String expected) {
            return new IllegalArgumentException("JSON: expected " + expected + " at character " + at);
        }

        private char peek() {
            return at < text.length() ? text.charAt(at) : '\0';
        }

        private void skipSpace() {
            while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') at++;
        }

        private boolean take(String word) {
            boolean found = text.startsWith(word, at);
            if (found) at += word.length();
            return found;
        }

        private Object value() {
            skipSpace();
            if (depth == 64) throw wrong("fewer levels");
            depth++;
            Object value;
            if (peek() == '"') value = string();
            else if (take("{")) value = members();
            else if (take("[")) value = items();
            else if (peek() == '-' || (peek() >= '0' && peek() <= '9')) value = number();
            else if (take("null")) value = null;
            else if (take("true")) value = true;
            else if (take("false")) value = false;
            else throw wrong("a value");
            depth--;
            return value;
        }

        private List<Object> items() {
            List<Object> items = new ArrayList<>();
            skipSpace();
            if (take("]")) return items;
            while (true) {
                items.add(value());
                skipSpace();
                if (take("]")) return items;
                if (!take(",")) throw wrong("\",\" or \"]\"");
            }
        }

        private Map<String, Object> members() {
            Map<String, Object> members = new LinkedHashMap<>();
            skipSpace();
            if (take("}")) return members;
            while (true) {
                skipSpace();
                if (peek() != '"') throw wrong("a name");
                String name = string();
                skipSpace();
                if (!take(":")) throw wrong("\":\"");
                members.put(name, value());
                skipSpace();
                if (take("}")) return members;
                if (!take(",")) throw wrong("\",\" or \"}\"");
            }
        }

        private void digits() {
            int from = at;
            while (peek() >= '0' && peek() <= '9') at++;
            if (at == from) throw wrong("a digit");
        }

        private Object number() {
            int from = at;
            boolean whole = true;
            take("-");
            if (!take("0")) digits();
            if (take(".")) {
                whole = false;
                digits();
            }
            if (take("e") || take("E")) {
                whole = false;
                if (!take("+")) take("-");
                digits();
            }
            String number = text.substring(from, at);
            if (whole) return Long.valueOf(number);
            return Double.valueOf(number);
        }

        private String string() {
            at++;
            StringBuilder string = new StringBuilder();
            while (true) {
                if (at >= text.length()) throw wrong("the end of a text");
                char next = text.charAt(at++);
                if (next == '"') return string.toString();
                if (next < ' ') throw wrong("no control character");
                string.append(next == '\\' ? escape() : next);
            }
        }

        private char escape() {
            if (at >= text.length()) throw wrong("an escape");
            char kind = text.charAt(at++);
            switch (kind) {
                case '"':
                case '\\':
                case '/':
                    return kind;
                case 'b':
                    return '\b';
                case 'f':
                    return '\f';
                case 'n':
                    return '\n';
                case 'r':
                    return '\r';
                case 't':
                    return '\t';
                case 'u':
                    return unit();
                default:
                    throw wrong("an escape");
            }
        }

        /** A 16-bit unit. Two of them form a surrogate pair in a Java string. */
        private char unit() {
            int unit = 0;
            for (int i = 0; i < 4; i++) {
                int digit = peek() < 0x80 ? Character.digit(peek(), 16) : -1;
                if (digit < 0) throw wrong("four hexadecimal digits");
                unit = unit * 16 + digit;
                at++;
            }
            return (char) unit;
        }

        /** Writes a value: null, Boolean, Number, String, List or Map. */
        static void write(Object value, StringBuilder out) {
            if (value instanceof String) {
                writeString((String) value, out);
            } else if (value instanceof List) {
                String separator = "";
                out.append('[');
                for (Object item : (List<?>) value) {
                    out.append(separator);
                    write(item, out);
                    separator = ",";
                }
                out.append(']');
            } else if (value instanceof Map) {
                String separator = "";
                out.append('{');
                for (Map.Entry<?, ?> member : ((Map<?, ?>) value).entrySet()) {
                    out.append(separator);
                    writeString((String) member.getKey(), out);
                    out.append(':');
                    write(member.getValue(), out);
                    separator = ",";
                }
                out.append('}');
            } else {
                out.append(value);
            }
        }

        private static void writeString(String string, StringBuilder out) {
            out.append('"');
            for (int i = 0; i < string.length(); i++) {
                char unit = string.charAt(i);
                if (unit == '"' || unit == '\\') out.append('\\').append(unit);
                else if (unit < ' ' || unit > '~') out.append(String.format("\\u%04x", (int) unit));
                else out.append(unit);
            }
            out.append('"');
        }
    }
}
