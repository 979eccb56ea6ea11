import { mkdir, writeFile } from 'node:fs/promises';
import { bundleContract } from './contract/bundle.ts';

const bundle = await bundleContract();
await mkdir('generated', { recursive: true });
await writeFile('generated/openapi.json', JSON.stringify(bundle, null, 2) + '\n');
