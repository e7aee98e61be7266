// Faults in what a rollout remembers, and for how long: of another generation, of a read that failed, of the
// way before, and of the run before.
import type { Mutant } from '../mutant.ts';

const ASKED = { seenBy: ['test/unit/stages/asked.test.ts'] } as const;
const RUNS = { seenBy: ['test/unit/hub/fleet/life.test.ts'] } as const;

export const REMEMBERED: readonly Mutant[] = [
  {
    breaks: 'what kept an earlier generation of a Capp from being written fails the newest',
    file: 'activities/hub/set/targets.ts',
    inside: 'standing',
    text: '=== one.generation ? one : null',
    becomes: '=== one.generation ? one : one',
    seenBy: ['test/unit/set/targets.test.ts'],
  },
  {
    breaks: 'what kept an earlier generation of a Capp from being asked for its checks holds the newest',
    file: 'activities/hub/set/targets.ts',
    inside: 'unorderedOf',
    text: 'child?.metadata.generation === one.marker.generation',
    becomes: 'child !== null',
    seenBy: ['test/unit/set/targets.test.ts'],
  },
  {
    breaks: 'a work that could not be read is made, as if there were none',
    file: 'activities/hub/bundle/ship.ts',
    inside: 'shipAll',
    text: 'if (found instanceof ApiError) throw found;\n    return isStill ? ship(errand, found, work)',
    becomes: 'return isStill ? ship(errand, found instanceof ApiError ? null : found, work)',
    seenBy: ['test/unit/hub/bundle/ship.test.ts'],
  },
  {
    breaks: 'a Capp that could not be read is made, as if there were none',
    file: 'activities/hub/set/write-child.ts',
    inside: 'writeChild',
    text: '(await kube.getMetadata(CAPP, key))',
    becomes: '(await kube.getMetadata(CAPP, key).catch(() => null))',
    seenBy: ['test/unit/set/refusals.test.ts'],
  },
  {
    ...ASKED,
    breaks: 'a way back waits for a site that was retried before it, and had failed',
    file: 'workflows/stages/plan/forward.ts',
    inside: 'failed',
    text: ', retries: {} }',
    becomes: ' }',
  },
  {
    ...ASKED,
    breaks: 'a rollout that begins again after an abort counts what was retried before',
    file: 'workflows/stages/rollout.ts',
    inside: null,
    text: '  closed: [],\n  retries: {},\n  cause: null,\n} as const',
    becomes: '  closed: [],\n  cause: null,\n} as const',
  },
  {
    ...ASKED,
    breaks: 'what was retried while all was at rest counts for what a label changes',
    file: 'workflows/stages/gates.ts',
    inside: null,
    text: 'closed: [], retries: {} } as const',
    becomes: 'closed: [] } as const',
  },
  {
    ...ASKED,
    breaks: 'a revision that is settled keeps what was retried on its way',
    file: 'workflows/stages/gates.ts',
    inside: 'settle',
    text: '    closed: [],\n    retries: {},',
    becomes: '    closed: [],',
  },
  {
    ...ASKED,
    breaks: 'another revision begins with what was retried of the one before',
    file: 'workflows/stages/rollout.ts',
    inside: 'begin',
    text: '    settled,\n    before,',
    becomes: '    retries: previous.retries,\n    settled,\n    before,',
  },
  {
    breaks:
      'a clock that was ahead proves a stage that is to soak, and lets a site that has failed fail no more',
    file: 'activities/hub/set/observed.ts',
    inside: 'observed',
    text: 'Number.isNaN(changed) ? 0',
    becomes: 'Number.isNaN(changed) || isAhead(changed, about.now) ? 0',
    seenBy: ['test/unit/set/late-times.test.ts'],
  },
  {
    ...RUNS,
    breaks:
      'the next run of a workflow forgets which copies could not be written, and since when sites are left',
    file: 'workflows/fleet/state.ts',
    inside: 'readFleetState',
    text: 'memory: readMemory(memory)',
    becomes: 'memory: readMemory(memory === null)',
  },
  {
    ...RUNS,
    breaks: 'what was rung before the end of a run is not asked of the next',
    file: 'workflows/fleet/state.ts',
    inside: 'readFleetState',
    text: "readRing({ causes: ['resync'], minimumVersions })?.minimumVersions ?? {}",
    becomes: '{}',
  },
];
