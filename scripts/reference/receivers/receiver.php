<?php
// Run it with: php -S localhost:3000 receiver.php
[$prefix, $encoded] = explode('_', getenv('WEBHOOK_SECRET') ?: '', 2) + ['', ''];
if ($prefix !== 'whsec' || $encoded === '') {
    throw new RuntimeException('Set WEBHOOK_SECRET to the signing secret, whsec_…');
}
const TOLERANCE_SECONDS = 5 * 60;
const BODY_BYTES_MAX = 1_048_576;

function reasonToRefuse(array $headers, string $body, string $secret): ?string
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if ($id === '') {
        return 'webhook-id is missing';
    }
    if (!preg_match('/^[0-9]{1,12}$/D', $timestamp)) {
        return 'webhook-timestamp is not an integer';
    }
    $difference = abs(time() - (int) $timestamp);
    if ($difference > TOLERANCE_SECONDS) {
        return "the timestamp differs from this clock by $difference s";
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $secret, true));
    $given = $headers['{{signature}}'] ?? $headers['{{otherSignature}}'] ?? '';
    foreach (preg_split('/,?\s+/', $given) as $value) {
        if (hash_equals($expected, $value)) {
            return null;
        }
    }
    return 'no signature matches the body: check WEBHOOK_SECRET';
}

$body = file_get_contents('php://input', length: BODY_BYTES_MAX + 1);
if (strlen($body) > BODY_BYTES_MAX) {
    http_response_code(413);
    exit;
}
$headers = array_change_key_case(getallheaders());
$reason = reasonToRefuse($headers, $body, base64_decode($encoded));
if ($reason !== null) {
    http_response_code(401);
    error_log("refused: $reason");
    exit;
}
http_response_code(204);
$event = json_decode($body, true);
error_log("{$headers['webhook-id']} {$event['transaction_id']} {$event['status']}");
