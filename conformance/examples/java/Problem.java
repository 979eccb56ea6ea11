package payments;

import java.util.*;

/** HTTP error, which becomes a problem document (RFC 9457). */
final class Problem extends RuntimeException {
  private static final int MAX_VIOLATIONS = 100;

  enum Kind {
    VALIDATION_FAILED(400, "Request doesn't match the contract"),
    UNAUTHORIZED(401, "API key required"),
    NOT_FOUND(404, "Nothing here"),
    ORDER_ID_REUSED(409, "Order ID conflict"),
    WRONG_STATE(409, "Payment can't do that now"),
    BODY_TOO_LARGE(413, "Body exceeds the limit"),
    UNSUPPORTED_MEDIA_TYPE(415, "Body is not JSON"),
    RATE_LIMITED(429, "Rate limit exceeded"),
    INTERNAL_ERROR(500, "Service failed"),
    UNAVAILABLE(503, "Service unavailable");

    final int status;
    final String title;

    Kind(int status, String title) {
      this.status = status;
      this.title = title;
    }
  }

  /** Mistake in a request. {@code in} is body, query or path, and {@code pointer} a JSON pointer into it. */
  record Violation(String in, String pointer, String message) {
    Json toJson() { return Json.object("in", in, "pointer", pointer, "message", message); }
  }

  final Kind kind;
  private final List<Violation> violations;

  private Problem(Kind kind, String detail, List<Violation> violations) {
    super(detail);
    this.kind = kind;
    this.violations = violations;
  }

  Problem(Kind kind, String detail) { this(kind, detail, List.of()); }

  static Problem invalid(List<Violation> violations) {
    return new Problem(Kind.VALIDATION_FAILED, "Fix the violations, and send the request again.", violations);
  }

  static Problem invalid(String in, String pointer, String message) {
    return invalid(List.of(new Violation(in, pointer, message)));
  }

  Json toJson(String requestId) {
    List<Json> listed = violations.stream().limit(MAX_VIOLATIONS).map(Violation::toJson).toList();
    String type = "https://docs.gateway.example/problems/" + kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    return Json.object("request_id", requestId, "status", kind.status, "type", type, "title", kind.title,
        "detail", getMessage(), "violations", listed.isEmpty() ? null : listed);
  }
}
