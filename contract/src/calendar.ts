const DAY = /^\d{4}-\d\d-\d\d$/;

/** Whether it is a day that exists, such as 2026-03-02. `Date.parse` takes 2026-02-30 for March 2. */
export function isDay(text: string): boolean {
  const time = DAY.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
