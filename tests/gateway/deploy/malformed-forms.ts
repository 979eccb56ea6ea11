/** Malformed requests whose end a proxy and the gateway could read differently. Each ends with a hidden request. */

/** A path that proxies don't forward, so only a hidden request can reach it. */
export const HIDDEN_PATH = '/metrics';

const HIDDEN = `GET ${HIDDEN_PATH} HTTP/1.1\r\nHost: a\r\n\r\n`;
const CHUNKS_THEN_HIDDEN = `0\r\n\r\n${HIDDEN}`;
const HIDDEN_CHUNK = `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`;
/** The length of the chunk-size line. */
const SIZE_LINE = HIDDEN_CHUNK.indexOf('\r\n') + 2;

const CODINGS: Readonly<Record<string, string>> = {
  chunked: 'Transfer-Encoding: chunked',
  'upper case': 'Transfer-Encoding: CHUNKED',
  'space before the colon': 'Transfer-Encoding : chunked',
  'tab before the colon': 'Transfer-Encoding\t: chunked',
  'tab before the value': 'Transfer-Encoding:\tchunked',
  'vertical tab before the value': 'Transfer-Encoding:\x0bchunked',
  'form feed after the value': 'Transfer-Encoding: chunked\x0c',
  'NUL after the value': 'Transfer-Encoding: chunked\0',
  'NUL in the name': 'Transfer-Encoding\0: chunked',
  'leading space': ' Transfer-Encoding: chunked',
  folded: 'Transfer-Encoding:\r\n chunked',
  'folded header before': 'X-Folded: a\r\n b\r\nTransfer-Encoding: chunked',
  'bare LF before': 'X-Bare: a\nTransfer-Encoding: chunked',
  'bare CR before': 'X-Bare: a\rTransfer-Encoding: chunked',
  'CR at the start of the line': 'X-Bare: a\r\n\rTransfer-Encoding: chunked',
  'unknown coding': 'Transfer-Encoding: x-chunked',
  'identity first': 'Transfer-Encoding: identity, chunked',
  'identity last': 'Transfer-Encoding: chunked, identity',
  'gzip first': 'Transfer-Encoding: gzip, chunked',
  'empty element': 'Transfer-Encoding: , chunked',
  'trailing comma': 'Transfer-Encoding: chunked,',
  quoted: 'Transfer-Encoding: "chunked"',
  'with a parameter': 'Transfer-Encoding: chunked;a=b',
  repeated: 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
  'repeated with another': 'Transfer-Encoding: chunked\r\nTransfer-Encoding: cow',
  underscore: 'Transfer_Encoding: chunked',
};

/** Writes the header lines for a length. */
const LENGTHS: Readonly<Record<string, (length: number) => string>> = {
  'a sign': (length) => `Content-Length: +${length}`,
  'a negative length': (length) => `Content-Length: -${length}`,
  hexadecimal: (length) => `Content-Length: 0x${length.toString(16)}`,
  'a list of equal lengths': (length) => `Content-Length: ${length}, ${length}`,
  'a list of different lengths': (length) => `Content-Length: 0, ${length}`,
  'equal lengths': (length) => `Content-Length: ${length}\r\nContent-Length: ${length}`,
  'zero, then the length': (length) => `Content-Length: 0\r\nContent-Length: ${length}`,
  'the length, then zero': (length) => `Content-Length: ${length}\r\nContent-Length: 0`,
  'a space before the colon': (length) => `Content-Length : ${length}`,
  'a vertical tab': (length) => `Content-Length:\x0b${length}`,
  'a NUL': (length) => `Content-Length: ${length}\0`,
  'a fold': (length) => `Content-Length:\r\n ${length}`,
  'two numbers': (length) => `Content-Length: ${length} 0`,
  'an exponent': () => 'Content-Length: 1e2',
  'leading zeros': (length) => `Content-Length: 000${length}`,
  'no number': () => 'Content-Length: ',
  'a semicolon': (length) => `Content-Length: ${length};`,
  'more than 64 bits': (length) => `Content-Length: ${2n ** 64n + BigInt(length)}`,
  'an underscore': (length) => `Content_Length: ${length}`,
};

const START = ['POST /payments HTTP/1.1', 'Host: a', 'Content-Type: application/json'];

/** The exact text sent for each. */
export const MALFORMED_FORMS: readonly (readonly [name: string, bytes: string])[] = [
  ...Object.entries(CODINGS).flatMap(([name, coding]): [string, string][] => [
    [
      `the length covers a hidden request, coding ${name}`,
      message([...START, `Content-Length: ${CHUNKS_THEN_HIDDEN.length}`, coding], CHUNKS_THEN_HIDDEN),
    ],
    [
      `the coding covers a hidden request, coding ${name}`,
      message([...START, coding, `Content-Length: ${SIZE_LINE}`], HIDDEN_CHUNK),
    ],
  ]),
  ...Object.entries(LENGTHS).map(([name, lengthOf]): [string, string] => [
    `a length with ${name}`,
    message([...START, lengthOf(HIDDEN.length)], HIDDEN),
  ]),
  [
    'HTTP/1.0 with chunks',
    message(['POST /payments HTTP/1.0', 'Connection: keep-alive', 'Transfer-Encoding: chunked'], HIDDEN_CHUNK),
  ],
  [
    'a GET with a body',
    message(['GET /merchant/balance HTTP/1.1', 'Host: a', `Content-Length: ${HIDDEN.length}`], HIDDEN),
  ],
  ['a request line of two requests', message([`GET /merchant/balance HTTP/1.1 GET ${HIDDEN_PATH}`, 'Host: a'], HIDDEN)],
  ['a chunk size with a sign', chunked(`+${HIDDEN_CHUNK}`)],
  ['a chunk size with a prefix', chunked(`0x${HIDDEN_CHUNK}`)],
  ['a chunk size over 64 bits', chunked(`1${'0'.repeat(16)}${HIDDEN_CHUNK}`)],
  ['a chunk that ends with LF', chunked(`1\n{\n${CHUNKS_THEN_HIDDEN}`)],
  ['a chunk extension with LF', chunked(`1;a\nb\r\n{\r\n${CHUNKS_THEN_HIDDEN}`)],
  ['a chunk longer than its size', chunked(`1\r\n{}\r\n${CHUNKS_THEN_HIDDEN}`)],
  ['a trailer with a length', chunked(`0\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`)],
];

function message(lines: readonly string[], body: string): string {
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

function chunked(body: string): string {
  return message([...START, 'Transfer-Encoding: chunked'], body);
}
