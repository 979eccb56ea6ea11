package payments;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.*;
import java.util.concurrent.*;

/**
 * Payments and payouts service: an example that implements the contract from its reference, in Java without packages.
 * Its state is in memory and lost when it stops.
 */
final class Main {
  private Main() {}

  public static void main(String[] args) throws IOException {
    // Otherwise a response waits for the acknowledgment of its headers.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    // Merchants' servers close idle connections. One that is used again must be younger than that.
    System.setProperty("jdk.httpclient.keepalive.timeout", "2");

    String nextSecret = "whsec_bmV4dCBzZWNyZXQsIG5vdCB5ZXQgaW4gdXNl";
    String secret = setting("WEBHOOK_SECRET", "whsec_Zmlyc3QgbWVyY2hhbnQncyBzZWNyZXQ=");
    Merchant merchant = new Merchant(7_100_000_001L, List.of(nextSecret, secret));
    Merchant second = new Merchant(7_100_000_002L, List.of("whsec_c2Vjb25kIG1lcmNoYW50J3Mgc2VjcmV0"));
    merchant.wallet.deposit(Currency.INR, 6_000_000);
    merchant.wallet.deposit(Currency.EGP, 2_000_000);
    merchant.wallet.deposit(Currency.MAD, 2_000_000);
    Map<String, Merchant> byKey = Map.of(
        setting("API_KEY", "sk_test_first"), merchant, setting("SECOND_API_KEY", "sk_test_second"), second);

    int port = Integer.parseInt(setting("PORT", "8080"));
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    String address = setting("PUBLIC_URL", "http://127.0.0.1:" + server.getAddress().getPort());
    ScheduledExecutorService timers = Executors.newScheduledThreadPool(2);
    Transitions transitions = new Transitions(timers, new Webhooks(timers));
    Payments payments = new Payments(transitions, address + Checkout.PATH);
    server.createContext("/", new Api(byKey, payments, new Payouts(transitions))::handle);
    server.createContext(Checkout.PATH, new Checkout(payments)::handle);
    server.setExecutor(Executors.newCachedThreadPool());
    server.start();
    System.out.println("Listening on " + address);
  }

  private static String setting(String name, String fallback) {
    return System.getenv().getOrDefault(name, fallback);
  }
}
