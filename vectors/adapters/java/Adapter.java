// SPDX-License-Identifier: MIT

import java.io.*;
import java.nio.charset.StandardCharsets;
import java.security.*;
import java.util.*;
import java.util.stream.IntStream;

/**
 * The adapter protocol of simhash-doc, version 1 (vectors/README.md): JSON Lines over standard input and output. With the
 * argument {@code --one-shot} it reads one document from standard input and prints its fingerprint.
 */
public final class Adapter {
    private static final String LABEL = SimhashDoc.LABEL;
    private static final HexFormat HEX = HexFormat.of();
    private static final List<String> OPERATIONS = List.of("decode", "classify", "normalise", "strip-locators", "tokenise",
        "token-hash", "lookup3", "simhash", "draw", "minhash", "truncate", "serialise", "parse", "parse-hex", "parse-label",
        "parse-labelled", "format-labelled", "compare", "tables", "unpermute", "probe", "lookup", "fingerprint", "accumulate");

    /** The methods of the library by the operations that they answer. */
    private static final Map<String, Object> FUNCTIONS = map(
        "decode", "decode", "classify", "classOf", "normalise", "normalise", "strip-locators", "stripLocators",
        "tokenise", "tokenise", "token-hash", "tokenHash", "lookup3", "lookup3", "simhash", "simhash, counters",
        "draw", "draw", "minhash", "MinHash.add, MinHash.fingerprint, MinHash.draws", "truncate", "Fingerprint.truncate",
        "serialise", "Fingerprint.base32, Fingerprint.hex", "parse", "Fingerprint.parseBare",
        "parse-hex", "Fingerprint.parseHex", "parse-label", "readLabel", "parse-labelled", "Fingerprint.parse",
        "format-labelled", "Fingerprint.toString", "compare", "compare", "tables", "key, permuted",
        "unpermute", "unpermute", "probe", "probes", "lookup", "Index.add, Index.lookup",
        "fingerprint", "fingerprint(CharSequence), fingerprint(byte[])");

