package payments;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import payments.Transaction.Payment;

/** Payment page of the redirect flow, on which the customer pays or cancels. */
final class Checkout {
  static final String PATH = "/checkout/";

  private final Payments payments;

  Checkout(Payments payments) { this.payments = payments; }

  void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Payment payment = payments.byPage(exchange.getRequestURI().getPath().substring(PATH.length()));
      if (payment == null) exchange.sendResponseHeaders(404, -1);
      else if (exchange.getRequestMethod().equals("POST")) {
        String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Location", payment.merchant.locked(() -> act(payment, form)));
        exchange.sendResponseHeaders(303, -1);
      } else {
        byte[] page = String.format("<!doctype html><title>Payment</title><form method=post><p>%s %d.%02d<p>"
            + "<button name=action value=pay>Pay</button> <button name=action value=cancel>Cancel</button></form>",
            payment.currency, payment.amount / 100, payment.amount % 100).getBytes(StandardCharsets.US_ASCII);
        exchange.getResponseHeaders().set("Content-Type", "text/html");
        exchange.sendResponseHeaders(200, page.length);
        exchange.getResponseBody().write(page);
      }
    }
  }

  /** Returns the merchant's address with its own query, to which the result is appended as a hint. */
  private String act(Payment payment, String form) {
    if (!form.equals("action=cancel")) payments.pay(payment);
    else if (payment.state() == State.CREATED) payments.fail(payment, "CANCELLED_BY_CUSTOMER");
    String[] addressAndFragment = payment.text("return_url").split("(?=#)", 2);
    return addressAndFragment[0] + (addressAndFragment[0].contains("?") ? "&" : "?")
        + "transaction_id=" + URLEncoder.encode(payment.id, StandardCharsets.UTF_8)
        + "&merchant_order_id=" + URLEncoder.encode(payment.text("merchant_order_id"), StandardCharsets.UTF_8)
        + "&status=" + payment.state().status() + (addressAndFragment.length > 1 ? addressAndFragment[1] : "");
  }
}
