package payments;

import java.time.Duration;
import java.util.concurrent.*;

/** Moves transactions to their next states, at once or after some time, and notifies their merchants. */
final class Transitions {
  private final ScheduledExecutorService timers;
  private final Webhooks webhooks;

  Transitions(ScheduledExecutorService timers, Webhooks webhooks) {
    this.timers = timers;
    this.webhooks = webhooks;
  }

  void enter(Transaction transaction, State next) {
    transaction.enter(next);
    if (next.isEvent()) webhooks.send(transaction);
  }

  void fail(Transaction transaction, String reason) {
    if (!transaction.state().isFinal()) enter(transaction, new State.Failed(Timestamps.now(), reason));
  }

  /** Takes a step of the service later, unless the state has changed by then or a test customer holds it. */
  void later(Transaction transaction, Duration delay, Runnable step) {
    int revision = transaction.revision();
    if (transaction.customer.holds().contains(transaction.state().status())) return;
    after(delay, transaction.merchant, () -> {
      if (transaction.revision() == revision) step.run();
    });
  }

  /** Does something under the merchant's lock later. */
  void after(Duration delay, Merchant merchant, Runnable work) {
    Callable<Object> locked = () -> merchant.locked(() -> {
      work.run();
      return null;
    });
    timers.schedule(locked, delay.toMillis(), TimeUnit.MILLISECONDS);
  }
}
