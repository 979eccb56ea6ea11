package payments;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.regex.*;

/** Strict reader of JSON in UTF-8. It rejects what readers disagree about: lone surrogates and repeated members. */
final class JsonParser {
  private static final int MAX_DEPTH = 32;
  private static final int MAX_NUMBER_LENGTH = 400;
  private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
  private static final Pattern LITERAL = Pattern.compile("true|false|null");
  private static final Pattern ESCAPE = Pattern.compile("([\"\\\\/bfnrt])|u([0-9a-fA-F]{4})");

  private final String text;
  private int at;

  private JsonParser(String text) { this.text = text; }

  static Json parse(byte[] body) {
    try {
      // A new decoder reports malformed input instead of replacing it.
      JsonParser parser = new JsonParser(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString());
      Json value = parser.value(0);
      if (parser.at < parser.text.length()) throw parser.error("unexpected text");
      return value;
    } catch (CharacterCodingException e) {
      throw Problem.invalid("body", "", "is not UTF-8");
    }
  }

  private Json value(int depth) {
    if (depth > MAX_DEPTH) throw error("more than " + MAX_DEPTH + " levels");
    Json value = accept('{') ? object(depth)
        : accept('[') ? array(depth)
        : accept('"') ? new Json.Str(string())
        : scalar();
    skipSpace();
    return value;
  }

  private Json object(int depth) {
    Map<String, Json> members = new LinkedHashMap<>();
    if (accept('}')) return new Json.Obj(members);
    do {
      expect('"');
      String name = string();
      expect(':');
      if (members.put(name, value(depth + 1)) != null) throw error("repeated member");
    } while (accept(','));
    expect('}');
    return new Json.Obj(members);
  }

  private Json array(int depth) {
    List<Json> items = new ArrayList<>();
    if (accept(']')) return new Json.Arr(items);
    do items.add(value(depth + 1)); while (accept(','));
    expect(']');
    return new Json.Arr(items);
  }

  private Json scalar() {
    if ("tfn".indexOf(peek()) >= 0) return new Json.Literal(token(LITERAL).group());
    String digits = token(NUMBER).group();
    try {
      if (digits.length() <= MAX_NUMBER_LENGTH) return new Json.Num(new BigDecimal(digits));
    } catch (ArithmeticException | NumberFormatException exponentTooLarge) {
      // Reported below, like too many digits.
    }
    throw error("number out of range");
  }

  /** Rest of a string, after its first quotation mark. */
  private String string() {
    StringBuilder out = new StringBuilder();
    while (peek() != '"') {
      char c = text.charAt(at++);
      if (c < ' ') throw error("control character");
      out.append(c == '\\' ? escaped(token(ESCAPE)) : c);
    }
    at++;
    // A code point is a surrogate only if its pair is incomplete.
    if (out.codePoints().anyMatch(c -> c >= 0xd800 && c <= 0xdfff)) throw error("lone surrogate");
    return out.toString();
  }

  private static char escaped(MatchResult escape) {
    if (escape.group(2) != null) return (char) Integer.parseInt(escape.group(2), 16);
    int control = "bfnrt".indexOf(escape.group(1));
    return control < 0 ? escape.group(1).charAt(0) : "\b\f\n\r\t".charAt(control);
  }

  private MatchResult token(Pattern form) {
    Matcher matcher = form.matcher(text).region(at, text.length());
    if (!matcher.lookingAt()) throw error("unexpected character");
    at = matcher.end();
    return matcher;
  }

  private char peek() {
    if (at >= text.length()) throw error("unexpected end");
    return text.charAt(at);
  }

  /** Skips whitespace, and then the character if it comes next. */
  private boolean accept(char c) {
    skipSpace();
    if (at >= text.length() || text.charAt(at) != c) return false;
    at++;
    return true;
  }

  private void expect(char c) {
    if (!accept(c)) throw error("expected " + c);
  }

  private void skipSpace() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
  }

  private Problem error(String message) {
    return Problem.invalid("body", "", "is not valid JSON: " + message + " at character " + at);
  }
}
