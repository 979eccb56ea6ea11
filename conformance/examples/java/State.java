package payments;

import java.time.Instant;
import java.util.List;

/** State of a payment or payout: its status, and the fields that only this status has. */
sealed interface State {
  String status();

  default Json.Obj fields() { return Json.object(); }

  /** Whether a webhook reports the state. Merchants see the others in the response to a request of theirs. */
  default boolean isEvent() { return true; }

  default boolean isFinal() { return false; }

  /** State without fields and webhook. */
  record Quiet(String status) implements State {
    @Override public boolean isEvent() { return false; }
  }

  Quiet CREATED = new Quiet("CREATED");
  Quiet VERIFYING = new Quiet("VERIFYING");
  Quiet PROCESSING = new Quiet("PROCESSING");

  record ExtraDataNeeded(List<String> clarify) implements State {
    @Override public String status() { return "EXTRA_DATA_NEEDED"; }

    @Override public Json.Obj fields() { return Json.object("clarify", clarify); }
  }

  record ConfirmationNeeded(String receiver, List<Long> amounts, List<String> confirm) implements State {
    @Override public String status() { return "PAY_CONFIRMATION_NEEDED"; }

    @Override public Json.Obj fields() {
      Json payData = Json.object("available_amounts", amounts, "receiver_account", receiver);
      return Json.object("confirm", confirm, "pay_data", payData);
    }
  }

  /** {@code amountPaid} is null for a payout. */
  record Succeeded(Instant finalizedAt, Long amountPaid) implements State {
    @Override public String status() { return "SUCCESS"; }

    @Override public boolean isFinal() { return true; }

    @Override public Json.Obj fields() {
      return Json.object("finalized_at", Timestamps.format(finalizedAt), "amount_paid", amountPaid);
    }
  }

  record Failed(Instant finalizedAt, String reason) implements State {
    @Override public String status() { return "FAILED"; }

    @Override public boolean isFinal() { return true; }

    @Override public Json.Obj fields() {
      return Json.object("finalized_at", Timestamps.format(finalizedAt), "decline_reason", reason);
    }
  }
}
