package payments;

import java.time.Instant;
import java.util.*;

/** Money of a merchant, in minor units. */
final class Wallet {
  private record Balance(long available, long pending) {}

  /** Currencies that the wallet has ever held. */
  private final Map<Currency, Balance> balances = new EnumMap<>(Currency.class);
  private Instant updatedAt = Timestamps.now();

  void deposit(Currency currency, long amount) { add(currency, amount, 0); }

  void collect(Currency currency, long amount) { add(currency, 0, amount); }

  void settle(Currency currency, long amount) { add(currency, amount, -amount); }

  /** Takes the amount of a payout, which is in neither figure from then on; false if less is available. */
  boolean withdraw(Currency currency, long amount) {
    if (balance(currency).available() < amount) return false;
    add(currency, -amount, 0);
    return true;
  }

  Json toJson(long merchantId) {
    List<Json> entries = new ArrayList<>();
    balances.forEach((currency, balance) -> entries.add(
        Json.object("currency", currency, "pending", balance.pending(), "available", balance.available())));
    return Json.object("last_updated_at", Timestamps.format(updatedAt), "balances", entries, "merchant_id", merchantId);
  }

  private Balance balance(Currency currency) { return balances.getOrDefault(currency, new Balance(0, 0)); }

  private void add(Currency currency, long available, long pending) {
    Balance before = balance(currency);
    balances.put(currency, new Balance(
        Math.addExact(before.available(), available), Math.addExact(before.pending(), pending)));
    updatedAt = Timestamps.now();
  }
}
