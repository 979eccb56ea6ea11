package payments;

import java.io.*;
import java.net.URI;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.*;
import java.util.*;
import java.util.concurrent.*;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Delivers events to merchants, at least once and signed as Standard Webhooks. */
final class Webhooks {
  private static final int[] RETRY_SECONDS = {5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400};
  private static final Duration REPLY_TIMEOUT = Duration.ofSeconds(15);
  private static final long DUPLICATE_DELAY_MS = 1_200;

  /** {@code duplicate} is whether it's sent once more after its success. */
  private record Event(String id, Merchant merchant, String url, byte[] body, boolean duplicate) {
    String address() { return merchant.id + " " + url; }
  }

  private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  /** One thread for each attempt under way, so that a slow address doesn't delay the others. */
  private final ExecutorService attempts = Executors.newCachedThreadPool();
  private final ScheduledExecutorService timers;
  /** Addresses that replied 410. */
  private final Set<String> gone = ConcurrentHashMap.newKeySet();

  Webhooks(ScheduledExecutorService timers) { this.timers = timers; }

  /** Notifies the merchant of the current state: of a payout twice, since merchants must ignore duplicates anyway. */
  void send(Transaction transaction) {
    byte[] body = transaction.body().write().getBytes(StandardCharsets.US_ASCII);
    Event event = new Event(UUID.randomUUID().toString(), transaction.merchant, transaction.text("callback_url"), body,
        transaction instanceof Transaction.Payout);
    attempts.execute(() -> attempt(event, 0));
  }

  private void attempt(Event event, int failures) {
    if (gone.contains(event.address())) return;
    int status = post(event);
    if (status == 410) gone.add(event.address());
    else if (status / 100 == 2) {
      if (event.duplicate() && failures == 0) later(event, RETRY_SECONDS.length, DUPLICATE_DELAY_MS);
    } else if (failures < RETRY_SECONDS.length) {
      double jitter = ThreadLocalRandom.current().nextDouble(0.8, 1.2);
      later(event, failures + 1, (long) (RETRY_SECONDS[failures] * 1000 * jitter));
    }
  }

  private void later(Event event, int failures, long delayMs) {
    timers.schedule(() -> attempts.execute(() -> attempt(event, failures)), delayMs, TimeUnit.MILLISECONDS);
  }

  /** Status of the reply, or 0 without one. Redirects are not followed. */
  private int post(Event event) {
    String seconds = String.valueOf(Instant.now().getEpochSecond());
    String signature = sign(event, seconds);
    try {
      HttpRequest request = HttpRequest.newBuilder(URI.create(event.url())).timeout(REPLY_TIMEOUT)
          .headers("Content-Type", "application/json; charset=utf-8", "X-Gateway-Signature", signature,
              "webhook-id", event.id(), "webhook-timestamp", seconds, "webhook-signature", signature)
          .POST(HttpRequest.BodyPublishers.ofByteArray(event.body())).build();
      HttpResponse<InputStream> response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
      response.body().close();
      return response.statusCode();
    } catch (IOException | InterruptedException | IllegalArgumentException noReply) {
      return 0;
    }
  }

  private static String sign(Event event, String seconds) {
    StringJoiner signatures = new StringJoiner(" ");
    try {
      for (String secret : event.merchant().secrets) {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.replace("whsec_", "")), "HmacSHA256"));
        mac.update((event.id() + "." + seconds + ".").getBytes(StandardCharsets.US_ASCII));
        signatures.add("v1," + Base64.getEncoder().encodeToString(mac.doFinal(event.body())));
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    return signatures.toString();
  }
}
