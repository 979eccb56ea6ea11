/** Compiles a project's TypeScript under the strictest settings, including the declarations of its dependencies. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT, run } from '../../scripts/tools/process.ts';

export interface CompilerOptions {
  /** The compiler's folder in node_modules. */
  readonly compiler: string;
  readonly lib: readonly string[];
}

const USUAL: CompilerOptions = { compiler: 'typescript7', lib: ['ES2022', 'DOM', 'DOM.Iterable'] };

/** Writes the JavaScript next to the sources. Throws with the compiler's messages. */
export async function compile(project: string, { compiler, lib }: CompilerOptions = USUAL): Promise<void> {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    target: 'ES2022',
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    lib,
    types: ['node'],
  };
  await mkdir(join(project, 'node_modules', '@types'), { recursive: true });
  for (const name of ['@types/node', 'undici-types']) {
    await symlink(join(ROOT, 'node_modules', name), join(project, 'node_modules', name), 'junction').catch(() => {});
  }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  await run(process.execPath, [join(ROOT, 'node_modules', compiler, 'bin/tsc'), '-p', '.'], { cwd: project });
}
