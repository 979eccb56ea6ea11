package payments;

import java.time.Duration;
import java.util.*;

/** Payment or payout method. {@code required} names the customer data without which it can't be used. */
record Method(Currency currency, boolean h2h, boolean redirect, Duration validity, String... required) {
  private static final long MIN_AMOUNT = 10;
  private static final long MAX_AMOUNT = 5_000_000_000L;
  private static final Duration HOUR = Duration.ofHours(1);

  static final Map<String, Method> OF_PAYMENTS = Map.of(
      "UPI_IN", new Method(Currency.INR, true, true, Duration.ofMinutes(10), "name", "phone"),
      "WALLET_EG", new Method(Currency.EGP, false, true, HOUR, "phone"),
      "WALLET_MA", new Method(Currency.MAD, false, true, HOUR, "phone"),
      "WALLET_DZ", new Method(Currency.DZD, false, true, HOUR, "phone"));
  static final Map<String, Method> OF_PAYOUTS = Map.of(
      "IMPS_IN", new Method(Currency.INR, true, false, HOUR, "account_number", "bank_code"),
      "WALLET_EG", new Method(Currency.EGP, true, false, HOUR, "account_number"),
      "WALLET_MA", new Method(Currency.MAD, true, false, HOUR, "account_number"),
      "WALLET_DZ", new Method(Currency.DZD, true, false, HOUR, "account_number"));

  /** Reason for which a transaction by this method, which is null if it's unknown, is declined at once; or null. */
  static String reasonToDecline(Method method, Transaction transaction) {
    if (method == null) return "METHOD_NOT_SUPPORTED";
    if (method.currency != transaction.currency) return "CURRENCY_NOT_SUPPORTED";
    return transaction.amount < MIN_AMOUNT || transaction.amount > MAX_AMOUNT ? "INVALID_AMOUNT" : null;
  }

  /** Names of the required data that is missing. */
  List<String> missing(Map<String, Json> customerData) {
    return List.of(required).stream().filter(name -> !customerData.containsKey(name)).toList();
  }
}
