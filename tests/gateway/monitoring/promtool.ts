/** Prometheus and its tool, if installed: on Debian, in the package `prometheus`. */
import { installed } from '../../tools/installed.ts';

export const PROMTOOL = installed('promtool');
export const PROMETHEUS = installed('prometheus');

/** The reason for a skipped test, for its name. */
export const WITHOUT_PROMTOOL = PROMTOOL
  ? ''
  : ' (skipped, since promtool is not installed: apt-get install prometheus)';
