package payments;

import java.util.*;

/**
 * Test customer, who decides what happens. The ID says how: {@code sim?hold=CREATED,VERIFYING&paid=9900}.
 *
 * @param holds statuses in which a transaction stays until a test advances it
 * @param decline reason with which the service declines at its next step
 * @param paid amount that is transferred instead of the requested one
 */
record TestCustomer(List<String> holds, String decline, Long paid) {
  static TestCustomer of(String customerId) {
    Map<String, String> wishes = new HashMap<>();
    if (customerId.startsWith("sim?")) {
      for (String wish : customerId.substring(4).split("&")) {
        wishes.put(wish.replaceAll("=.*", ""), wish.replaceAll(".*=", ""));
      }
    }
    String paid = wishes.get("paid");
    return new TestCustomer(List.of(wishes.getOrDefault("hold", "").split(",")), wishes.get("decline"),
        paid == null ? null : Long.valueOf(paid));
  }
}
