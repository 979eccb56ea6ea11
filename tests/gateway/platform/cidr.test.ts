import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AddressFamily, createBlockList, parseCidr } from '../../../gateway/src/platform/cidr.ts';

const WIDTHS: Record<AddressFamily, number> = { ipv4: 32, ipv6: 128 };

/** Formats an integer as an address. Uses BigInt, so that it shares no code with the parser. */
function toAddress(integer: bigint, family: AddressFamily): string {
  const [parts, bits, radix, mark] = family === 'ipv4' ? [4, 8n, 10, '.'] : [8, 16n, 16, ':'];
  const all = Array.from({ length: Number(parts) }, (_, index) => {
    const shift = BigInt(Number(parts) - 1 - index) * BigInt(bits);
    return ((integer >> shift) & ((1n << BigInt(bits)) - 1n)).toString(Number(radix));
  });
  return all.join(String(mark));
}

const family = fc.constantFrom<AddressFamily>('ipv4', 'ipv6');
/** A family, an address, a prefix length, and another address. */
const drawn = family.chain((one) => {
  const integer = fc.bigInt({ min: 0n, max: (1n << BigInt(WIDTHS[one])) - 1n });
  return fc.record({ family: fc.constant(one), address: integer, prefix: fc.nat(WIDTHS[one]), other: integer });
});

const hostBits = (one: AddressFamily, prefix: number) => (1n << BigInt(WIDTHS[one] - prefix)) - 1n;

describe('a CIDR', () => {
  it('contains exactly the addresses that share its prefix', () => {
    fc.assert(
      fc.property(drawn, fc.boolean(), ({ family, address, prefix, other }, near) => {
        const host = hostBits(family, prefix);
        const network = address & ~host;
        // Two random addresses hardly ever share a long prefix.
        const probe = near ? network | (other & host) : other;
        const list = createBlockList([`${toAddress(network, family)}/${prefix}`]);
        expect(list.check(toAddress(probe, family), family)).toBe((probe & ~host) === network);
      }),
      { numRuns: 500 },
    );
  });

  it('refuses bits after the prefix, and names the intended network', () => {
    fc.assert(
      fc.property(drawn, ({ family, address, prefix }) => {
        fc.pre((address & hostBits(family, prefix)) !== 0n);
        let message = '';
        try {
          parseCidr(`${toAddress(address, family)}/${prefix}`);
        } catch (error) {
          ({ message } = error as Error);
        }
        const suggested = parseCidr(message.match(/Write (\S+),/)?.[1] ?? '');
        expect({ prefix: suggested.prefix, family: suggested.family }).toEqual({ prefix, family });
        expect(message).toContain('has bits after its prefix');
      }),
    );
  });

  it.each([
    ...['', 'shop.local', '10.0.0', '10.0.0.256', '10.0.0.0/8/8', '::1%lo', 'fe80::%1/64', '/8', ' 10.0.0.0'],
    ...['10.0.0.0/', '10.0.0.0/33', '::/129', '10.0.0.0/08', '10.0.0.0/+8', '10.0.0.0/-1', '10.0.0.0/8.0', '::/ 8'],
  ])('is not %j', (text) => {
    expect(() => parseCidr(text)).toThrow(`'${text}' is not a CIDR: `);
  });

  it('stands for one address without a prefix length', () => {
    expect(parseCidr('10.1.2.3')).toEqual({ network: '10.1.2.3', prefix: 32, family: 'ipv4' });
    expect(parseCidr('::1')).toEqual({ network: '::1', prefix: 128, family: 'ipv6' });
  });
});
