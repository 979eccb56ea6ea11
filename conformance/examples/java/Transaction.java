package payments;

import java.util.*;

/** Payment or payout. */
abstract sealed class Transaction {
  final Merchant merchant;
  final Json.Obj request;
  final long amount;
  final Currency currency;
  final TestCustomer customer;
  final String id;
  private final String createdAt = Timestamps.format(Timestamps.now());
  private State state;
  /** Number of states so far. As a field of its own, it helps merchants to order events. */
  private int revision;
  private Json firstResponse;

  private Transaction(Merchant merchant, Json.Obj request, String kind) {
    this.merchant = merchant;
    this.request = request;
    this.amount = ((Json.Num) request.get("amount")).value().longValueExact();
    this.currency = Currency.find(request.text("currency"));
    this.customer = TestCustomer.of(request.object("customer").text("id"));
    this.id = kind + ":" + currency + "+" + UUID.randomUUID();
  }

  static final class Payment extends Transaction {
    /** Token in the address of the payment page, or null without a page. */
    final String pageToken;
    /** Data about the customer, from the creation and from clarifications. */
    final Map<String, Json> customerData = new HashMap<>();
    /** Amount that the customer transfers, which can differ from the requested one. */
    long transferred;

    Payment(Merchant merchant, Json.Obj request, boolean redirect) {
      super(merchant, request, "payment");
      pageToken = redirect ? UUID.randomUUID().toString() : null;
      transferred = customer.paid() == null ? amount : customer.paid();
      customerData.putAll(request.object("customer").members());
    }

    boolean isTrusted() { return new Json.Str("TRUSTED").equals(customerData.get("kyc_level")); }
  }

  static final class Payout extends Transaction {
    Payout(Merchant merchant, Json.Obj request) { super(merchant, request, "payout"); }
  }

  String text(String name) { return request.text(name); }

  State state() { return state; }

  int revision() { return revision; }

  void enter(State next) {
    state = next;
    revision++;
  }

  /** Body of status responses and webhooks. */
  Json.Obj body() { return body(state.isEvent() && !state.isFinal() ? "payment_method_type" : "payment_method", null); }

  /** Response to the creation, as it was when it was asked for first. */
  Json firstResponse(String redirectUrl) {
    if (firstResponse == null) firstResponse = body("payment_method_type", redirectUrl);
    return firstResponse;
  }

  /** A body without a method is how merchants recognize a payout. */
  private Json.Obj body(String methodField, String redirectUrl) {
    String method = this instanceof Payment ? text("payment_method_type") : null;
    Json.Obj body = Json.object("created_at", createdAt, "status", state.status(), "revision", revision,
        "currency", currency, "amount", amount, methodField, method, "redirect_url", redirectUrl,
        "merchant_order_id", text("merchant_order_id"), "transaction_id", id);
    body.members().putAll(state.fields().members());
    return body;
  }
}
