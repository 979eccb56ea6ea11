import { spawnSync } from 'node:child_process';

/** Whether a command is installed here. */
export function commandExists(name: string): boolean {
  const version = name === 'go' ? 'version' : '--version';
  return spawnSync(name, [version], { stdio: 'ignore' }).status === 0;
}
