import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AddressFamily, createBlockList, parseCidr, readFamily } from '../../../gateway/src/platform/cidr.ts';

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

  it('is refused unless its prefix length is a valid integer for its family, without leading zeros', () => {
    const bits = fc.oneof(fc.string({ maxLength: 4 }), fc.nat(400).map(String), fc.constantFrom('', '00', '08', '+8'));
    fc.assert(
      fc.property(family, bits, (one, text) => {
        const zero = one === 'ipv4' ? '0.0.0.0' : '::';
        const sound = String(Number(text)) === text && /^\d+$/.test(text) && Number(text) <= WIDTHS[one];
        if (sound) expect(parseCidr(`${zero}/${text}`).prefix).toBe(Number(text));
        else expect(() => parseCidr(`${zero}/${text}`)).toThrow('is not a CIDR: ');
      }),
      { numRuns: 500 },
    );
  });

  it('never throws another error or returns a range for other strings', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789abf.:/% -x') }), (text) => {
        let cidr: ReturnType<typeof parseCidr>;
        try {
          cidr = parseCidr(text);
        } catch (error) {
          expect((error as Error).message).toMatch(/^'.*' is not a CIDR: /);
          return;
        }
        expect(readFamily(cidr.network)).toBe(cidr.family);
        expect(cidr.prefix).toBe(text.includes('/') ? Number(text.split('/')[1]) : WIDTHS[cidr.family]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('stands for one address without a prefix length', () => {
    expect(parseCidr('10.1.2.3')).toEqual({ network: '10.1.2.3', prefix: 32, family: 'ipv4' });
    expect(parseCidr('::1')).toEqual({ network: '::1', prefix: 128, family: 'ipv6' });
  });
});
