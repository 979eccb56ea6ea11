package payments;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.*;
import java.time.format.DateTimeFormatter;
import java.util.*;
import payments.Problem.Kind;

/** HTTP API: finds the operation of a request, checks the request, and writes the response. */
final class Api {
  private static final int MAX_BODY = 64 * 1024;
  /** A body over the limit is still read, so that its sender sees the response instead of a reset connection. */
  private static final int MAX_READ = 4 * 1024 * 1024;
  /** Requests with such a key fail: those with {@code sk_test_fault_503} get a 503. */
  private static final String FAULT_KEY = "sk_test_fault_";

  private interface Operation {
    Json run(Merchant merchant, Map<String, String> arguments, Json.Obj body);
  }

  /** Segments of the path in braces are arguments, like the parameters of the query. */
  private record Route(String method, String path, int status, List<String> query, Rule body, Operation operation) {
    /** Arguments in the path, or null if it's another path. */
    Map<String, String> match(String actualMethod, String rawPath) {
      String[] expected = path.split("/");
      String[] actual = rawPath.split("/", -1);
      if (!method.equals(actualMethod) || actual.length != expected.length) return null;
      Map<String, String> arguments = new HashMap<>();
      for (int i = 0; i < actual.length; i++) {
        boolean argument = expected[i].startsWith("{");
        if (argument) arguments.put(expected[i].replaceAll("[{}]", ""), decode(actual[i].replace("+", "%2B")));
        else if (!expected[i].equals(actual[i])) return null;
      }
      return arguments;
    }
  }

  private final Map<String, Merchant> merchants;
  private final List<Route> routes;

  Api(Map<String, Merchant> merchants, Payments payments, Payouts payouts) {
    this.merchants = merchants;
    routes = List.of(
        post("/payments", 200, Rule.PAYMENT, (merchant, arguments, body) -> payments.create(merchant, body)),
        get("/payments", List.of("transaction_id", "merchant_order_id"), this::findPayment),
        get("/payments/{transaction_id}", List.of(), (merchant, arguments, body) ->
            merchant.payments.byId(arguments.get("transaction_id")).body()),
        post("/payments/{transaction_id}/clarify", 200, Rule.CLARIFICATION, (merchant, arguments, body) ->
            payments.clarify(merchant.payments.byId(arguments.get("transaction_id")), body.object("clarify_data"))),
        post("/payments/{transaction_id}/confirm", 200, Rule.CONFIRMATION, (merchant, arguments, body) ->
            payments.confirm(merchant.payments.byId(arguments.get("transaction_id")), body.object("confirm_data"))),
        get("/merchant/balance", List.of(), (merchant, arguments, body) -> merchant.wallet.toJson(merchant.id)),
        post("/payouts", 201, Rule.PAYOUT, (merchant, arguments, body) -> payouts.create(merchant, body)),
        get("/payouts/{payout_id}", List.of(), (merchant, arguments, body) ->
            merchant.payouts.byId(arguments.get("payout_id")).body()),
        // The contract doesn't have these two. They advance or decline a transaction that a test customer holds.
        post("/test/payments/{id}", 200, Rule.TEST_STEP, (merchant, arguments, body) ->
            payments.step(merchant.payments.byId(arguments.get("id")), body.text("decline_reason"))),
        post("/test/payouts/{id}", 200, Rule.TEST_STEP, (merchant, arguments, body) ->
            payouts.step(merchant.payouts.byId(arguments.get("id")), body.text("decline_reason"))));
  }

  void handle(HttpExchange exchange) throws IOException {
    String requestId = UUID.randomUUID().toString();
    exchange.getResponseHeaders().set("X-Request-Id", requestId);
    try (exchange) {
      try {
        respond(exchange);
      } catch (Problem problem) {
        sendProblem(exchange, problem, requestId);
      } catch (RuntimeException e) {
        e.printStackTrace();
        sendProblem(exchange, new Problem(Kind.INTERNAL_ERROR, "Repeat the request."), requestId);
      }
    }
  }

  private void respond(HttpExchange exchange) throws IOException {
    byte[] bytes = exchange.getRequestBody().readNBytes(MAX_READ);
    Merchant merchant = authenticate(exchange.getRequestHeaders().getFirst("Authorization"));
    for (Route route : routes) {
      Map<String, String> arguments = route.match(exchange.getRequestMethod(), exchange.getRequestURI().getRawPath());
      if (arguments == null) continue;
      checkLengths("path", arguments);
      arguments.putAll(query(exchange.getRequestURI().getRawQuery(), route.query()));
      String contentType = exchange.getRequestHeaders().getFirst("Content-Type");
      Json.Obj body = route.body() == null ? null : body(contentType, bytes, route.body());
      Json response = merchant.locked(() -> route.operation().run(merchant, arguments, body));
      send(exchange, route.status(), "application/json", response);
      return;
    }
    throw new Problem(Kind.NOT_FOUND, "The API has no such operation.");
  }

