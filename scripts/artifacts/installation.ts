/**
 * The documents' instructions to install the packages. Until they are published, anyone could register
 * their names, so readers install them from a clone.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../tools/process.ts';
import type { Artifact } from './artifact.ts';

/** Whether npm has the packages. After the first release, set it to true and run `npm run build`. */
export const PUBLISHED = false;

export const PACKAGES = ['client', 'conformance', 'contract', 'gateway'] as const;
export type PackageName = (typeof PACKAGES)[number];

/** The folder of the clone, as documents call it. */
const CLONE = 'payments-kit';
/** The commands of the repository that run a package's command. */
const SCRIPTS: Readonly<Partial<Record<PackageName, string>>> = {
  conformance: 'npm run verify --',
  gateway: 'npm run gateway --',
};

/** Documents with sections between `<!-- begin install … -->` and `<!-- end install -->`. */
const DOCUMENTS = [
  'client/README.md',
  'conformance/README.md',
  'contract/README.md',
  'gateway/README.md',
  'docs/operations.md',
  'docs/tour.md',
  'docs/tutorial-conforming-server.md',
];
const SECTION = /(<!-- begin install ([a-z ]+?)(?: in (\S+))? -->\n)[\s\S]*?(<!-- end install -->)/g;

/** The name of the file that `npm run package` writes. */
function formatTarball(name: PackageName): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, name, 'package.json'), 'utf8')) as { version: string };
  return `payments-${name}-${version}.tgz`;
}

/** The instruction to install packages in the reader's project, or in a new folder, with the commands. */
export function installSection(names: readonly PackageName[], folder?: string, published = PUBLISHED): string {
  const listed = names.map((name) => `\`payments-${name}\``).join(' and ');
  const where = folder === undefined ? 'in your project' : 'in a new folder';
  const files = names.map((name) => (published ? `payments-${name}` : `../${CLONE}/${formatTarball(name)}`));
  const project =
    folder === undefined ? [] : [`mkdir ${folder} && cd ${folder}`, 'npm init --yes && npm pkg set type=module'];
  const pack = `npm run package -- ${names.join(' ')}`;
  const commands = [...(published ? [] : [pack]), ...project, `npm install ${files.join(' ')}`];
  if (!published && folder === undefined) {
    const width = Math.max(...commands.map(({ length }) => length));
    const comments = ['in a clone of the repository', 'in your project, next to the clone'];
    for (const [index, comment] of comments.entries())
      commands[index] = `${commands[index]?.padEnd(width)}  # ${comment}`;
  }
  const instruction = published ? `Install ${listed} ${where}:` : `Pack ${listed}, and install the result ${where}:`;
  return `${instruction}\n\n\`\`\`sh\n${commands.join('\n')}\n\`\`\``;
}

type Insert = (argument: string, published: boolean) => string;

/** Texts for `<!-- insert: NAME ARGUMENT -->`. */
const INSERTS: Readonly<Record<string, Insert>> = {
  install: (argument, published) => installSection(readNames(argument), undefined, published),
  'install-command': (argument, published) => {
    const [name] = readNames(argument);
    if (published) return `\`npm install payments-${name}\``;
    return `\`npm run package -- ${name}\` in the clone, then \`npm install\` of the file that it names`;
  },
  command(argument, published) {
    const [, text = '', options = ''] = /^(\S+) (.*)$/.exec(argument) ?? [];
    const [name] = readNames(text);
    return published ? `\`npx payments-${name} ${options}\`` : `\`${SCRIPTS[name]} ${options}\` in the clone`;
  },
  'start-sandbox': (_, published) =>
    published ? '`npx payments-gateway`' : '`npm start` in a clone of the repository',
};

export const INSTALLATION_INSERTS = Object.keys(INSERTS);

/** Expands the inserts about installation in a text, and leaves others. */
export function expandInstallation(text: string, published = PUBLISHED): string {
  return text.replace(
    /<!-- insert: (\S+) ?(.*?) -->/g,
    (mark, name: string, argument: string) => INSERTS[name]?.(argument, published) ?? mark,
  );
}

export function installationArtifacts(published = PUBLISHED): Artifact[] {
  return DOCUMENTS.map((file) => ({
    file,
    content: updateSections(readFileSync(join(ROOT, file), 'utf8'), published),
  }));
}

function updateSections(document: string, published: boolean): string {
  return document.replace(
    SECTION,
    (_, begin: string, names: string, folder: string | undefined, end: string) =>
      `${begin}${installSection(readNames(names), folder, published)}\n${end}`,
  );
}

function readNames(text: string): [PackageName, ...PackageName[]] {
  const names = text.split(' ').map((word) => {
    const found = PACKAGES.find((name) => name === word);
    if (!found) throw new Error(`'${word}' is not one of ${PACKAGES.join(', ')}`);
    return found;
  });
  return names as [PackageName, ...PackageName[]];
}
