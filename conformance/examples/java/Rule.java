package payments;

import java.math.BigDecimal;
import java.net.*;
import java.util.*;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Constraint on a JSON value in a request. It reports every violation, not only the first. */
interface Rule {
  int MAX_TEXT = 255;
  int MAX_ITEMS = 50;
  /** Largest integer that every JSON reader keeps exactly. */
  BigDecimal MAX_AMOUNT = BigDecimal.valueOf(9_007_199_254_740_991L);

  void check(Json value, String pointer, List<Problem.Violation> violations);

  record Field(String name, boolean required, Rule rule) {}

  static Field required(String name, Rule rule) { return new Field(name, true, rule); }

  static Field optional(String name, Rule rule) { return new Field(name, false, rule); }

  Rule TEXT = text(MAX_TEXT, any -> true, "");
  Rule EMAIL = text(MAX_TEXT, Pattern.compile("\\S+@[^\\s@]+").asMatchPredicate(), "must be an email address");
  Rule PHONE = text(32, Pattern.compile("\\+[1-9]([ ().-]*[0-9]){6,14}").asMatchPredicate(),
      "must be an international phone number, such as +91 98123 45671");
  Rule URL = text(2048, Rule::isUrl, "must be a URL that begins with http:// or https://");
  Rule CURRENCY = text(MAX_TEXT, code -> Currency.find(code) != null, "must be one of " + List.of(Currency.values()));
  Rule AMOUNT = (value, pointer, violations) -> {
    boolean valid = value instanceof Json.Num number && number.value().scale() <= 0
        && number.value().signum() > 0 && number.value().compareTo(MAX_AMOUNT) <= 0;
    if (!valid) report(violations, pointer, "must be an integer from 1 to " + MAX_AMOUNT + ", in minor units");
  };

  List<Field> CUSTOMER = List.of(required("id", TEXT), optional("name", TEXT), optional("email", EMAIL),
      optional("phone", PHONE), optional("kyc_level", TEXT));
  List<Field> ACCOUNT = List.of(optional("account_number", TEXT), optional("bank_code", TEXT),
      optional("bank_name", TEXT), optional("bank_branch", TEXT));
  List<Field> CREATION = List.of(required("amount", AMOUNT), required("currency", CURRENCY),
      required("merchant_order_id", TEXT), required("payment_method_type", TEXT), required("callback_url", URL));
  Rule PAYMENT = object(CREATION, List.of(required("customer", object(CUSTOMER)), optional("return_url", URL)));
  Rule PAYOUT = object(CREATION, List.of(required("customer", object(CUSTOMER, ACCOUNT))));
  Rule CLARIFICATION = object(List.of(required("clarify_data", items(Map.of("email", EMAIL, "phone", PHONE)))));
  Rule CONFIRMATION = object(List.of(required("confirm_data", items(Map.of()))));
  Rule TEST_STEP = object(List.of(optional("decline_reason", TEXT)));

  /** String of 1 to {@code max} code points, without U+0000 and of a certain form. */
  static Rule text(int max, Predicate<String> form, String message) {
    return (value, pointer, violations) -> {
      String text = value instanceof Json.Str string ? string.value() : null;
      if (text == null) report(violations, pointer, "must be a string");
      else if (text.isEmpty()) report(violations, pointer, "must not be empty");
      else if (text.codePointCount(0, text.length()) > max) report(violations, pointer, "is longer than " + max);
      else if (text.indexOf('\0') >= 0) report(violations, pointer, "must not contain U+0000");
      else if (!form.test(text)) report(violations, pointer, message);
    };
  }

  @SafeVarargs
  static Rule object(List<Field>... fields) {
    Map<String, Field> known = new LinkedHashMap<>();
    for (List<Field> some : fields) some.forEach(field -> known.put(field.name(), field));
    return (value, pointer, violations) -> {
      if (!(value instanceof Json.Obj object)) {
        report(violations, pointer, "must be an object");
        return;
      }
      for (Field field : known.values()) {
        boolean missing = field.required() && object.get(field.name()) == null;
        if (missing) report(violations, pointer + "/" + field.name(), "is missing");
      }
      object.members().forEach((name, member) -> {
        if (known.containsKey(name)) known.get(name).rule().check(member, pointer + "/" + name, violations);
        else report(violations, pointer + "/" + escape(name), "is not a field of this request");
      });
    };
  }

  /** Object of 1 to 50 strings by any names. Some names have rules of their own. */
  static Rule items(Map<String, Rule> known) {
    return (value, pointer, violations) -> {
      if (value instanceof Json.Obj object && !object.members().isEmpty() && object.members().size() <= MAX_ITEMS) {
        object.members().forEach((name, item) ->
            known.getOrDefault(name, TEXT).check(item, pointer + "/" + escape(name), violations));
      } else report(violations, pointer, "must be an object of 1 to " + MAX_ITEMS + " strings");
    };
  }

  private static boolean isUrl(String text) {
    try {
      return new URI(text).getRawAuthority() != null && text.matches("https?://\\p{ASCII}*");
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static void report(List<Problem.Violation> violations, String pointer, String message) {
    violations.add(new Problem.Violation("body", pointer, message));
  }

  private static String escape(String name) { return name.replace("~", "~0").replace("/", "~1"); }
}
