/** The smallest text that shows a defect, so that a finding names the character and not the sentence around it. */
import fc from 'fast-check';
import type { Finding } from '../../core/finding.ts';

/** Each attempt creates a transaction. */
const ATTEMPTS_MAX = 20;

/** Judges a text. Unless `waits`, the service gets no time to find the transaction. */
type Judge = (text: string, waits: boolean) => Promise<Finding[]>;

/** Judges the text. Returns the findings of its shortest part that still has some. */
export async function judgeShortest(text: string, judge: Judge): Promise<Finding[]> {
  let findings = await judge(text, true);
  const characters = [...text];
  if (findings.length === 0 || characters.length < 2) return findings;
  let attempts = 0;
  const passes = async (some: readonly string[]): Promise<boolean> => {
    const shorter = some.join('');
    if (shorter === text) return false;
    if (shorter === '' || attempts === ATTEMPTS_MAX) return true;
    attempts += 1;
    const found = await judge(shorter, false).catch((): Finding[] => {
      // The findings so far are proven, so shrinking ends here.
      attempts = ATTEMPTS_MAX;
      return [];
    });
    if (found.length > 0) findings = found;
    return found.length === 0;
  };
  const texts = fc.array(fc.constantFrom(...new Set(characters)), { maxLength: characters.length });
  await fc.check(fc.asyncProperty(texts, passes), { examples: [[characters]], numRuns: 1 });
  return findings;
}
