/*
 * Adapter between an implementation of simhash-doc in Java and its conformance tests.
 *
 * It speaks the adapter protocol, version 1 (spec/conformance.md): JSON Lines on standard input and
 * output, one reply for each request. Only the standard library is used, Java 11 or later; the JSON
 * at the end of this file is all that the protocol needs.
 *
 *     javac Adapter.java
 *     simhash-doc conformance smoke -- java Adapter      checks the plumbing alone
 *     simhash-doc conformance -- java Adapter            tells what is right and what goes wrong first
 *
 * What to do: call your implementation in tokenHash() below, then add one operation after the other
 * to OPERATIONS. What is not in there is not tested, and not counted as wrong.
 */

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

public final class Adapter {
    static final String NAME = "my-implementation";
    static final String VERSION = "0.0.0";
    /** The Unicode version of the library that NFC comes from, or null. */
    static final String UNICODE = null;

    /** The implementation refuses its input, with one of the codes of the specification, section Errors. */
    static final class Refusal extends RuntimeException {
        final String code;

        Refusal(String code) {
            super(code);
            this.code = code;
        }
    }

    // ------------------------------------------------------------------------------------ your implementation

    /** Step 7: the hash of a token, given as its octets in UTF-8; 64 bits, to be read without a sign. */
    static long tokenHash(byte[] octets) {
        return 0; // CALL YOUR IMPLEMENTATION HERE
    }

    // --------------------------------------------------------------------------------------------- operations
    // Each takes the "input" of a request and returns the "ok" of its reply, or throws a Refusal. The table in
    // spec/conformance.md, section Operations, says what both hold. A JSON object is a Map<String, Object>, a list a
    // List<Object>, a number a Long or Double.

    static final Map<String, Function<Map<String, Object>, Map<String, Object>>> OPERATIONS = new LinkedHashMap<>();

    static {
        OPERATIONS.put("token-hash", input -> object("hash", hex16(tokenHash(octetsOf(input)))));

        // The next ones could be:
        //
        // OPERATIONS.put("parse", input -> {
        //     Long fingerprint = myParse((String) input.get("serialised"));
        //     if (fingerprint == null) throw new Refusal("invalid-fingerprint");
        //     return object("fingerprint", hex16(fingerprint));
        // });
        //
        // "fingerprint", with a text of 13 characters or null under "fingerprint". With "decoded",
        // "normalised", "stripped", "tokens", "hashes" and "counters" beside it, where you have
        // them, the runner can name the step that goes wrong.
    }

    /** The octets of an input that is a text or octets. */
    static byte[] octetsOf(Map<String, Object> input) {
        if (input.containsKey("text")) return ((String) input.get("text")).getBytes(StandardCharsets.UTF_8);
        String hex = (String) input.get("utf8");
        byte[] octets = new byte[hex.length() / 2];
        for (int i = 0; i < octets.length; i++)
            octets[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
        return octets;
    }

    /** 64 bits as the protocol writes them. */
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
            "operations", new ArrayList<Object>(OPERATIONS.keySet()));
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> answer(Map<String, Object> request) {
        Object id = request.get("id");
        Object name = request.get("op");
        if ("hello".equals(name)) return object("id", id, "ok", hello());
        Function<Map<String, Object>, Map<String, Object>> operation = OPERATIONS.get(name);
        if (operation == null) return object("id", id, "unsupported", true);
        try {
            return object("id", id, "ok", operation.apply((Map<String, Object>) request.get("input")));
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

    /** Reads JSON strictly, and writes it in ASCII. */
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

        /** A 16-bit unit; two of them make a pair by themselves in a Java string. */
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
