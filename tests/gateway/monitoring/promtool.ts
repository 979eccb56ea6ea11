/** The tool of Prometheus, if installed: on Debian, in the package `prometheus`. */
import { installed } from '../../tools/installed.ts';

export const PROMTOOL = installed('promtool');

/** The reason for a skipped test, for its name. */
export const WITHOUT_PROMTOOL = PROMTOOL
  ? ''
  : ' (skipped, since promtool is not installed: apt-get install prometheus)';
