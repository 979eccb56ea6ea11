package payments;

import java.time.Duration;
import java.util.stream.Stream;

enum Currency {
  INR(Duration.ofSeconds(2)), EGP(Duration.ZERO), MAD(Duration.ofSeconds(4)), DZD(Duration.ofSeconds(1));

  /** Time between the success of a payment and its settlement, for which the money is pending. */
  final Duration settlement;

  Currency(Duration settlement) { this.settlement = settlement; }

  /** Currency with this code, or null. */
  static Currency find(String code) {
    return Stream.of(values()).filter(currency -> currency.name().equals(code)).findAny().orElse(null);
  }
}
