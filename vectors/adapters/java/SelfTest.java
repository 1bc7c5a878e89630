// SPDX-License-Identifier: MIT

import java.util.*;
import java.util.stream.LongStream;

/** Checks published values of minhash-doc, and its draws against the first wording of the definition. */
public final class SelfTest {
    private static final String FOX = "The quick brown fox jumps over the lazy dog.";
    private static final String LONG_FOX = "EZEFOEQ2U2YJ7LG5UOZXYXVBMH7YDKPKR26BDSUOE5VLGHBGL6WQ";
    private static final String SHORT = SimhashDoc.MINHASH_LABEL, LONG = SimhashDoc.MINHASH_256_LABEL;
    private static int checks, wrong;

    public static void main(String[] args) {
        values();
        draws();
        strings();
        comparing();
        System.out.println(checks + " checks, " + wrong + " wrong");
        System.exit(wrong > 0 ? 1 : 0);
    }

    private static void check(String what, Object found, Object expected) {
        checks++;
        if (found.equals(expected)) return;
        wrong++;
        System.out.println("wrong: " + what + ": " + found + ", expected " + expected);
    }

    /** The error code of a call, or an empty string. */
    private static String code(Runnable call) {
        try {
            call.run();
        } catch (SimhashDoc.Refusal e) {
            return e.code();
        }
        return "";
    }

    private static String bare(String text, String label) {
        return SimhashDoc.fingerprint(text, label).map(SimhashDoc.Fingerprint::base32).orElse("none");
    }

    private static void values() {
        check("S(1234567, 0)", SimhashDoc.draw(1234567, 0), 6457827717110365317L);
        check("S(1234567, 1)", SimhashDoc.draw(1234567, 1), 3203168211198807973L);
        check("S(1, 512)", code(() -> SimhashDoc.draw(1, 512)), "out-of-range");
        check(FOX, bare(FOX, SimhashDoc.LABEL), "4L3UPEMLCUTGM");
        check(FOX, bare(FOX, LONG), LONG_FOX);
        String tower = "\u6771\u4EAC\u30BF\u30EF\u30FC\u3078\u884C\u304F\u3002";
        Map<String, String> expected = Map.of(FOX, "EZEFOEQ2U2YJ6", "a", "GEIVFIXBGPOBK", tower, "6LZYUFY5IMGIW",
            "hello world", "DBH7LFUXLLC6E", "123", "none");
        expected.forEach((text, bare) -> check(text, bare(text, SHORT), bare));
        for (String text : List.of(FOX, "a", "hello world")) {
            check(text, SimhashDoc.fingerprint(text, LONG).get().truncate(), SimhashDoc.fingerprint(text, SHORT).get());
        }
    }

    /** The winning draw of a bin: the least of the first round that has one, otherwise of the bin's own round. */
    private static long winner(long[] elements, int word, int bin) {
        for (int r = 0; r < 64; r++) {
            int n = 128 * word + r;
            OptionalLong least = LongStream.of(elements).map(x -> SimhashDoc.draw(x, n)).filter(y -> y >>> 58 == bin)
                .map(y -> y ^ Long.MIN_VALUE).min();
            if (least.isPresent()) return least.getAsLong() ^ Long.MIN_VALUE;
        }
        return LongStream.of(elements).map(x -> SimhashDoc.draw(x, 128 * word + 64 + bin) ^ Long.MIN_VALUE).min().getAsLong()
            ^ Long.MIN_VALUE;
    }

    private static void draws() {
        check("simhash-doc", code(() -> new SimhashDoc.MinHash(SimhashDoc.BIGRAMS_LABEL)), "invalid-label");
        for (int n : new int[] {0, 1, 2, 5, 300, 2000}) {
            long[] elements = LongStream.range(0, n).map(i -> SimhashDoc.draw(i / 512, (int) (i % 512))).toArray();
            var minhash = new SimhashDoc.MinHash(LONG);
            for (long element : elements) {
                minhash.add(element);
                minhash.add(elements[0]);
            }
            long[] draws = minhash.draws();
            check("fingerprint of " + n, minhash.fingerprint().isPresent(), n > 0);
            check("draws of " + n, draws.length, n > 0 ? 256 : 0);
            for (int i = 0; i < draws.length; i++) {
                check("draw " + i + " of " + n, draws[i], winner(elements, i / 64, i % 64));
                long bit = minhash.fingerprint().get().words()[i / 64] >>> (63 - i % 64) & 1;
                check("bit " + i + " of " + n, bit, draws[i] & 1);
            }
        }
    }

    private static void strings() {
        var fox = SimhashDoc.fingerprint(FOX, LONG).get();
        check("labelled", fox.toString(), LONG + ":" + LONG_FOX);
        for (String s : List.of(LONG_FOX, LONG_FOX.toLowerCase(Locale.ROOT), LONG_FOX + "====")) {
            check(s, SimhashDoc.Fingerprint.parse("MinHash-Doc-256:" + s), fox);
        }
        for (String end : List.of("", "R", "Y", "Q=", "Q===", "Q=====", "Q\n")) {
            String s = LONG_FOX.substring(0, 51) + end;
            check(s, code(() -> SimhashDoc.Fingerprint.parseBare(s, LONG)), "invalid-fingerprint");
        }
        check("digits", SimhashDoc.Fingerprint.parseHex(fox.hex().toUpperCase(Locale.ROOT), LONG), fox);
        check("16 digits", code(() -> SimhashDoc.Fingerprint.parseHex("0".repeat(16), LONG)), "invalid-fingerprint");
        check("octets", SimhashDoc.Fingerprint.ofOctets(fox.octets(), LONG), fox);
        check("31 octets", code(() -> SimhashDoc.Fingerprint.ofOctets(new byte[31], LONG)), "out-of-range");
        for (String label : List.of("minhash-doc+bg1", "minhash-doc-256+bg1", "minhash-doc-64")) {
            check(label, code(() -> SimhashDoc.readLabel(label)), "invalid-label");
        }
    }

    private static void comparing() {
        var query = new SimhashDoc.Fingerprint(LONG, 0, 0, 0, 0);
        var index = new SimhashDoc.Index(LONG);
        for (int d = 0; d <= 256; d++) {
            long[] words = new long[4];
            for (int i = 0; i < d; i++) words[i % 4] |= 1L << i / 4;
            var other = new SimhashDoc.Fingerprint(LONG, words);
            String verdict = d <= 5 ? "close" : d <= 25 ? "loose" : "none";
            check("distance " + d, SimhashDoc.compare(query, other), new SimhashDoc.Comparison(d, 1 - d / 256.0, verdict));
            index.add(String.valueOf(d), other);
        }
        for (int k : new int[] {0, 3, 64}) {
            var distances = index.lookup(query, k).stream().map(SimhashDoc.Match::distance).toList();
            int count = Math.min(4 * k + 4, 257);
            check("look up, k = " + k, distances, LongStream.range(0, count).mapToObj(d -> (int) d).toList());
        }
    }
}
