import { describe, expect, it } from 'vitest';
import { AddressLimits, type Health, type Permit } from '../../../gateway/src/webhooks/address-limits.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { START } from '../harness/fixtures.ts';

const LIMITS = { perAddress: 16, total: 64, promptMs: 3_000 };
/** Of unknown addresses and of hanging ones, for one merchant. */
const PART_OF_MERCHANT = LIMITS.total / 4;

const QUICK = { responded: true, ms: 10 };
const LATE = { responded: true, ms: 3_000 };
const REFUSED = { responded: false, ms: 10 };

function createLimits() {
  const clock = new ManualClock(START);
  const limits = new AddressLimits(LIMITS, () => clock.now());
  const name = (address: string, merchantId = 1) => ({ merchantId, address });

  /** Begins attempts until the limit is reached. */
  function begin(address: string, { merchantId = 1, health }: { merchantId?: number; health?: Health } = {}): Permit[] {
    const of = name(address, merchantId);
    const permits: Permit[] = [];
    for (;;) {
      const now = health ?? limits.getHealth(of, false);
      if (limits.room(of, now) <= 0) return permits;
      const permit = limits.acquire(of, now);
      limits.begin(permit);
      permits.push(permit);
    }
  }

  function attempt(address: string, end: { responded: boolean; ms: number }, health: Health = 'unknown') {
    const permit = limits.acquire(name(address), limits.getHealth(name(address), health === 'hanging'));
    limits.begin(permit);
    const hangs = limits.adapt(permit, end);
    limits.end(permit);
    return hangs;
  }

  /** Raises the limit of an address to its maximum. */
  function raise(address: string): void {
    for (let i = 0; i < 2; i++) attempt(address, QUICK);
  }
  return { clock, limits, name, begin, attempt, raise };
}

function addresses(prefix: string, length: number): string[] {
  return Array.from({ length }, (_item, index) => `${prefix}-${index}`);
}

describe('the limit of an address', () => {
  it('grows from one to its maximum with each quick response, and falls to 8 after a slower one', () => {
    const { begin, limits, attempt } = createLimits();
    const limitOf = (address: string) => {
      const permits = begin(address);
      for (const permit of permits) limits.end(permit);
      return permits.length;
    };
    expect(limitOf('a')).toBe(1);
    for (const limit of [9, LIMITS.perAddress, LIMITS.perAddress]) {
      attempt('a', QUICK);
      expect(limitOf('a')).toBe(limit);
    }
    attempt('a', { responded: true, ms: 1_000 });
    expect(limitOf('a')).toBe(8);
  });

  it.each<[string, { responded: boolean; ms: number }, Health]>([
    ['a late response', LATE, 'hanging'],
    ['a time-out', { responded: false, ms: 15_000 }, 'hanging'],
    ['a refused connection', REFUSED, 'unknown'],
  ])('falls to one after %s, which is forgotten with the last attempt', (_name, end, health) => {
    const { limits, name, begin, raise } = createLimits();
    raise('a');
    const [first, ...others] = begin('a');
    limits.adapt(first as Permit, end);
    limits.end(first as Permit);
    expect(limits.getHealth(name('a'), false)).toBe(health);
    expect(begin('a')).toEqual([]);
    for (const permit of others) limits.end(permit);
    // Another process may have found out more.
    expect(limits.getHealth(name('a'), false)).toBe('unknown');
    expect(begin('a')).toHaveLength(1);
  });

  it('stays when a response becomes late after it has ended', () => {
    const { clock, limits, name, attempt, begin } = createLimits();
    attempt('a', QUICK);
    clock.advance(LIMITS.promptMs);
    expect(begin('a')).not.toEqual([]);
    limits.releaseLate();
    expect(limits.getHealth(name('a'), false)).toBe('prompt');
  });
});

describe('capacity', () => {
  it('is released by an attempt whose response is late, at an address that still gets no other', () => {
    const { clock, limits, name, begin } = createLimits();
    for (const address of addresses('hanging', PART_OF_MERCHANT)) expect(begin(address)).toHaveLength(1);
    clock.advance(2_999);
    limits.releaseLate();
    expect(begin('new')).toEqual([]);
    clock.advance(1);
    limits.releaseLate();
    expect(limits.getHealth(name('hanging-0'), false)).toBe('hanging');
    expect(begin('hanging-0')).toEqual([]);
    expect(begin('new')).toHaveLength(1);
  });

  it('is separate for prompt, unknown and hanging addresses', () => {
    const { begin, raise } = createLimits();
    raise('prompt');
    for (const health of ['hanging', 'unknown'] as const) {
      for (const address of addresses(health, PART_OF_MERCHANT)) expect(begin(address, { health })).toHaveLength(1);
      expect(begin('other', { health })).toEqual([]);
    }
    expect(begin('prompt')).toHaveLength(LIMITS.perAddress);
  });

  it.each<Health>(['prompt', 'unknown', 'hanging'])(
    'at %s addresses has a part for every merchant, whatever the others have taken',
    (health) => {
      const { begin } = createLimits();
      for (let merchantId = 1; merchantId <= 50; merchantId++)
        for (const address of addresses('a', 2)) expect(begin(address, { merchantId, health })).toHaveLength(1);
    },
  );
});
