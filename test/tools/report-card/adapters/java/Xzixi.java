import com.google.gson.*;
import com.xzixi.algorithm.simhash.analyzer.extractor.JcsegKeywordsExtractor;
import com.xzixi.algorithm.simhash.analyzer.hash.FVNHashGenerator;
import com.xzixi.algorithm.simhash.common.HashGenerator;
import com.xzixi.algorithm.simhash.core.SimHashUtil;
import com.xzixi.algorithm.simhash.core.SimHasher;
import java.io.OutputStream;
import java.io.PrintStream;
import java.math.BigInteger;
import java.util.*;

/** com.xzixi.algorithm:simhash-core: new SimHasher(new JcsegKeywordsExtractor(), new FVNHashGenerator()).simhash(text). */
final class Xzixi {
    /** Longer texts and tokens are not offered: FVNHashGenerator takes quadratic time, minutes for 65,536 characters. */
    static final int MAX_LENGTH = 10_000;

    /** The text of a request, or null if the library is not asked. */
    static String text(JsonObject in) {
        var text = in.has("text") ? in.get("text").getAsString() : null;
        return text == null || text.length() > MAX_LENGTH ? null : text;
    }

    /** Whether no token is too long. */
    static boolean areShort(JsonArray tokens) {
        for (var token : tokens) if (token.getAsString().length() > MAX_LENGTH) return false;
        return true;
    }

    static BigInteger number(JsonElement digits) {
        return new BigInteger(digits.getAsString(), 16);
    }

    /** The simhash of a list, each item with the weight of its number of occurrences, by a hash generator. */
    static Map<String, ?> simhashOf(JsonArray items, HashGenerator hashes) {
        var weights = new LinkedHashMap<String, Double>();
        items.forEach(item -> weights.merge(item.getAsString(), 1.0, Double::sum));
        return Map.of("fingerprint", Protocol.hex16(new SimHasher(text -> weights, hashes).simhash("")));
    }

    public static void main(String[] arguments) throws Exception {
        // Its logger writes to standard output, which is the protocol's.
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        var fnv = new FVNHashGenerator();
        var hasher = new SimHasher(new JcsegKeywordsExtractor(), fnv);
        var identity = new HashGenerator() {
            public BigInteger hash(String digits) {
                return new BigInteger(digits, 16);
            }

            public int length() {
                return 64;
            }
        };
        Protocol.serve("simhash-core", "1.1.0", Map.of(
                "fingerprint", in -> text(in) == null
                        ? null : Map.of("fingerprint", Protocol.hex16(hasher.simhash(text(in)))),
                "token-hash", in -> text(in) == null ? null : Map.of("hash", Protocol.hex16(fnv.hash(text(in)))),
                "fingerprint-of-tokens", in -> areShort(in.getAsJsonArray("tokens"))
                        ? simhashOf(in.getAsJsonArray("tokens"), fnv) : null,
                "simhash", in -> simhashOf(in.getAsJsonArray("hashes"), identity),
                "distance", in -> Map.of("distance",
                        SimHashUtil.getHammingDistance(number(in.get("a")), number(in.get("b"))))));
    }
}
