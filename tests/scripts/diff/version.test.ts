/** The version proposal, the report and what the release refuses. */
import { describe, expect, it } from 'vitest';
import type { Bundle } from '../../../contract/src/model.ts';
import { compareDocuments } from '../../../scripts/diff/document.ts';
import { asReleased, isReleased, refusal, releasedSources } from '../../../scripts/diff/release.ts';
import { report } from '../../../scripts/diff/report.ts';
import { entries, judge } from '../../../scripts/diff/version.ts';
import { all, type Edit, edited, schema, set } from './documents.ts';
import { LOST_FIELD } from './schema-cases.ts';

const EDITORIAL = set('/info/description', 'Read on.');
const ADDITIVE = set(schema('Balance', 'properties', 'note'), { type: 'string' });
const BASE = edited(version('1.4.2'));

function version(text: string): Edit {
  return set('/info/version', text);
}

function log(...versions: string[]): string {
  return ['# Changelog', ...versions.map((one) => `## ${one} (2026-11-21)\n\nText.\n`)].join('\n\n');
}

function verdict(present: string, edits: Edit[], changelog = log(present)) {
  const revision = edited(version(present), ...edits);
  return judge(BASE, revision, compareDocuments(BASE, revision), changelog);
}

describe('the proposed version', () => {
  it.each([
    { kind: 'a break', edits: [LOST_FIELD], proposed: '2.0.0' },
    { kind: 'an addition', edits: [ADDITIVE], proposed: '1.5.0' },
    { kind: 'other words', edits: [EDITORIAL], proposed: '1.4.3' },
    { kind: 'a break among others', edits: [ADDITIVE, EDITORIAL, LOST_FIELD], proposed: '2.0.0' },
    { kind: 'nothing', edits: [], proposed: '1.4.2' },
  ])('after $kind is $proposed', ({ edits, proposed }) => {
    expect(verdict('1.4.2', edits).proposed).toBe(proposed);
  });

  it.each([
    { present: '1.4.2', enough: false },
    { present: '1.4.10', enough: false },
    { present: '1.4.2-dev', enough: false },
    { present: '1.5.0', enough: true },
    { present: '1.5.0-dev', enough: true },
    { present: '1.10.0', enough: true },
    { present: '2.0.0', enough: true },
  ])('after an addition is met by $present: $enough', ({ present, enough }) => {
    expect(verdict(present, [ADDITIVE]).enough).toBe(enough);
  });

  it('is not met by a version below the released one, even when nothing has changed', () => {
    expect(verdict('1.4.1', []).enough).toBe(false);
    expect(verdict('1.4.2-dev', []).enough).toBe(false);
  });

  it('needs versions of three numbers', () => {
    expect(() => verdict('1.5', [ADDITIVE])).toThrow("info.version is '1.5'. Write it as MAJOR.MINOR.PATCH");
  });
});

describe('the report', () => {
  const show = (present: string, edits: Edit[], changelog?: string) => {
    const revision = edited(version(present), ...edits);
    return report(compareDocuments(BASE, revision), verdict(present, edits, changelog));
  };

  it('groups changes by gravity and ends with the next step', () => {
    expect(show('1.4.2', [ADDITIVE, EDITORIAL]).split('\n')).toEqual([
      'Additive (1)',
      '  optional field note added (getBalance 200)',
      '    at /components/schemas/Balance/properties/note',
      '',
      'Editorial (1)',
      '  info description changed',
      '    at /info/description',
      '',
      'Next version: 1.5.0 (released 1.4.2, info.version 1.4.2)',
      'CHANGELOG.md begins with 1.4.2, like info.version.',
      '',
      'info.version 1.4.2 is too low for these changes.',
      "Next: set it to 1.5.0-dev in openapi/openapi.yaml, and begin CHANGELOG.md with an entry '## 1.5.0 (unreleased)'.",
    ]);
  });

  it('says why something breaks and shortens the list of messages', () => {
    const text = show('2.0.0', [set(schema('AmountPaid', 'minimum'), 0)]);
    expect(text).toContain('    breaks: Readers get messages that the released document ruled out.');
    expect(text).toMatch(/minimum: 1 → 0 \([^,)]+, [^,)]+, [^,)]+ and \d+ more\)/);
  });

  it('says that nothing has changed', () => {
    expect(show('1.4.2', [])).toContain('Nothing has changed since the release.');
  });

  it('compares the changelog with the version that is being worked on', () => {
    expect(show('1.5.0-dev', [ADDITIVE], log('1.5.0'))).toContain('CHANGELOG.md begins with 1.5.0, like info.version.');
  });

  it('says that the changelog is behind', () => {
    expect(show('1.5.0', [ADDITIVE], log('1.4.2'))).toContain('CHANGELOG.md begins with 1.4.2, info.version is 1.5.0.');
    expect(show('1.5.0', [ADDITIVE], '')).toContain('CHANGELOG.md begins with no version');
  });
});

describe('the changelog', () => {
  it('has its versions read from its headings only', () => {
    expect(entries('# Changelog\n\n## 2.0.0 (2026-12-01)\n\nsee 1.9.9\n\n### 1.5.0\n\n## 1.0.0\n')).toEqual([
      '2.0.0',
      '1.0.0',
    ]);
  });
});

describe('a release', () => {
  const refused = (released: Bundle | undefined, present: string, edits: Edit[], replace = false) =>
    refusal(released, edited(version(present), ...edits), log('1.5.0', '1.4.2'), replace);

  it('is admitted with version and changelog entry', () => {
    expect(refused(BASE, '1.5.0', [ADDITIVE])).toBeUndefined();
  });

  it('is admitted when there was none before', () => {
    expect(refused(undefined, '1.4.2', [])).toBeUndefined();
  });

  it('is refused when the version is too low for the changes', () => {
    expect(refused(BASE, '1.5.0', [LOST_FIELD])).toContain('set it to 2.0.0');
  });

  it('is refused without an entry in the changelog', () => {
    expect(refused(BASE, '2.0.0', [LOST_FIELD])).toContain('CHANGELOG.md has no entry for 2.0.0');
  });

  it('replaces a version only with the same version, and only when asked to', () => {
    expect(refused(BASE, '1.4.2', [LOST_FIELD])).toContain('too low');
    expect(refused(BASE, '1.4.2', [LOST_FIELD], true)).toBeUndefined();
    expect(refused(BASE, '1.5.0', [LOST_FIELD], true)).toContain('too low');
  });

  it('removes the mark of a version that is not released yet, and dates the changelog', () => {
    const sources = releasedSources(
      'info:\n  title: T\n  version: 1.5.0-dev\n',
      '# Changelog\n\n## 1.5.0 (unreleased)\n\n## 1.4.2 (2026-01-01)\n',
      '1.5.0-dev',
      '2026-02-03',
    );
    expect(sources.document).toBe('info:\n  title: T\n  version: 1.5.0\n');
    expect(sources.changelog).toContain('\n## 1.5.0 (2026-02-03)\n\n## 1.4.2 (2026-01-01)\n');
    expect(asReleased(edited(version('1.5.0-dev')))).toEqual(edited(version('1.5.0')));
  });

  it('is there already when the document is the same', () => {
    expect(isReleased(BASE, edited(version('1.4.2')))).toBe(true);
    expect(isReleased(BASE, edited(all(version('1.4.2'), EDITORIAL)))).toBe(false);
  });
});
