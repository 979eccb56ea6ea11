package payments;

import java.time.*;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/** Timestamps of the contract: RFC 3339 in UTC, with microseconds and a numeric offset. */
final class Timestamps {
  private static final DateTimeFormatter FORM = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSSxxx");

  private Timestamps() {}

  static Instant now() { return Instant.now().truncatedTo(ChronoUnit.MICROS); }

  static String format(Instant time) { return FORM.format(time.atOffset(ZoneOffset.UTC)); }
}
