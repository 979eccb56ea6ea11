/** Strings that the contract allows and programs often mishandle. */
import fc from 'fast-check';

export interface Sample {
  /** Part of the ids of checks. */
  readonly name: string;
  /** The characters in words. */
  readonly title: string;
  readonly text: string;
}

const NAME = 'Zoë Ångström';
const RANDOM = 2;
const RANDOM_LENGTH_MAX = 40;
const CART = '🛒';

const SAMPLES: readonly Sample[] = [
  { name: 'capitals-and-digits', title: 'capitals and digits', text: 'AbC-007_1e5.Z' },
  { name: 'punctuation', title: 'all punctuation of ASCII', text: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~' },
  { name: 'composed', title: 'composed letters', text: NAME.normalize('NFC') },
  { name: 'decomposed', title: 'decomposed letters', text: NAME.normalize('NFD') },
  { name: 'right-to-left', title: 'letters from right to left', text: 'فاطمة ٤٢' },
  { name: 'devanagari', title: 'letters of Devanagari', text: 'आशा राव' },
  { name: 'emoji', title: 'emoji of several code points', text: '👩‍👩‍👧‍👦🇮🇳' },
  { name: 'sql', title: 'quotes and comments of SQL', text: "x'); drop table payments;-- %_" },
  { name: 'json', title: 'escapes of JSON', text: '{"a":"\\u0041\\"}' },
  { name: 'url', title: 'escapes of URLs', text: 'a/../b?c=d&e=%2F%00#f+g;h' },
  { name: 'html', title: 'HTML markup', text: '<b onclick="x">&amp;</b>' },
  { name: 'spaces', title: 'spaces at both ends, tabs and line feeds', text: ' \t two  spaces\r\n ' },
  { name: 'blank', title: 'spaces only', text: '   ' },
  { name: 'null', title: 'the word null', text: 'null' },
  { name: 'control', title: 'control characters', text: '\u0001\u001f\u007f\u0085\u2028\ufeff' },
];

const LONGEST = 'longest';
const LONGEST_EMOJI = 'longest-emoji';

const SURROGATES = { first: 0xd800, count: 0x800 };
const CODE_POINT_MAX = 0x10ffff;

/**
 * Any code point, as fast-check's `unit: 'binary'`, with the same values for a seed. That one finds the number of a
 * character in a table of all of them, whose making takes a run of the kit two seconds.
 */
const CODE_POINT = fc.nat(CODE_POINT_MAX - SURROGATES.count).map(
  (number) => String.fromCodePoint(number < SURROGATES.first ? number : number + SURROGATES.count),
  (character) => {
    const [one, ...others] = String(character);
    if (one === undefined || others.length > 0) throw new Error('not a single character');
    const number = Number(one.codePointAt(0));
    return number < SURROGATES.first ? number : number - SURROGATES.count;
  },
);

/** The samples, and others that the seed selects, each at most this long in code points. The last two are this long. */
export function samples(seed: number, lengthMax: number): Sample[] {
  const texts = fc.string({ unit: CODE_POINT, minLength: 1, maxLength: RANDOM_LENGTH_MAX });
  const random = fc.sample(texts, { seed, numRuns: RANDOM }).map((text, index): Sample => {
    return {
      name: `random-${index + 1}`,
      title: 'random characters',
      text: `~${text.replaceAll('\0', '')}`,
    };
  });
  return [
    ...SAMPLES,
    ...random,
    { name: LONGEST, title: `${lengthMax} characters`, text: 'x'.repeat(lengthMax) },
    { name: LONGEST_EMOJI, title: `${lengthMax} emoji`, text: CART.repeat(lengthMax) },
  ];
}

/** Makes the text unique, within the length in code points. */
export function uniqueText(unique: string, text: string, lengthMax: number): string {
  return [...(text.slice(0, 1).trim() === '' ? text : ''), ...unique, ...text].slice(0, lengthMax).join('');
}

export interface Pair {
  readonly name: string;
  readonly title: string;
  /** Makes two order IDs from a new one. */
  readonly write: (order: string) => readonly [one: string, other: string];
}

const ending = (one: string, other: string) => (order: string) => [`${order}${one}`, `${order}${other}`] as const;

/** Pairs of order IDs that only a program which compares loosely takes for one. */
export const PAIRS: readonly Pair[] = [
  { name: 'case', title: 'in case', write: ending('-a', '-A') },
  { name: 'trailing-space', title: 'in a space at the end', write: ending('', ' ') },
  {
    name: 'normalization',
    title: 'in their normalization',
    write: ending(NAME.normalize('NFC'), NAME.normalize('NFD')),
  },
  { name: 'accent', title: 'in an accent', write: ending('-e', '-é') },
  { name: 'width', title: 'in the width of a digit', write: ending('-1', '-１') },
  { name: 'emoji', title: 'in an emoji', write: ending('-🛒', '-🍣') },
  { name: 'plus', title: 'in a plus sign and a space', write: ending('-a+b', '-a b') },
  { name: 'percent', title: 'in a URL escape', write: ending('-a%20b', '-a b') },
  {
    name: 'leading-zero',
    title: 'in a zero before digits',
    write: () => {
      const digits = String(Date.now());
      return [digits, `0${digits}`];
    },
  },
];
