/** Paying with a UPI app: a link that opens it, and the same link as a QR code for a phone. */
import { encode } from 'uqr';
import { toDecimal } from '../../../contract/src/amounts.ts';
import { minorUnits } from '../../../generated/currencies.ts';
import { type Html, html } from '../http/html.ts';
import type { PageView } from './act-on-page.ts';

const UPI_ADDRESS = /^[\w.-]+@\w+([.-]\w+)*$/;

/** Link for UPI apps, by NPCI's specification; undefined unless the payment goes to a UPI address. */
export function upiLink({ payment, merchant, receiver = '' }: PageView): string | undefined {
  const { amount, currency, id } = payment;
  if (currency !== 'INR' || !UPI_ADDRESS.test(receiver)) return undefined;
  const values = { pa: receiver, pn: merchant, tr: id, am: toDecimal(amount, minorUnits[currency]), cu: currency };
  // URLSearchParams writes plus signs, which UPI apps show, and encodes the address, which not all apps decode.
  const query = Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `upi://pay?${query.join('&').replaceAll('%40', '@')}`;
}

/** The link as a QR code, dark on light even in dark mode, as cameras expect. */
export function qrCode(link: string, label: string): Html {
  const { size, data } = encode(link, { ecc: 'M', border: 4 });
  const path = data.map((row, y) =>
    darkRuns(row)
      .map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)
      .join(''),
  );
  // An image has one accessible name for all of its contents.
  return html`<div class="qr" role="img" aria-label="${label}"><svg aria-hidden="true" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path.join('')}"/></svg></div>`;
}

/** Runs of dark modules in a row. */
function darkRuns(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue;
    const start = x;
    while (row[x + 1]) x++;
    runs.push([start, x - start + 1]);
  }
  return runs;
}
