/** Commands for a shell, to be copied. */

/** The key is written as a placeholder: the console never has it. */
const KEY = 'YOUR_API_KEY';

/**
 * A request as a command. @param {string} method @param {string} url @param {unknown} [body]
 */
export function curl(method, url, body) {
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} ${quote(url)}`, `-H 'Authorization: Bearer ${KEY}'`];
  if (body !== undefined) lines.push("-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}

/** A word of a command, in quotes. What others have sent stays one word. @param {string} text */
function quote(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A word of a command, in quotes if it needs them. @param {string} text */
export function word(text) {
  return /^[\w./:-]+$/.test(text) ? text : quote(text);
}
