// OCM's ManifestWorkReplicaSet beside a Bundle and a CappSet: the same Deployment on a hundred simulated
// sites, in three stages, half of each at once.
//
// Usage: node bench/measures/fleets.ts
import { signalGroup } from '../../deploy/local/supervise/stack-processes.ts';
import { observedProcesses } from '../../deploy/local/supervise/desired.ts';
import { startProcess, stopProcess } from '../../testbed/processes.ts';
import { fleetSides } from '../load/fleets/kinds.ts';
import { stagedSites } from '../load/fleets/sites.ts';
import { storiesOfSide, type FleetStory } from '../load/fleets/stories.ts';
import type { Testbed } from '../load/testbed.ts';
import { measure } from '../measure.ts';

const GATE = '--feature-gates=ManifestWorkReplicaSet=true';

await measure('fleets', 1, async (testbed) => {
  await withReplicaSets(testbed);
  const { sites, appliers } = await stagedSites(testbed);
  const sides = fleetSides(testbed, sites);
  const all = [...new Set(sides.flatMap(({ processes }) => processes))];
  const stories: Record<string, Readonly<Record<string, FleetStory>>> = {};
  for (const side of sides) {
    const resume = await holdStill(
      testbed,
      all.filter((name) => !side.processes.includes(name)),
    );
    stories[side.title] = await storiesOfSide({ testbed, sites, appliers }, side).finally(resume);
  }
  const times = Object.entries(stories).map(
    ([title, of]) =>
      `${title} ${Object.values(of)
        .map(({ timesTheSites }) => timesTheSites)
        .join(', ')}`,
  );
  return {
    ours: `times what the sites alone take, for ${Object.keys(Object.values(stories)[0] ?? {}).join('; ')}: ${times.join('; ')}`,
    figures: { sites: sites.names.length, stories },
  };
});

/** OCM's controller of them is off by default. The end of the benchmark puts it back. */
async function withReplicaSets({ stack: { layout }, afterwards }: Testbed): Promise<void> {
  const spec = await stopProcess(layout, 'ocm-work');
  afterwards(async () => {
    await stopProcess(layout, 'ocm-work');
    await startProcess(layout, spec);
  });
  await startProcess(layout, { ...spec, args: [...(spec.args ?? []), GATE] });
}

async function holdStill({ stack, afterwards }: Testbed, names: readonly string[]): Promise<() => void> {
  const found = (await observedProcesses(stack.layout)).filter(({ name }) => names.includes(name));
  const pids = found.map(({ pid }) => pid).filter((pid) => pid !== null);
  if (pids.length !== names.length)
    throw new Error(`Not all of ${names.join(', ')} run. Run "make up" to repair the stack.`);
  const resume = (): void => pids.forEach((pid) => signalGroup(pid, 'SIGCONT'));
  afterwards(async () => resume());
  for (const pid of pids) signalGroup(pid, 'SIGSTOP');
  return resume;
}
