/** Chromium from npm, for Linux on x64. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import rootPackage from '../../package.json' with { type: 'json' };
import { ROOT, run } from '../../scripts/tools/process.ts';

const CACHE = join(ROOT, 'node_modules/.cache');
/** As private as the packages, and without a name that another user could take first, as a file in /tmp has. */
const FOLDER = join(CACHE, `chromium-${rootPackage.devDependencies['@sparticuz/chromium']}`);
const UNPACK = fileURLToPath(new URL('unpack-chromium.ts', import.meta.url));
/** Where the package also unpacks the system libraries that Chromium needs. */
const LAMBDA = { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };

export interface Chromium {
  readonly executablePath: string;
  /** Variables to start it with. */
  readonly env: Readonly<Record<string, string>>;
}

/** Unpacks it unless that has been done. */
export async function unpackedChromium(): Promise<Chromium> {
  if (!existsSync(FOLDER)) await unpack();
  const executablePath = join(FOLDER, 'chromium');
  const { stdout } = await run('ldd', [executablePath]);
  // The system's own libraries fit its other libraries better.
  const env: Record<string, string> = stdout.includes('not found')
    ? { LD_LIBRARY_PATH: join(FOLDER, 'al2023/lib') }
    : {};
  return { executablePath, env };
}

/** Other workers may do the same: the folder appears at once and complete. */
async function unpack(): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const unpacked = await mkdtemp(join(CACHE, 'unpacked-'));
  try {
    await run(process.execPath, [UNPACK], { env: { ...LAMBDA, TMPDIR: unpacked } });
    await rename(unpacked, FOLDER).catch((error: unknown) => {
      if (!existsSync(FOLDER)) throw error;
    });
  } finally {
    await rm(unpacked, { recursive: true, force: true });
  }
}
