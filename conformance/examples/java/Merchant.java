package payments;

import java.util.*;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Merchant with its wallet and transactions, all of which are used under its lock. */
final class Merchant {
  final long id;
  /** Secrets that sign webhooks: two while one replaces the other. */
  final List<String> secrets;
  final Wallet wallet = new Wallet();
  final Orders<Transaction.Payment> payments = new Orders<>();
  final Orders<Transaction.Payout> payouts = new Orders<>();
  private final ReentrantLock lock = new ReentrantLock();

  Merchant(long id, List<String> secrets) {
    this.id = id;
    this.secrets = secrets;
  }

  <T> T locked(Supplier<T> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  /** Payments or payouts by their two identifiers. */
  static final class Orders<T extends Transaction> {
    private final Map<String, T> byId = new HashMap<>();
    private final Map<String, T> byOrderId = new HashMap<>();

    void add(T transaction) {
      byId.put(transaction.id, transaction);
      byOrderId.put(transaction.text("merchant_order_id"), transaction);
    }

    /** Transaction of an equal request, or null. Rejects another request with the same order ID. */
    T repeated(Json.Obj request) {
      T first = byOrderId.get(request.text("merchant_order_id"));
      if (first == null || first.request.equals(request)) return first;
      throw new Problem(Problem.Kind.ORDER_ID_REUSED, "Use a new merchant_order_id; another request has this one.");
    }

    T byId(String id) { return found(byId.get(id)); }

    T byOrderId(String orderId) { return found(byOrderId.get(orderId)); }

    private T found(T transaction) {
      if (transaction != null) return transaction;
      throw new Problem(Problem.Kind.NOT_FOUND, "You have no such transaction.");
    }
  }
}
