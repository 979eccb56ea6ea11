/** Prometheus and its tool, where they are installed: on Debian, in the package `prometheus`. */
import { installed } from '../../tools/installed.ts';

export const PROMTOOL = installed('promtool');
export const PROMETHEUS = installed('prometheus');

/** Says in a test's name why it is skipped. */
export const WITHOUT_PROMTOOL = PROMTOOL
  ? ''
  : ' (skipped, since promtool is not installed: apt-get install prometheus)';
