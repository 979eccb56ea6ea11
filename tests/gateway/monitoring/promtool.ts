/** Prometheus and its tool, where they are installed: on Debian, in the package `prometheus`. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

function installed(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

export const PROMTOOL = installed('promtool');
export const PROMETHEUS = installed('prometheus');

/** Says in a test's name why it is skipped. */
export const WITHOUT_PROMTOOL = PROMTOOL
  ? ''
  : ' (skipped, since promtool is not installed: apt-get install prometheus)';
