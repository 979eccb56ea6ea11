/**
 * The size of V8's space for new objects. V8 lets it grow until the gateway takes half as much memory again under load,
 * without a gain in speed, since objects of a finished request are garbage anyway. Node takes the limit itself only as a flag
 * of its command line, which `npx` does not give; whether the space grows any further is asked again at each growth.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const BYTES_MAX = 16 * 1024 * 1024;

/** Stops the growth at 16 MiB; V8 doubles the space up to there. */
export function limitYoungGeneration(): void {
  const observer = new PerformanceObserver(() => {
    if (youngGenerationBytes() < BYTES_MAX) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    observer.disconnect();
  });
  observer.observe({ entryTypes: ['gc'] });
}

function youngGenerationBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}
