// What is measured of both operators, by what anybody sees on the hub. Each story deletes what it created.
import { CAPP } from '../../crds/capp/capp.ts';
import { SECRET } from '../../crds/kubernetes/core.ts';
import type { CappOptions } from '../../testbed/capps.ts';
import { eventually } from '../../testbed/eventually.ts';
import { quantiles, tenth } from '../../testbed/quantiles.ts';
import { pauseAgents } from '../conditions/paused-agents.ts';
import { latePlacement } from '../load/late-placement.ts';
import { DISABLED, numbered, type Testbed } from '../load/testbed.ts';
import type { Rest } from '../load/capps-at-rest.ts';

/** The smaller the better. */
export interface MeasuredStory {
  readonly [what: string]: number;
}

export interface Story {
  readonly title: string;
  run(as: string): Promise<MeasuredStory>;
}

const WARM_UP = 20;
const SAMPLES = 60;
const FEW = 8;

export async function storiesOf(testbed: Testbed, rest: Rest, burst: number): Promise<readonly Story[]> {
  const container = await threeSecrets(testbed);
  const late = await latePlacement(testbed);
  return [
    {
      title: 'Capp created → ManifestWork, one at a time',
      run: (as) => oneAtATime(testbed, rest, as, DISABLED),
    },
    {
      title: 'the same, three Secrets referenced',
      run: (as) => oneAtATime(testbed, rest, `${as}-secrets`, { ...DISABLED, container }),
    },
    {
      title: `${burst} Capps at once, agents paused, and their deletion at once`,
      run: (as) => atOnce(testbed, rest, numbered(`${as}-burst`, burst)),
    },
    {
      title: 'PlacementDecision filled late → ManifestWork',
      run: async (as) => {
        const ms: number[] = [];
        for (const name of numbered(`${as}-late`, FEW)) {
          await late.selectNobody();
          // Repeated, because a webhook refuses a placement until its cache has it.
          const spec = { ...DISABLED.spec, site: late.name };
          await eventually(() => testbed.create(name, { spec }), { everyMs: 50 });
          await rest.quiet(name);
          await late.select();
          const [seen = Number.NaN] = await testbed.worksOf([name]);
          ms.push(seen - late.decidedAt());
          await rest.shipped([name]);
          await remove(testbed, rest, [name]);
        }
        return inMs(ms);
      },
    },
  ];
}

async function threeSecrets({
  namespace,
  stack: { hub },
}: Testbed): Promise<NonNullable<CappOptions['container']>> {
  const names = numbered('secret', 3);
  for (const name of names) {
    const data = { password: Buffer.from(`${name} of ${namespace}`).toString('base64') };
    await hub.create(SECRET, { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name }, data });
  }
  return { envFrom: names.map((name) => ({ secretRef: { name } })) };
}

/** The Capp before is at rest. Afterwards they are deleted one at a time. */
async function oneAtATime(
  testbed: Testbed,
  rest: Rest,
  as: string,
  options: Omit<CappOptions, 'namespace' | 'name'>,
): Promise<MeasuredStory> {
  const ms: number[] = [];
  const warm = numbered(`${as}-warm`, WARM_UP);
  const names = numbered(as, SAMPLES);
  for (const name of [...warm, ...names]) {
    const begun = await testbed.create(name, options);
    const [seen = Number.NaN] = await testbed.worksOf([name]);
    if (!warm.includes(name)) ms.push(seen - begun);
    await rest.shipped([name]);
  }
  const goneMs: number[] = [];
  for (const name of names.slice(0, FEW)) goneMs.push(await remove(testbed, rest, [name]));
  await remove(testbed, rest, [...warm, ...names.slice(FEW)]);
  return { ...inMs(ms), 'deletion, p50 ms': quantiles(goneMs).p50 };
}

async function atOnce(testbed: Testbed, rest: Rest, names: readonly string[]): Promise<MeasuredStory> {
  const resume = await pauseAgents(testbed);
  const begun = performance.now();
  const [, seen] = await Promise.all([
    Promise.all(names.map((name) => testbed.create(name, DISABLED))),
    testbed.worksOf(names),
  ]);
  const all = Math.max(...seen) - begun;
  resume();
  await rest.shipped(names);
  const deleted = await remove(testbed, rest, names);
  return { 'all works, s': tenth(all / 1000), 'all deleted, s': tenth(deleted / 1000) };
}

/** Milliseconds until all are gone. */
async function remove({ hub, namespace }: Testbed, rest: Rest, names: readonly string[]): Promise<number> {
  const begun = performance.now();
  await Promise.all(names.map((name) => hub.remove(CAPP, { namespace, name })));
  return Math.max(...(await rest.gone(names))) - begun;
}

function inMs(samples: readonly number[]): MeasuredStory {
  const { p50, p90 } = quantiles(samples);
  return { 'p50 ms': p50, 'p90 ms': p90 };
}
