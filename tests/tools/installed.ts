/** Programs installed on this machine. */
import { accessSync, constants } from 'node:fs';
import { delimiter, resolve } from 'node:path';

/** The file of a program, by its path or from `PATH` and the administrators' program folders. */
export function installed(name: string): string | undefined {
  return [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin']
    .map((folder) => resolve(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
