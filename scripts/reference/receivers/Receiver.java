import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receiver {
    static final int TOLERANCE_SECONDS = 5 * 60;
    static final int BODY_BYTES_MAX = 1_048_576;

    static String reasonToRefuse(Headers headers, byte[] body, byte[] secret) throws Exception {
        String id = headers.getFirst("webhook-id");
        String timestamp = headers.getFirst("webhook-timestamp");
        if (id == null || id.isEmpty()) return "webhook-id is missing";
        if (timestamp == null || !timestamp.matches("[0-9]{1,12}")) return "webhook-timestamp is not an integer";
        long difference = Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp));
        if (difference > TOLERANCE_SECONDS) return "the timestamp differs from this clock by " + difference + " s";
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret, "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.ISO_8859_1));
        byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes();
        String given = headers.getFirst("{{signature}}");
        if (given == null) given = headers.getFirst("{{otherSignature}}");
        for (String value : given == null ? new String[0] : given.split(",?\\s+")) {
            if (MessageDigest.isEqual(value.getBytes(), expected)) return null;
        }
        return "no signature matches the body: check WEBHOOK_SECRET";
    }

    public static void main(String[] args) throws Exception {
        String[] parts = System.getenv().getOrDefault("WEBHOOK_SECRET", "").split("_", 2);
        if (parts.length < 2 || !parts[0].equals("whsec") || parts[1].isEmpty()) {
            System.err.println("Set WEBHOOK_SECRET to the signing secret, whsec_…");
            System.exit(1);
        }
        byte[] secret = Base64.getDecoder().decode(parts[1]);
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));
        HttpServer server = HttpServer.create(new InetSocketAddress(port), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            try (exchange) {
                byte[] body = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX + 1);
                if (body.length > BODY_BYTES_MAX) {
                    exchange.sendResponseHeaders(413, -1);
                    return;
                }
                String reason = reasonToRefuse(exchange.getRequestHeaders(), body, secret);
                exchange.sendResponseHeaders(reason == null ? 204 : 401, -1);
                if (reason != null) System.err.println("refused: " + reason);
                else System.out.println(new String(body, StandardCharsets.UTF_8));
            } catch (Exception error) {
                System.err.println(error);
            }
        });
        server.start();
    }
}