    /** The operation is not offered, or not for this input. */
    private static final class Unsupported extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    public static void main(String[] args) throws IOException {
        try (OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16)) {
            if (args.length > 0 && args[0].equals("--one-shot")) {
                var f = SimhashDoc.fingerprint(System.in.readAllBytes());
                if (f.isPresent()) out.write(f.get().base32().getBytes(StandardCharsets.US_ASCII));
                out.write('\n');
                return;
            }
            Reader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8), 1 << 16);
            for (String line = readLine(in); line != null; line = readLine(in)) {
                out.write(answer(line).getBytes(StandardCharsets.US_ASCII));
                out.write('\n');
                out.flush();
            }
        }
    }

    private static String readLine(Reader in) throws IOException {      // BufferedReader would also end a line at CR
        StringBuilder line = new StringBuilder();
        int c;
        while ((c = in.read()) >= 0 && c != '\n') line.append((char) c);
        return c < 0 && line.length() == 0 ? null : line.toString();
    }

    private static String answer(String line) {
        Map<String, Object> reply = new LinkedHashMap<>();
        try {
            Map<String, Object> request = object(Json.parse(line));
            reply.put("id", request.get("id"));
            reply.put("ok", result(string(request, "op"), object(request.get("input"))));
            return Json.write(reply);
        } catch (SimhashDoc.Refusal e) {
            reply.put("error", map("code", e.code(), "message", e.getMessage()));
        } catch (Unsupported e) {
            reply.put("unsupported", true);
        } catch (Exception | LinkageError | StackOverflowError | OutOfMemoryError e) {
            reply.remove("ok");
            reply.put("error", map("code", "internal", "message", String.valueOf(e)));
        }
        return Json.write(reply);
    }

    // ---- operations

    /** The result of an operation. Members are read in the order in which they are to be checked. */
    private static Map<String, Object> result(String op, Map<String, Object> in) {
        return switch (op) {
            case "hello" -> map("name", "simhash-doc-java", "version", "0.1.0", "language", "Java", "protocol", 1,
                "unicode", unicodeVersion(), "operations", OPERATIONS, "labels", SimhashDoc.LABELS,
                "declines", List.of(), "functions", FUNCTIONS);
            case "decode" -> map("text", document(in));
            case "classify" -> map("classes", string(in, "text").codePoints()
                .mapToObj(c -> SimhashDoc.classOf(c).name().toLowerCase(Locale.ROOT)).toList());
            case "normalise" -> map("text", SimhashDoc.normalise(string(in, "text")));
            case "strip-locators" -> map("text", SimhashDoc.stripLocators(string(in, "text")));
            case "tokenise" -> map("tokens", SimhashDoc.tokenise(string(in, "text"), label(in)));
            case "token-hash" -> map("hash", HEX.toHexDigits(SimhashDoc.tokenHash(rawOctets(in))));
            case "lookup3" -> {
                long cb = SimhashDoc.lookup3(HEX.parseHex(string(in, "utf8")), (int) hex(in, "pc"), (int) hex(in, "pb"));
                yield map("c", HEX.toHexDigits((int) cb), "b", HEX.toHexDigits((int) (cb >>> 32)));
            }
            case "simhash" -> {
                long[] hashes = hashList(in);
                if (SimhashDoc.isMinhash(label(in))) throw new Unsupported();
                OptionalLong bits = SimhashDoc.simhash(hashes);
                yield map("fingerprint", bits.isPresent() ? HEX.toHexDigits(bits.getAsLong()) : null,
                    "counters", SimhashDoc.counters(hashes));
            }
            case "draw" -> map("draw", HEX.toHexDigits(SimhashDoc.draw(hex(in, "hash"), integer(in, "n"))));
            case "minhash" -> {
                long[] hashes = hashList(in);
                String label = SimhashDoc.readLabel(string(in, "label"));
                if (!SimhashDoc.isMinhash(label)) throw new Unsupported();
                var state = minhash(hashes, label);
                yield map("fingerprint", state.fingerprint().map(SimhashDoc.Fingerprint::hex).orElse(null),
                    "draws", hexList(state.draws()));
            }
            case "truncate" ->
                map("fingerprint", required(in, "fingerprint", SimhashDoc.MINHASH_256_LABEL).truncate().hex());
            case "serialise" -> {
                var f = required(in, "fingerprint", label(in));
                yield map("text", f.base32(), "hex", f.hex());
            }
            case "parse" -> map("fingerprint", SimhashDoc.Fingerprint.parseBare(string(in, "serialised"), label(in)).hex());
            case "parse-hex" -> map("fingerprint", SimhashDoc.Fingerprint.parseHex(string(in, "hex"), label(in)).hex());
            case "parse-label" -> map("label", SimhashDoc.readLabel(string(in, "label")));
            case "parse-labelled" -> {
                var f = SimhashDoc.Fingerprint.parse(string(in, "labelled"));
                yield map("label", f.label(), "fingerprint", f.hex());
            }
            case "format-labelled" -> {
                String label = SimhashDoc.readLabel(string(in, "label"));
                yield map("labelled", required(in, "fingerprint", label).toString());
            }
            case "compare" -> {
                var c = SimhashDoc.compare(labelled(in, "a"), labelled(in, "b"));
                yield map("distance", c.distance(), "similarity", c.similarity(), "verdict", c.verdict());
            }
            case "tables" -> {
                long word = required(in, "fingerprint", LABEL).words()[0];
                yield map("keys", keys(word), "permuted",
                    IntStream.range(0, 16).mapToObj(t -> HEX.toHexDigits(SimhashDoc.permuted(word, t))).toList());
            }
            case "unpermute" -> map("fingerprint",
                HEX.toHexDigits(SimhashDoc.unpermute(hex(in, "permuted"), integer(in, "table"))));
            case "probe" -> probe(required(in, "fingerprint", LABEL).words()[0], integer(in, "table"), integer(in, "k"));
            case "lookup" -> lookup(in);
            case "fingerprint" ->
                fingerprint(document(in), in.containsKey("utf16") ? null : rawOctets(in), label(in));
            case "accumulate" -> accumulate(in);
            default -> throw new Unsupported();
        };
    }

    /** The Unicode version of java.text.Normalizer in a release of Java, or null where it is not known. */
    private static String unicodeVersion() {
        int java = Runtime.version().feature();
        if (java > 25) return null;
        return java < 19 ? "13.0.0" : java < 20 ? "14.0.0" : java < 22 ? "15.0.0" : java < 24 ? "15.1.0" : "16.0.0";
    }

    private static List<Integer> keys(long word) {
        return IntStream.range(0, 16).mapToObj(t -> SimhashDoc.key(word, t)).toList();
    }

    private static long[] hashList(Map<String, Object> in) {
        return list(in, "hashes").stream().mapToLong(h -> Long.parseUnsignedLong((String) h, 16)).toArray();
    }

    private static List<String> hexList(long[] numbers) {
        return Arrays.stream(numbers).mapToObj(HEX::toHexDigits).toList();
    }

    private static SimhashDoc.MinHash minhash(long[] hashes, String label) {
        var state = new SimhashDoc.MinHash(label);
        for (long hash : hashes) state.add(hash);
        return state;
    }

    private static Map<String, Object> probe(long word, int table, int k) {
        if (table >= 0 && table <= 15 && k > 12 && k <= 64) throw new Unsupported();
        int[] probes = SimhashDoc.probes(word, table, k);
        byte[] octets = new byte[4 * probes.length];
        for (int i = 0; i < octets.length; i++) octets[i] = (byte) (probes[i / 4] >>> (24 - i % 4 * 8));
        return map("count", probes.length, "digest", HEX.toHexDigits(SimhashDoc.tokenHash(octets)));
    }

    private static Map<String, Object> lookup(Map<String, Object> in) {
        String label = label(in);
        SimhashDoc.Index index = new SimhashDoc.Index(label);
        for (Object entry : list(in, "entries")) {
            index.add(string(object(entry), "id"), orNull(object(entry), "fingerprint", label));
        }
        var query = required(in, "query", label);
        int k = in.containsKey("k") ? integer(in, "k") : SimhashDoc.DEFAULT_K;
        List<Object> matches = new ArrayList<>();
        for (SimhashDoc.Match m : index.lookup(query, k)) {
            matches.add(map("id", m.id(), "fingerprint", m.fingerprint().hex(), "distance", m.distance()));
        }
        return map("completeTo", 64, "matches", matches);
    }

    /** The fingerprint of a text, and of its octets if it has any; the reply is an error if they differ. */
    private static Map<String, Object> fingerprint(String decoded, byte[] octets, String label) {
        String normalised = SimhashDoc.normalise(decoded);
        String stripped = SimhashDoc.stripLocators(normalised);
        List<String> tokens = SimhashDoc.tokenise(stripped, label);
        long[] hashes = SimhashDoc.hashes(tokens);
        var f = SimhashDoc.fingerprint(decoded, label).orElse(null);
        if (octets != null && !SimhashDoc.fingerprint(octets, label).equals(Optional.ofNullable(f))) {
            throw new IllegalStateException("the fingerprints of a text and of its octets differ");
        }
        Map<String, Object> result = map("fingerprint", f == null ? null : f.base32(), "decoded", decoded,
            "normalised", normalised, "stripped", stripped, "tokens", tokens, "hashes", hexList(hashes),
            "octets", f == null ? null : HEX.formatHex(f.octets()), "hex", f == null ? null : f.hex(),
            "tokenCount", hashes.length);
        if (SimhashDoc.isMinhash(label)) result.put("draws", hexList(minhash(hashes, label).draws()));
        else result.put("counters", SimhashDoc.counters(hashes));
        if (!label.equals(SimhashDoc.MINHASH_256_LABEL)) result.put("keys", f == null ? null : keys(f.words()[0]));
        return result;
    }

    // ---- accumulated vectors

    private static Map<String, Object> accumulate(Map<String, Object> in) {
        String step = string(in, "step");
        Map<String, Object> rule = object(in.get("rule"));
        long least = integer(rule, "least");
        long range = integer(rule, "most") - least + 1;
        long seed = number(in, "seed");
        long count = number(in, "count");
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (long i = 0; i < count; i++) {
                String line;
                try {
                    line = line(step, build(rule, seed + i, (int) (least + i % range)), i);
                } catch (SimhashDoc.Refusal e) {
                    line = e.code();
                }
                digest.update((line + "\n").getBytes(StandardCharsets.US_ASCII));
            }
            return map("digest", HEX.formatHex(digest.digest()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The line of case i. What was built is a String or a byte[]. */
    private static String line(String step, Object built, long i) {
        return switch (step) {
            case "decode" -> hexOf(SimhashDoc.decode((byte[]) built));
            case "classify" -> ((String) built).codePoints().map(c -> "blwiu".charAt(SimhashDoc.classOf(c).ordinal()))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
            case "normalise" -> hexOf(SimhashDoc.normalise((String) built));
            case "strip-locators" -> hexOf(SimhashDoc.stripLocators((String) built));
            case "tokenise" ->
                String.join(" ", SimhashDoc.tokenise((String) built, LABEL).stream().map(Adapter::hexOf).toList());
            case "token-hash" -> HEX.toHexDigits(SimhashDoc.tokenHash(built instanceof String s ? utf8(s) : (byte[]) built));
            case "simhash" -> {
                byte[] o = (byte[]) built;
                long[] hashes = IntStream.range(0, o.length / 8)
                    .mapToLong(j -> wordOf(Arrays.copyOfRange(o, 8 * j, 8 * j + 8))).toArray();
                OptionalLong bits = SimhashDoc.simhash(hashes);
                yield bits.isPresent() ? HEX.toHexDigits(bits.getAsLong()) : "-";
            }
            case "serialise" -> ofOctets(built).base32() + " " + ofOctets(built).hex();
            case "parse" -> SimhashDoc.Fingerprint.parseBare((String) built, LABEL).hex();
            case "tables" -> {
                long word = wordOf(built);
                StringJoiner items = new StringJoiner(" ");
                for (int t = 0; t < 16; t++) items.add(String.valueOf(SimhashDoc.key(word, t)));
                for (int t = 0; t < 16; t++) items.add(HEX.toHexDigits(SimhashDoc.permuted(word, t)));
                yield items.toString();
            }
            case "probe" -> {
                Map<String, Object> probe = probe(wordOf(built), (int) (i % 16), (int) (i / 16 % 8));
                yield probe.get("count") + " " + probe.get("digest");
            }
            case "fingerprint" -> SimhashDoc.fingerprint(built instanceof String s ? s : SimhashDoc.decode((byte[]) built))
                .map(SimhashDoc.Fingerprint::base32).orElse("-");
            default -> throw new Unsupported();
        };
    }

    private static SimhashDoc.Fingerprint ofOctets(Object octets) {
        return SimhashDoc.Fingerprint.ofOctets((byte[]) octets, LABEL);
    }

    private static long wordOf(Object octets) {
        return ofOctets(octets).words()[0];
    }

    private static String hexOf(String text) {
        return HEX.formatHex(utf8(text));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static final class Splitmix64 {
        private long state;

        Splitmix64(long seed) {
            state = seed;
        }

        int below(int n) {
            state += 0x9E3779B97F4A7C15L;
            long z = (state ^ state >>> 30) * 0xBF58476D1CE4E5B9L;
            z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
            return (int) Long.remainderUnsigned(z ^ z >>> 31, n);
        }
    }

    /** What a generating rule builds: a String or a byte[]. */
    private static Object build(Map<String, Object> rule, long seed, int count) {
        Splitmix64 random = new Splitmix64(seed);
        StringBuilder text = new StringBuilder();
        switch (string(rule, "rule")) {
            case "octets" -> {
                byte[] octets = new byte[count];
                for (int i = 0; i < count; i++) octets[i] = (byte) random.below(256);
                return octets;
            }
            case "words" -> {
                List<?> vocabulary = list(rule, "vocabulary");
                List<?> separators = list(rule, "separators");
                for (int i = 0; i < count; i++) {
                    if (i > 0) text.append(separators.get(random.below(separators.size())));
                    text.append(vocabulary.get(random.below(vocabulary.size())));
                }
            }
            case "code-points" -> {
                List<?> ranges = list(rule, "ranges");
                int n = ranges.stream().mapToInt(Adapter::size).sum();
                for (int i = 0; i < count; i++) {
                    int x = random.below(n);
                    int r = 0;
                    for (; x >= size(ranges.get(r)); r++) x -= size(ranges.get(r));
                    text.appendCodePoint(item(ranges.get(r), 0) + x % width(ranges.get(r)));
                }
            }
            default -> throw new Unsupported();
        }
        return text.toString();
    }

    private static int width(Object range) {
        return item(range, 1) - item(range, 0) + 1;
    }

    private static int size(Object range) {
        return width(range) * (((List<?>) range).size() > 2 ? item(range, 2) : 1);
    }

    private static int item(Object list, int i) {
        return ((Number) ((List<?>) list).get(i)).intValue();
    }

    // ---- values

    @SuppressWarnings("unchecked")
    private static <T> T checked(Class<?> type, Object value, String name) {
        if (!type.isInstance(value)) throw new SimhashDoc.Refusal("wrong-type", name + " is no " + type.getSimpleName());
        return (T) value;
    }

    private static Map<String, Object> object(Object value) {
        return checked(Map.class, value, "an object");
    }

    private static List<?> list(Map<String, Object> in, String name) {
        return checked(List.class, in.get(name), name);
    }

    private static String string(Map<String, Object> in, String name) {
        return checked(String.class, in.get(name), name);
    }

    private static long number(Map<String, Object> in, String name) {
        double x = Adapter.<Number>checked(Number.class, in.get(name), name).doubleValue();
        if (x != Math.rint(x) || Math.abs(x) > 1e15) throw new SimhashDoc.Refusal("out-of-range", name + " is " + x);
        return (long) x;
    }

    private static int integer(Map<String, Object> in, String name) {
        long x = number(in, name);
        if (x != (int) x) throw new SimhashDoc.Refusal("out-of-range", name + " is " + x);
        return (int) x;
    }

    private static long hex(Map<String, Object> in, String name) {
        return Long.parseUnsignedLong(string(in, name), 16);
    }

    private static SimhashDoc.Fingerprint orNull(Map<String, Object> in, String name, String label) {
        return in.get(name) == null ? null : SimhashDoc.Fingerprint.parseHex(string(in, name), label);
    }

    private static SimhashDoc.Fingerprint required(Map<String, Object> in, String name, String label) {
        return SimhashDoc.required(orNull(in, name, label));
    }

    private static SimhashDoc.Fingerprint labelled(Map<String, Object> in, String name) {
        return SimhashDoc.required(in.get(name) == null ? null : SimhashDoc.Fingerprint.parse(string(in, name)));
    }

    private static String label(Map<String, Object> in) {
        return in.containsKey("label") ? SimhashDoc.readLabel(string(in, "label")) : LABEL;
    }

    /** The text of a document input, after step 1. */
    private static String document(Map<String, Object> in) {
        if (in.containsKey("utf8")) return SimhashDoc.decode(HEX.parseHex(string(in, "utf8")));
        if (!in.containsKey("utf16")) return SimhashDoc.decode(string(in, "text"));
        String units = string(in, "utf16");
        StringBuilder s = new StringBuilder(units.length() / 4);
        for (int i = 0; i < units.length(); i += 4) s.append((char) HexFormat.fromHexDigits(units, i, i + 4));
        return SimhashDoc.decode(s);
    }

    private static byte[] rawOctets(Map<String, Object> in) {
        return in.containsKey("utf8") ? HEX.parseHex(string(in, "utf8")) : utf8(string(in, "text"));
    }

    private static Map<String, Object> map(Object... members) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < members.length; i += 2) map.put((String) members[i], members[i + 1]);
        return map;
    }

    // ---- JSON

    /** JSON (RFC 8259) to Map, List, String, Double, Boolean and null, and back. */
    private static final class Json {
        private final String s;
        private int i;
        private int depth;

        private Json(String s) {
            this.s = s;
        }

        static Object parse(String s) {
            Json json = new Json(s);
            Object value = json.value();
            json.peek();
            if (json.i < s.length()) throw json.fault();
            return value;
        }

        private IllegalArgumentException fault() {
            return new IllegalArgumentException("not JSON at " + i);
        }

        private char peek() {                                           // the next character that is no white space, or 0
            while (i < s.length() && " \t\r\n".indexOf(s.charAt(i)) >= 0) i++;
            return i < s.length() ? s.charAt(i) : 0;
        }

        private boolean take(char c) {
            if (peek() != c) return false;
            i++;
            return true;
        }

        private void expect(char c) {
            if (!take(c)) throw fault();
        }

        private Object value() {
            if (++depth > 1000) throw fault();
            Object value = switch (peek()) {
                case '{' -> object();
                case '[' -> list();
                case '"' -> string();
                case 't' -> word("true", true);
                case 'f' -> word("false", false);
                case 'n' -> word("null", null);
                default -> number();
            };
            depth--;
            return value;
        }

        private Map<String, Object> object() {
            Map<String, Object> map = new LinkedHashMap<>();
            expect('{');
            if (take('}')) return map;
            do {
                if (peek() != '"') throw fault();
                String name = string();
                expect(':');
                map.put(name, value());
            } while (take(','));
            expect('}');
            return map;
        }

        private List<Object> list() {
            List<Object> list = new ArrayList<>();
            expect('[');
            if (take(']')) return list;
            do list.add(value()); while (take(','));
            expect(']');
            return list;
        }

        private Object word(String word, Object value) {
            if (!s.startsWith(word, i)) throw fault();
            i += word.length();
            return value;
        }

        private Double number() {                                       // exact for all integers of the protocol
            int start = i;
            while (i < s.length() && "+-.0123456789Ee".indexOf(s.charAt(i)) >= 0) i++;
            return Double.valueOf(s.substring(start, i));
        }

        private String string() {
            StringBuilder out = new StringBuilder();
            for (int start = ++i; i < s.length(); i++) {
                char c = s.charAt(i);
                if (c == '"') return out.append(s, start, i++).toString();
                if (c != '\\') continue;
                out.append(s, start, i++);
                int escape = i < s.length() ? "\"\\/bfnrtu".indexOf(s.charAt(i)) : -1;
                if (escape < 0 || escape == 8 && i + 4 >= s.length()) throw fault();
                if (escape < 8) {
                    out.append("\"\\/\b\f\n\r\t".charAt(escape));
                } else {
                    out.append((char) HexFormat.fromHexDigits(s, i + 1, i + 5));
                    i += 4;
                }
                start = i + 1;
            }
            throw fault();
        }

        static String write(Object value) {
            StringBuilder out = new StringBuilder();
            write(value, out);
            return out.toString();
        }

        private static void write(Object value, StringBuilder out) {
            String comma = "";
            if (value instanceof String text) {
                quote(text, out);
            } else if (value instanceof Map<?, ?> map) {
                out.append('{');
                for (Map.Entry<?, ?> member : map.entrySet()) {
                    quote((String) member.getKey(), out.append(comma));
                    write(member.getValue(), out.append(':'));
                    comma = ",";
                }
                out.append('}');
            } else if (value instanceof List<?> list) {
                out.append('[');
                for (Object item : list) {
                    write(item, out.append(comma));
                    comma = ",";
                }
                out.append(']');
            } else {                                                    // numbers, a truth value or null
                out.append(value instanceof long[] numbers ? Arrays.toString(numbers) : value);
            }
        }

        private static void quote(String text, StringBuilder out) {
            out.append('"');
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c == '"' || c == '\\') out.append('\\').append(c);
                else if (c >= ' ' && c <= '~') out.append(c);
                else out.append("\\u").append(HEX.toHexDigits(c));
            }
            out.append('"');
        }
    }
}
