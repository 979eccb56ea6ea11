# Run it with: rackup --port 3000 receiver.ru
require "json"
require "openssl"

prefix, encoded = ENV.fetch("WEBHOOK_SECRET", "").split("_", 2)
abort "Set WEBHOOK_SECRET to the signing secret, whsec_…" if prefix != "whsec" || encoded.to_s.empty?
SECRET = encoded.unpack1("m")
TOLERANCE_SECONDS = 5 * 60
BODY_BYTES_MAX = 1_048_576

def reason_to_refuse(env, body)
  id, timestamp = env["HTTP_WEBHOOK_ID"].to_s, env["HTTP_WEBHOOK_TIMESTAMP"].to_s
  return "webhook-id is missing" if id.empty?
  return "webhook-timestamp is not an integer" unless timestamp.match?(/\A[0-9]{1,12}\z/)
  difference = (Time.now.to_i - timestamp.to_i).abs
  return "the timestamp differs from this clock by #{difference} s" if difference > TOLERANCE_SECONDS
  content = "#{id}.#{timestamp}.".b + body
  expected = "v1," + [OpenSSL::HMAC.digest("SHA256", SECRET, content)].pack("m0")
  given = env["{{SIGNATURE}}"] || env["{{OTHER_SIGNATURE}}"] || ""
  matches = given.split(/,?\s+/).any? { |value| OpenSSL.secure_compare(value, expected) }
  matches ? nil : "no signature matches the body: check WEBHOOK_SECRET"
end

run lambda { |env|
  body = env["rack.input"]&.read(BODY_BYTES_MAX + 1).to_s.b
  next [413, {}, []] if body.bytesize > BODY_BYTES_MAX
  if (reason = reason_to_refuse(env, body))
    warn "refused: #{reason}"
    next [401, {}, []]
  end
  event = JSON.parse(body)
  puts [env["HTTP_WEBHOOK_ID"], event["transaction_id"], event["status"]].join(" ")
  [204, {}, []]
}
