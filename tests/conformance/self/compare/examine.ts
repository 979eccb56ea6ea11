/** Runs trials with another tool. It convicts a service if it says more about it than about the sound gateway. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Alteration } from '../alteration.ts';
import { startProxy } from '../proxy.ts';
import { startSound } from '../sound.ts';
import type { Bench, Defect, Outcome, Variation } from '../trial.ts';
import { portman } from './portman.ts';
import { openStage, type Stage } from './prepare.ts';
import { prism } from './prism.ts';
import { specmatic } from './specmatic.ts';
import { installTool, type RunningTool, type Tool } from './tool.ts';

export const TOOLS: Readonly<Record<string, Tool>> = { prism, specmatic, portman };

/** Some tools make requests at random, so one run doesn't show all that they say about a sound service. */
const BASELINE_RUNS = 3;
const DETAIL_LENGTH_MAX = 160;

export interface Examiner {
  examine(trial: Defect | Variation): Promise<Outcome>;
  close(): Promise<void>;
}

/** Starts the tool, and notes what it says about the gateway itself. */
export async function startExaminer(name: string, bench: Bench): Promise<Examiner> {
  const tool = TOOLS[name];
  if (!tool) throw new Error(`no tool has the name '${name}'`);
  const running = await tool.start(await installTool(tool));
  const stage = await openStage(bench.shared);
  const baseline = new Set<string>();
  for (let runs = 0; runs < BASELINE_RUNS; runs += 1) {
    for (const complaint of await complaints(running, stage, {})) baseline.add(complaint);
  }
  return {
    async examine({ id, alter, ...rest }) {
      const alteration = alter();
      const own = alteration.channels ? await startSound(bench.open, alteration.channels) : undefined;
      const startedAt = performance.now();
      // In a service that never gets to a state, nothing can be prepared in it: the tool then says nothing new.
      const found = await complaints(running, own ? await openStage(own) : stage, alteration).catch(
        (error: unknown) => {
          if (own) return [];
          throw error;
        },
      );
      const ms = Math.round(performance.now() - startedAt);
      await own?.close();
      const news = found.filter((complaint) => !baseline.has(complaint));
      const convicted = news.length > 0;
      const because = (news[0] ?? 'it says the same as of the sound gateway').slice(0, DETAIL_LENGTH_MAX);
      return { id, passed: 'convictedBy' in rest ? convicted : !convicted, because, ms };
    },
    close: () => running.close(),
  };
}

async function complaints(
  tool: RunningTool,
  { sound, prepare }: Stage,
  alteration: Alteration,
): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'self-compare-'));
  const proxy = await startProxy(sound, alteration);
  try {
    return await tool.examine({ url: proxy.url, sound, prepared: await prepare(), folder });
  } finally {
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
  }
}