  private Merchant authenticate(String authorization) {
    String key = authorization == null ? "" : authorization.replaceFirst("(?i)^Bearer +", "");
    if (key.isEmpty() || key.equals(authorization)) {
      throw new Problem(Kind.UNAUTHORIZED, "Send `Authorization: Bearer <key>`.");
    }
    for (Kind fault : List.of(Kind.RATE_LIMITED, Kind.INTERNAL_ERROR, Kind.UNAVAILABLE)) {
      if (key.equals(FAULT_KEY + fault.status)) throw new Problem(fault, "The API key of this request asks for it.");
    }
    if (merchants.containsKey(key)) return merchants.get(key);
    throw new Problem(Kind.UNAUTHORIZED, "No merchant has this API key.");
  }

  private Json findPayment(Merchant merchant, Map<String, String> arguments, Json.Obj body) {
    if (arguments.size() != 1) throw Problem.invalid("query", "", "must have one parameter");
    String orderId = arguments.get("merchant_order_id");
    if (orderId != null) return merchant.payments.byOrderId(orderId).body();
    return merchant.payments.byId(arguments.get("transaction_id")).body();
  }

  private static Json.Obj body(String contentType, byte[] bytes, Rule rule) {
    if (bytes.length > MAX_BODY) throw new Problem(Kind.BODY_TOO_LARGE, "Send at most " + MAX_BODY + " bytes.");
    if (bytes.length == 0) throw Problem.invalid("body", "", "is missing");
    if (contentType == null || !contentType.matches("(?i)application/json *(;.*)?")) {
      throw new Problem(Kind.UNSUPPORTED_MEDIA_TYPE, "Send JSON with `Content-Type: application/json`.");
    }
    Json body = JsonParser.parse(bytes);
    List<Problem.Violation> violations = new ArrayList<>();
    rule.check(body, "", violations);
    if (!violations.isEmpty()) throw Problem.invalid(violations);
    return (Json.Obj) body;
  }

  private static Map<String, String> query(String rawQuery, List<String> known) {
    Map<String, String> query = new HashMap<>();
    for (String parameter : rawQuery == null || rawQuery.isEmpty() ? new String[0] : rawQuery.split("&")) {
      String[] nameAndValue = (parameter + "=").split("=", 3);
      String name = decode(nameAndValue[0]);
      if (!known.contains(name)) throw Problem.invalid("query", "/" + name, "is not a parameter of this operation");
      boolean repeated = query.put(name, decode(nameAndValue[1])) != null;
      if (repeated) throw Problem.invalid("query", "/" + name, "is given twice");
    }
    checkLengths("query", query);
    return query;
  }

  private static void checkLengths(String in, Map<String, String> arguments) {
    arguments.forEach((name, value) -> {
      boolean fits = !value.isEmpty() && value.codePointCount(0, value.length()) <= Rule.MAX_TEXT;
      if (!fits) throw Problem.invalid(in, "/" + name, "must have 1 to " + Rule.MAX_TEXT + " characters");
    });
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notEncoded) {
      return text;
    }
  }

  private static void sendProblem(HttpExchange exchange, Problem problem, String requestId) throws IOException {
    var headers = exchange.getResponseHeaders();
    headers.set("Connection", "close");
    if (problem.kind == Kind.UNAUTHORIZED) headers.set("WWW-Authenticate", "Bearer realm=\"payments\"");
    if (problem.kind == Kind.RATE_LIMITED) headers.set("Retry-After", "1");
    if (problem.kind == Kind.UNAVAILABLE) {
      ZonedDateTime soon = ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(2);
      headers.set("Retry-After", DateTimeFormatter.RFC_1123_DATE_TIME.format(soon));
    }
    send(exchange, problem.kind.status, "application/problem+json", problem.toJson(requestId));
  }

  private static void send(HttpExchange exchange, int status, String type, Json body) throws IOException {
    byte[] bytes = body.write().getBytes(StandardCharsets.US_ASCII);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static Route get(String path, List<String> query, Operation operation) {
    return new Route("GET", path, 200, query, null, operation);
  }

  private static Route post(String path, int status, Rule body, Operation operation) {
    return new Route("POST", path, status, List.of(), body, operation);
  }
}
