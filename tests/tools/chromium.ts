/** Chromium from npm, for Linux on x64. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import rootPackage from '../../package.json' with { type: 'json' };
import { ROOT, run } from '../../scripts/tools/process.ts';

const CACHE = join(ROOT, 'node_modules/.cache');
/** As private as the packages, unlike a file in /tmp, whose name another user could take first. */
const FOLDER = join(CACHE, `chromium-${rootPackage.devDependencies['@sparticuz/chromium']}`);
const UNPACK = fileURLToPath(new URL('unpack-chromium.ts', import.meta.url));
const SYSTEM_FONTS = '/etc/fonts/fonts.conf';
/** Declares the fonts next to it. The package's own file expects them in /tmp. */
const FONTS = `<?xml version="1.0"?>
<fontconfig><dir prefix="relative">fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
`;
/** The folder to which the package unpacks system libraries for Chromium. */
const LAMBDA = { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };

export interface Chromium {
  readonly executablePath: string;
  /** Environment variables for its start. */
  readonly env: Readonly<Record<string, string>>;
}

/** Unpacks Chromium unless it is unpacked. */
export async function unpackedChromium(): Promise<Chromium> {
  if (!existsSync(FOLDER)) await unpack();
  const executablePath = join(FOLDER, 'chromium');
  const { stdout } = await run('ldd', [executablePath]);
  // Prefers the system's libraries and fonts.
  const env = {
    ...(stdout.includes('not found') && { LD_LIBRARY_PATH: join(FOLDER, 'al2023/lib') }),
    ...(!existsSync(SYSTEM_FONTS) && { FONTCONFIG_PATH: join(FOLDER, 'fonts') }),
  };
  return { executablePath, env };
}

/** Other workers may unpack concurrently, so the folder is moved into place. */
async function unpack(): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const unpacked = await mkdtemp(join(CACHE, 'unpacked-'));
  try {
    await run(process.execPath, [UNPACK], { env: { ...LAMBDA, TMPDIR: unpacked } });
    await writeFile(join(unpacked, 'fonts/fonts.conf'), FONTS);
    await rename(unpacked, FOLDER).catch((error: unknown) => {
      if (!existsSync(FOLDER)) throw error;
    });
  } finally {
    await rm(unpacked, { recursive: true, force: true });
  }
}
