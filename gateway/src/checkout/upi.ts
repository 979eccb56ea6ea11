/** Paying with a UPI app: the link that opens it, and the same link as a QR code for a phone that scans it. */
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
  // Not by URLSearchParams: UPI apps show its plus signs, and not all of them decode the address.
  const query = Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `upi://pay?${query.join('&').replaceAll('%40', '@')}`;
}

/** The link as a QR code: dark on light in dark colors too, since cameras expect that. */
export function qrCode(link: string, label: string): Html {
  const { size, data } = encode(link, { ecc: 'M', border: 4 });
  const path = data.map((row, y) =>
    darkRuns(row)
      .map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)
      .join(''),
  );
  // An element with the role of an image has one name for everything in it.
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
