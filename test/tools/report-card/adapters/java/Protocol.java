import com.google.gson.*;
import java.io.*;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.function.Function;

/** The adapter protocol (spec/conformance.md) for libraries of Maven Central. */
final class Protocol {
    /** Writes a number of 64 bits. */
    static String hex16(BigInteger number) {
        return String.format("%016x", number);
    }

    /** Answers requests by functions, one for each operation. One that returns null does not offer it for this input. */
    static void serve(String name, String version, Map<String, Function<JsonObject, Map<String, ?>>> operations)
            throws IOException {
        var gson = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        for (String line; (line = in.readLine()) != null; ) {
            var request = JsonParser.parseString(line).getAsJsonObject();
            var op = request.get("op").getAsString();
            var reply = new LinkedHashMap<String, Object>();
            reply.put("id", request.get("id"));
            try {
                if (op.equals("hello")) {
                    var hello = new HashMap<String, Object>(
                            Map.of("name", name, "version", version, "language", "Java", "protocol", 1));
                    hello.put("unicode", null);
                    hello.put("operations", operations.keySet());
                    reply.put("ok", hello);
                } else {
                    var operation = operations.get(op);
                    var result = operation == null ? null : operation.apply(request.getAsJsonObject("input"));
                    reply.put(result == null ? "unsupported" : "ok", result == null ? true : result);
                }
            } catch (RuntimeException error) {
                reply.put("error", Map.of("code", "internal", "message", error.toString()));
            }
            out.println(gson.toJson(reply));
        }
    }
}
