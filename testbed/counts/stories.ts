// The stories whose cost is counted on a real stack. Its Capps are disabled, so that no Pod's start is in
// the numbers: what hub and site do for one is the same.
import { BUNDLE } from '../../crds/bundle/bundle.ts';
import { CAPP } from '../../crds/capp/capp.ts';
import { MIGRATE } from '../../crds/labels.ts';
import { CONFIG_MAP, NAMESPACE, SECRET, type Secret } from '../../crds/kubernetes/core.ts';
import { CAPP_SET, type CappSet } from '../../crds/set/cappset.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { createBundle, untilBundle } from '../bundles.ts';
import { capp, createCapp, readCapp, siteOf, untilGone, untilReady, workOf } from '../capps.ts';
import { eventually } from '../eventually.ts';
import type { TestbedStack } from '../stack.ts';

/** Each life of a story has a namespace of its own, by which its requests are known. */
export interface StoryLife {
  readonly stack: TestbedStack;
  readonly namespace: string;
}

export interface CountedStory {
  /** Ends when what it is about has happened. What follows from that may still be under way. */
  readonly happens: (life: StoryLife) => Promise<void>;
  /** Made before anything is counted. */
  readonly before?: (life: StoryLife) => Promise<void>;
  /** The workflows whose histories are counted, without the namespace: `capp//app`. */
  readonly workflows: readonly string[];
}

const WAIT = { withinMs: 180_000, everyMs: 250 };
const SECRETS = ['one', 'two', 'three'];
const DISABLED = { state: 'disabled' };
const CAPP_WORKFLOW = ['capp//app'];

const keyOf = ({ namespace }: StoryLife, name = 'app') => ({ namespace, name });

/** In the order in which each life has them: the edit is of the Capp that was created, and so on. */
export const STORIES = {
  'a first rollout': {
    workflows: CAPP_WORKFLOW,
    happens: async (life) => {
      await createCapp(life.stack.hub, { ...keyOf(life), spec: DISABLED });
      await untilReady(life.stack.hub, keyOf(life));
    },
  },
  'an edit': {
    workflows: CAPP_WORKFLOW,
    happens: async (life) => {
      await life.stack.hub.patch(CAPP, keyOf(life), { spec: { scaleSpec: { minReplicas: 2 } } });
      await untilReady(life.stack.hub, keyOf(life));
    },
  },
  'one look again at rest': { workflows: CAPP_WORKFLOW, happens: (life) => lookAgain(life) },
  'a move': {
    workflows: CAPP_WORKFLOW,
    happens: async (life) => {
      const { hub } = life.stack;
      const home = siteOf(await readCapp(hub, keyOf(life)));
      await hub.patch(CAPP, keyOf(life), { metadata: { annotations: { [MIGRATE]: '#1' } } });
      await eventually(async () => {
        const isMoved = siteOf(await readCapp(hub, keyOf(life))) !== home;
        return isMoved && (await workOf(hub, keyOf(life), home)) === null ? true : undefined;
      }, WAIT);
    },
  },
  'a deletion': {
    workflows: CAPP_WORKFLOW,
    happens: async (life) => {
      await life.stack.hub.remove(CAPP, keyOf(life));
      await untilGone(life.stack.hub, keyOf(life));
    },
  },
  'a first rollout with three Secrets and a hostname': {
    workflows: ['capp//shop'],
    before: async ({ stack: { hub }, namespace }) => {
      for (const name of SECRETS)
        await hub.create<Secret>(SECRET, {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { namespace, name },
          data: {},
        });
    },
    happens: async (life) => {
      const container = { envFrom: SECRETS.map((name) => ({ secretRef: { name } })) };
      const spec = { ...DISABLED, routeSpec: { hostname: `${life.namespace}.apps.example.com` } };
      await createCapp(life.stack.hub, { ...keyOf(life, 'shop'), container, spec });
      await untilReady(life.stack.hub, keyOf(life, 'shop'));
    },
  },
  'one site of a CappSet': {
    workflows: ['cappset//set', 'capp//set-site-1'],
    happens: async (life) => {
      await life.stack.hub.create(CAPP_SET, setOf(life));
      await untilReady(life.stack.hub, keyOf(life, 'set-site-1'));
      await eventually(async () => {
        const set = await life.stack.hub.get<CappSet>(CAPP_SET, keyOf(life, 'set'));
        return set?.status?.readySites === '1/1' ? true : undefined;
      }, WAIT);
    },
  },
  'one site of a Bundle': {
    workflows: ['bundle//bundle'],
    before: async ({ stack, namespace }) => {
      const found = { apiVersion: 'v1', kind: NAMESPACE.kind, metadata: { name: namespace } };
      const key = { namespace: null, name: namespace };
      if ((await stack.site('site-1').get(NAMESPACE, key)) === null)
        await stack.site('site-1').create(NAMESPACE, found);
    },
    happens: async (life) => {
      const metadata = { name: 'settings', namespace: life.namespace };
      const manifests = [{ apiVersion: 'v1', kind: CONFIG_MAP.kind, metadata, data: { color: 'red' } }];
      await createBundle(life.stack.hub, keyOf(life, 'bundle'), {
        sites: { clusters: ['site-1'] },
        manifests,
      });
      await untilBundle(life.stack.hub, keyOf(life, 'bundle'), 'Ready');
    },
  },
} as const satisfies Readonly<Record<string, CountedStory>>;

export type StoryName = keyof typeof STORIES;

/** Deletes what the stories have left. */
export async function cleanUp({ stack: { hub }, namespace }: StoryLife): Promise<void> {
  for (const resource of [BUNDLE, CAPP_SET, CAPP])
    for (const { metadata } of (await hub.list<KubeObject>(resource, { namespace })).items)
      await hub.remove(resource, { namespace, name: metadata.name });
}

/** As the daily look, which no test waits for. */
async function lookAgain({ stack: { temporal }, namespace }: StoryLife): Promise<void> {
  const handle = temporal.workflow.getHandle(`capp/${namespace}/app`);
  await handle.signal('ring', { causes: ['resync'], minimumVersions: {} });
}

function setOf(life: StoryLife): CappSet {
  const { spec } = capp({ ...keyOf(life), spec: DISABLED });
  return {
    apiVersion: CAPP_SET.apiVersion,
    kind: CAPP_SET.kind,
    metadata: keyOf(life, 'set'),
    spec: { sites: { clusters: ['site-1'] }, template: { spec } },
  } as unknown as CappSet;
}
