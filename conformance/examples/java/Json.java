package payments;

import java.math.BigDecimal;
import java.util.*;
import java.util.stream.Collectors;

/** JSON value. Values are equal as JSON values: members in any order, numbers by value, so that 100 equals 100.0. */
sealed interface Json {
  record Obj(Map<String, Json> members) implements Json {
    Json get(String name) { return members.get(name); }

    /** String of a member, or null without one. */
    String text(String name) { return get(name) instanceof Str text ? text.value() : null; }

    /** Object of a member, or an empty one. */
    Obj object(String name) { return get(name) instanceof Obj object ? object : new Obj(Map.of()); }
  }

  record Arr(List<Json> items) implements Json {}

  record Str(String value) implements Json {}

  record Num(BigDecimal value) implements Json {
    public Num { value = value.stripTrailingZeros(); }
  }

  /** {@code true}, {@code false} or {@code null}. */
  record Literal(String word) implements Json {}

  /** Object of alternating names and values. A member whose value is null is left out. */
  static Obj object(Object... namesAndValues) {
    Map<String, Json> members = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      if (namesAndValues[i + 1] != null) members.put((String) namesAndValues[i], of(namesAndValues[i + 1]));
    }
    return new Obj(members);
  }

  private static Json of(Object value) {
    if (value instanceof Json json) return json;
    if (value instanceof Number number) return new Num(BigDecimal.valueOf(number.longValue()));
    if (value instanceof List<?> list) return new Arr(list.stream().map(Json::of).toList());
    return new Str(value.toString());
  }

  /** Text of the value in ASCII, so that no reader can take it for another encoding. */
  default String write() {
    if (this instanceof Obj object) {
      return object.members().entrySet().stream()
          .map(member -> quote(member.getKey()) + ":" + member.getValue().write())
          .collect(Collectors.joining(",", "{", "}"));
    }
    if (this instanceof Arr array) {
      return array.items().stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
    }
    if (this instanceof Str text) return quote(text.value());
    return this instanceof Num number ? number.value().toPlainString() : ((Literal) this).word();
  }

  private static String quote(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') out.append('\\').append(c);
      else if (c >= ' ' && c <= '~') out.append(c);
      else out.append(String.format("\\u%04x", (int) c));
    }
    return out.append('"').toString();
  }
}
