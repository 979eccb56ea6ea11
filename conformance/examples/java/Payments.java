package payments;

import java.time.Duration;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import payments.Transaction.Payment;

/** Life of a payment. All methods but {@code byPage} are called under the merchant's lock. */
final class Payments {
  private static final Duration CHANNEL_TIME = Duration.ofMillis(300);
  private static final Duration VERIFICATION_TIME = Duration.ofMillis(700);
  /** From this amount on, in minor units, a customer who is not trusted has to supply a tax number. */
  private static final long TAX_NUMBER_FROM = 5_000_000;
  private static final String TAX_NUMBER = "pan";

  private final Transitions transitions;
  private final String pageAddress;
  private final Map<String, Payment> byPage = new ConcurrentHashMap<>();

  Payments(Transitions transitions, String pageAddress) {
    this.transitions = transitions;
    this.pageAddress = pageAddress;
  }

  Json create(Merchant merchant, Json.Obj request) {
    Method method = Method.OF_PAYMENTS.get(request.text("payment_method_type"));
    boolean returns = request.text("return_url") != null;
    if (method != null && !method.h2h() && !returns) {
      throw Problem.invalid("body", "/return_url", "is missing, but this method has no host-to-host flow");
    }
    Payment payment = merchant.payments.repeated(request);
    if (payment == null) {
      payment = new Payment(merchant, request, returns && method != null && method.redirect());
      merchant.payments.add(payment);
      open(payment, method);
    }
    boolean hasPage = payment.pageToken != null && payment.state() == State.CREATED;
    return payment.firstResponse(hasPage ? pageAddress + payment.pageToken : null);
  }

  /** Payment of a payment page, or null. */
  Payment byPage(String token) { return byPage.get(token); }

  Json clarify(Payment payment, Json.Obj data) {
    if (!(payment.state() instanceof State.ExtraDataNeeded asked)) throw wrongState(payment);
    requireItems(asked.clarify(), data, "/clarify_data/");
    payment.customerData.putAll(data.members());
    askForTransfer(payment);
    return payment.body();
  }

  Json confirm(Payment payment, Json.Obj data) {
    if (!(payment.state() instanceof State.ConfirmationNeeded waiting)) throw wrongState(payment);
    requireItems(waiting.confirm(), data, "/confirm_data/");
    for (long offered : waiting.amounts()) {
      boolean chosen = String.valueOf(offered).equals(data.text("amount"));
      if (chosen && payment.customer.paid() == null) payment.transferred = offered;
    }
    verify(payment);
    return Json.object("message", "We validated the transfer reference; final settlement confirmation is awaited.",
        "status", payment.state().status(), "merchant_order_id", payment.text("merchant_order_id"),
        "transaction_id", payment.id);
  }

  /** The customer pays on the payment page. A second click changes nothing. */
  void pay(Payment payment) {
    if (payment.state() != State.CREATED) return;
    if (payment.currency == Currency.DZD && !payment.customer.holds().contains("VERIFYING")) succeedOrFail(payment);
    else verify(payment);
  }

  /** Lets a test decline a payment, or without a reason advance it. */
  Json step(Payment payment, String reason) {
    if (reason == null) advance(payment);
    else fail(payment, reason);
    return payment.body();
  }

  /** Takes the step that the service takes on its own after some time. */
  private void advance(Payment payment) {
    if (payment.state() == State.VERIFYING) succeedOrFail(payment);
    else if (payment.state() != State.CREATED || payment.pageToken != null) return;
    else if (payment.customer.decline() != null) fail(payment, payment.customer.decline());
    else askForTransfer(payment);
  }

  void fail(Payment payment, String reason) { transitions.fail(payment, reason); }

  private void open(Payment payment, Method method) {
    String reason = Method.reasonToDecline(method, payment);
    List<String> missing = reason == null ? method.missing(payment.customerData) : List.of();
    // The payment page asks for nothing.
    if (payment.pageToken != null && !missing.isEmpty()) reason = "INVALID_CUSTOMER_DETAILS";
    if (reason != null) {
      transitions.enter(payment, new State.Failed(Timestamps.now(), reason));
      return;
    }
    if (payment.pageToken != null) byPage.put(payment.pageToken, payment);
    transitions.after(method.validity(), payment.merchant, () -> {
      if (payment.state() != State.VERIFYING) fail(payment, "TIMEOUT_EXPIRED");
    });
    if (!missing.isEmpty()) transitions.enter(payment, new State.ExtraDataNeeded(missing));
    else if (payment.pageToken == null && payment.isTrusted()) askForTransfer(payment);
    else {
      transitions.enter(payment, State.CREATED);
      transitions.later(payment, CHANNEL_TIME, () -> advance(payment));
    }
  }

  private void askForTransfer(Payment payment) {
    if (payment.amount >= TAX_NUMBER_FROM && !payment.isTrusted() && !payment.customerData.containsKey(TAX_NUMBER)) {
      transitions.enter(payment, new State.ExtraDataNeeded(List.of(TAX_NUMBER)));
      return;
    }
    long rounded = (payment.amount + 99) / 100 * 100;
    List<Long> amounts = rounded == payment.amount ? List.of(rounded) : List.of(rounded, payment.amount);
    transitions.enter(payment, new State.ConfirmationNeeded("collect@upi", amounts, List.of("tid", "amount")));
  }

  private void verify(Payment payment) {
    transitions.enter(payment, State.VERIFYING);
    transitions.later(payment, VERIFICATION_TIME, () -> advance(payment));
  }

  private void succeedOrFail(Payment payment) {
    if (payment.customer.decline() != null) {
      fail(payment, payment.customer.decline());
      return;
    }
    Wallet wallet = payment.merchant.wallet;
    wallet.collect(payment.currency, payment.transferred);
    transitions.after(payment.currency.settlement, payment.merchant,
        () -> wallet.settle(payment.currency, payment.transferred));
    transitions.enter(payment, new State.Succeeded(Timestamps.now(), payment.transferred));
  }

  private static void requireItems(List<String> names, Json.Obj data, String pointer) {
    List<Problem.Violation> missing = names.stream().filter(name -> data.get(name) == null)
        .map(name -> new Problem.Violation("body", pointer + name, "is missing")).toList();
    if (!missing.isEmpty()) throw Problem.invalid(missing);
  }

  private static Problem wrongState(Payment payment) {
    return new Problem(Problem.Kind.WRONG_STATE, "The payment is " + payment.state().status() + ".");
  }
}
