// The stories whose cost is counted: what the hub worker asks of the API server for one Capp.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { SECRET } from '../../../../crds/kubernetes/core.ts';
import { MIGRATE } from '../../../../crds/labels.ts';
import { capp } from '../../../../testbed/capps.ts';
import { findingOf } from '../site/findings.ts';
import { NAMESPACE } from '../world/names.ts';
import { changeCapp, changeSpec } from '../world/capps.ts';
import type { World } from '../world/world.ts';
import { inQuiet, type Cost, type QuietTestbed } from './quiet.ts';

/** After so long, all that a change begins is done, and nothing else has begun. */
const DONE_MS = 120_000;
const DAY_MS = 24 * 3_600_000;
/** The daily look is spread over four hours, and other looks come more often. */
const DAYS_MS = DAY_MS + 4 * 3_600_000;

const NAME = 'a';
const KEY = `${NAMESPACE}/${NAME}`;
const SECRETS = ['one', 'two', 'three'];

const STORIES = {
  'a first rollout': async (testbed: QuietTestbed): Promise<Cost> => {
    make(testbed.world, {});
    return testbed.cost(DONE_MS);
  },
  'a first rollout with three Secrets and a hostname': async (testbed: QuietTestbed): Promise<Cost> => {
    for (const name of SECRETS)
      testbed.world.server.put(SECRET, { namespace: NAMESPACE, name }, () => ({
        metadata: { namespace: NAMESPACE, name },
      }));
    make(testbed.world, {
      container: { envFrom: SECRETS.map((name) => ({ secretRef: { name } })) },
      spec: { routeSpec: { hostname: 'shop' } },
    });
    return testbed.cost(DONE_MS);
  },
  'an edit': (testbed: QuietTestbed): Promise<Cost> =>
    standing(testbed, () => changeSpec(testbed.world, NAME, { scaleSpec: { minReplicas: 2 } })),
  'another status on the site': (testbed: QuietTestbed): Promise<Cost> =>
    standing(testbed, () =>
      siteOf(testbed.world)?.shows(KEY, { ...findingOf('Ready', 'Ready', true), statusHash: 'another' }),
    ),
  'a move': (testbed: QuietTestbed): Promise<Cost> =>
    standing(testbed, () =>
      changeCapp(testbed.world, NAME, (before) => {
        const annotations = { ...before.metadata.annotations, [MIGRATE]: 'site-3#1' };
        return { ...before, metadata: { ...before.metadata, annotations } };
      }),
    ),
  'a deletion': (testbed: QuietTestbed): Promise<Cost> =>
    standing(testbed, () => testbed.world.server.remove(CAPP, { namespace: NAMESPACE, name: NAME })),
  'a day at rest': (testbed: QuietTestbed): Promise<Cost> => standing(testbed, () => undefined, DAYS_MS),
} as const;

export type Story = keyof typeof STORIES;

export const STORY_NAMES = Object.keys(STORIES) as readonly Story[];

/** What the story costs. Throws if a rule of the simulator was broken. */
export function costOf(story: Story): Promise<Cost> {
  return inQuiet(STORIES[story]);
}

/** Counts what comes of a change to a Capp that is at rest. */
async function standing(testbed: QuietTestbed, change: () => void, ms = DONE_MS): Promise<Cost> {
  make(testbed.world, {});
  await testbed.cost(DONE_MS);
  change();
  return testbed.cost(ms);
}

function make({ server }: World, more: Pick<Parameters<typeof capp>[0], 'container' | 'spec'>): void {
  const spec = { site: '', state: 'enabled', scaleMetric: 'concurrency', ...more.spec };
  const made = capp({ namespace: NAMESPACE, name: NAME, ...more, spec });
  server.put<Capp>(CAPP, { namespace: NAMESPACE, name: NAME }, () => made);
}

function siteOf(world: World): ReturnType<World['site']> {
  return world.site(world.read(NAME)?.status?.applicationLinks?.site ?? '');
}
