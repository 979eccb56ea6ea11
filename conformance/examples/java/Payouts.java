package payments;

import java.time.Duration;
import payments.Transaction.Payout;

/** Life of a payout. All methods are called under the merchant's lock. */
final class Payouts {
  private static final Duration BANK_TIME = Duration.ofMillis(900);

  private final Transitions transitions;

  Payouts(Transitions transitions) { this.transitions = transitions; }

  Json create(Merchant merchant, Json.Obj request) {
    Payout payout = merchant.payouts.repeated(request);
    if (payout == null) {
      payout = new Payout(merchant, request);
      merchant.payouts.add(payout);
      open(payout);
    }
    return payout.firstResponse(null);
  }

  /** Lets a test decline a payout, or without a reason advance it. */
  Json step(Payout payout, String reason) {
    if (reason == null) advance(payout);
    else fail(payout, reason);
    return payout.body();
  }

  private void advance(Payout payout) {
    if (!payout.state().isFinal()) transitions.enter(payout, new State.Succeeded(Timestamps.now(), null));
  }

  /** Declines a payout in progress, and returns its amount to the wallet. */
  private void fail(Payout payout, String reason) {
    if (payout.state().isFinal()) return;
    payout.merchant.wallet.deposit(payout.currency, payout.amount);
    transitions.fail(payout, reason);
  }

  private void open(Payout payout) {
    String reason = withdrawOrDecline(payout);
    transitions.enter(payout, reason == null ? State.PROCESSING : new State.Failed(Timestamps.now(), reason));
    if (reason == null) transitions.later(payout, BANK_TIME, () -> advance(payout));
  }

  /** Withdraws the amount, or returns the reason for which the payout is declined. */
  private static String withdrawOrDecline(Payout payout) {
    Method method = Method.OF_PAYOUTS.get(payout.text("payment_method_type"));
    String reason = Method.reasonToDecline(method, payout);
    if (reason != null) return reason;
    if (!method.missing(payout.request.object("customer").members()).isEmpty()) return "INVALID_ACCOUNT_DETAILS";
    if (payout.customer.decline() != null) return payout.customer.decline();
    return payout.merchant.wallet.withdraw(payout.currency, payout.amount) ? null : "INSUFFICIENT_BALANCE";
  }
}
