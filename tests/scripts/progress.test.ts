/** The progress shown by the repository's commands. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { showProgress } from '../../scripts/tools/progress.mjs';

describe('the progress of a command', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Installs 100 packages per second. */
  function install(seconds: number, isTTY: boolean): string {
    let printed = '';
    let packages = 0;
    const end = showProgress('Installing', {
      detail: () => `${packages} of 900 packages`,
      out: { isTTY, write: (text) => (printed += text) },
    });
    for (let second = 0; second < seconds; second += 1) {
      vi.advanceTimersByTime(1_000);
      packages += 100;
    }
    end();
    vi.advanceTimersByTime(60_000);
    return printed;
  }

  it('is silent within the first two seconds', () => {
    for (const isTTY of [true, false]) expect(install(1, isTTY)).toBe('');
  });

  it('prints a line every ten seconds to a log, then the total time', () => {
    expect(install(23, false).split('\n')).toEqual([
      'Installing, 100 of 900 packages, 2 s …',
      'Installing, 1100 of 900 packages, 12 s …',
      'Installing, 2100 of 900 packages, 22 s …',
      'Installing: done in 23 s',
      '',
    ]);
  });

  it('rewrites the line of a terminal every second', () => {
    expect(install(4, true).split('\r\x1b[2K')).toEqual([
      '',
      'Installing, 100 of 900 packages, 2 s …',
      'Installing, 200 of 900 packages, 3 s …',
      'Installing, 300 of 900 packages, 4 s …',
      'Installing: done in 4 s\n',
    ]);
  });
});
