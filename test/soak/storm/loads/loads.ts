// What a storm keeps running: Capps that may move, a CappSet in two stages, and a Bundle on all sites.
import { BUNDLE } from '../../../../crds/bundle/bundle.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import { APPROVE, RETRY } from '../../../../crds/labels.ts';
import { MANAGED_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import { CAPP_SET, type CappSet } from '../../../../crds/set/cappset.ts';
import type { Resource } from '../../../../kube/resource.ts';
import { createBundle, untilBundle } from '../../../../testbed/bundles.ts';
import { createCapp, untilReady } from '../../../../testbed/capps.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { BUNDLE_NAME, CHECKED_BY_JOB, checkByJob, manifestsOf } from './bundle.ts';
import { editionText } from '../record/fact.ts';
import { createSecret, WITH_SECRET } from './secret.ts';
import { LEAVES_ITS_ILLNESS } from './sickness.ts';
import { WHILE_AWAY, type Storm } from '../world.ts';

export const SET = 'fleet';
/** The stage of the set in which the agent asks the app. */
export const CHECKED_STAGE = 'first';
/** The stage of the set that a person must let begin. */
export const APPROVED_STAGE = 'others';
/** Sites of the Bundle and the set under way at once. */
export const LANES = 1;

type World = Pick<Storm, 'stack' | 'namespace' | 'nextEdition'>;

const image = (edition: number): string => `ghcr.io/me/app:${editionText(edition)}`;
const containers = (edition: number) => [{ name: 'app', image: image(edition), ...WITH_SECRET }];
const template = (edition: number) => ({
  configurationSpec: { template: { spec: { containers: containers(edition) } } },
});
const stageLabel = (namespace: string): string => `storm.example/${namespace}`;

export const childOf = (site: string): string => `${SET}-${site}`;

/** Waits until all of it is Ready. */
export async function createLoads(world: World, names: readonly string[]): Promise<void> {
  const { stack, namespace } = world;
  const [first = ''] = stack.sites;
  await createSecret(world);
  for (const name of names) await create(world, name);
  await label(world, first, CHECKED_STAGE);
  await stack.hub.create(CAPP_SET, setOf(world));
  await createBundle(
    stack.hub,
    { namespace, name: BUNDLE_NAME },
    {
      sites: { clusters: [...stack.sites] },
      manifests: manifestsOf(namespace, world.nextEdition()),
      strategy: {
        stages: [
          { name: CHECKED_BY_JOB, sites: sitesOf(world), verify: [checkByJob()] },
          { name: APPROVED_STAGE },
        ],
        maxConcurrent: LANES,
      } as never,
    },
  );
  for (const name of names) await untilReady(stack.hub, { namespace, name });
  await untilBundle(stack.hub, { namespace, name: BUNDLE_NAME }, 'Ready');
  await untilSetReady(world);
}

export async function removeLabel(world: World): Promise<void> {
  const [first = ''] = world.stack.sites;
  await label(world, first, null);
}

export async function create({ stack, namespace, nextEdition }: World, name: string): Promise<void> {
  const spec = LEAVES_ITS_ILLNESS;
  await createCapp(stack.hub, { namespace, name, image: image(nextEdition()), container: WITH_SECRET, spec });
}

export async function editCapp({ stack, namespace, nextEdition }: World, name: string): Promise<void> {
  const spec = template(nextEdition());
  await eventually(() => stack.hub.patch(CAPP, { namespace, name }, { spec }), WHILE_AWAY);
}

export async function editSet({ stack, namespace, nextEdition }: World): Promise<void> {
  const spec = { template: { spec: template(nextEdition()) } };
  await eventually(() => stack.hub.patch(CAPP_SET, { namespace, name: SET }, { spec }), WHILE_AWAY);
}

export async function editBundle(world: World): Promise<void> {
  const { stack, namespace } = world;
  const spec = { manifests: manifestsOf(namespace, world.nextEdition()) };
  await eventually(() => stack.hub.patch(BUNDLE, { namespace, name: BUNDLE_NAME }, { spec }), WHILE_AWAY);
}

/** Lets the second stage of the set begin with the revision that its status names; returns it, or null. */
export async function approve({ stack, namespace }: World): Promise<string | null> {
  const key = { namespace, name: SET };
  const set = await eventually(
    async () => (await stack.hub.get<CappSet>(CAPP_SET, key)) ?? undefined,
    WHILE_AWAY,
  );
  const { observedGeneration, rollout } = set.status ?? {};
  if (rollout === undefined || observedGeneration !== set.metadata.generation) return null;
  const annotations = { [APPROVE]: `${APPROVED_STAGE}#${rollout.revision}` };
  await eventually(() => stack.hub.patch(CAPP_SET, key, { metadata: { annotations } }), WHILE_AWAY);
  return rollout.revision;
}

/** Approves what waits, and tries again what has failed, as a person does after a storm. */
export async function untilSetReady(world: World): Promise<void> {
  const { stack, namespace } = world;
  const key = { namespace, name: SET };
  await eventually(
    async () => {
      const set = await stack.hub.get<CappSet>(CAPP_SET, key);
      const of = (type: string) => set?.status?.conditions?.find((one) => one.type === type);
      const ready = of('Ready');
      if (ready?.status === 'True' && ready.observedGeneration === set?.metadata.generation) return true;
      const { reason } = of('Progressing') ?? {};
      if (reason === 'AwaitsApproval') await approve(world);
      if (reason === 'VerificationInconclusive') await retry(world, CAPP_SET, SET);
      throw new Error(`The set ${SET} did not become Ready: ${JSON.stringify(set?.status)}`);
    },
    { withinMs: 300_000, everyMs: 1_000 },
  );
}

/** Sites that failed in the storm get another try. */
export async function retryFailed(world: World): Promise<void> {
  await retry(world, CAPP_SET, SET);
  await retry(world, BUNDLE, BUNDLE_NAME);
}

/** What failed, or came to nothing, is tried once more. */
async function retry({ stack, namespace }: World, kind: Resource, name: string): Promise<void> {
  const annotations = { [RETRY]: `#after-the-storm-${Date.now()}` };
  await eventually(
    () => stack.hub.patch(kind, { namespace, name }, { metadata: { annotations } }),
    WHILE_AWAY,
  );
}

function label({ stack, namespace }: World, name: string, value: string | null): Promise<unknown> {
  const metadata = { labels: { [stageLabel(namespace)]: value } };
  return eventually(
    () => stack.hub.patch(MANAGED_CLUSTER, { namespace: null, name }, { metadata }),
    WHILE_AWAY,
  );
}

/** The sites of the first stage, of the set and of the Bundle. */
const sitesOf = ({ namespace }: Pick<World, 'namespace'>) => ({
  matchLabels: { [stageLabel(namespace)]: CHECKED_STAGE },
});

const ANSWERS = { name: 'answers', http: { path: '/', expect: 'status == 200' }, interval: '1s', count: 2 };

function setOf({ stack, namespace, nextEdition }: World): CappSet {
  const sites = sitesOf({ namespace });
  return {
    apiVersion: CAPP_SET.apiVersion,
    kind: CAPP_SET.kind,
    metadata: { namespace, name: SET },
    spec: {
      sites: { clusters: [...stack.sites] },
      template: { spec: template(nextEdition()) },
      strategy: {
        stages: [
          { name: CHECKED_STAGE, sites, verify: [ANSWERS] },
          { name: APPROVED_STAGE, approval: 'Required' },
        ],
        maxConcurrent: LANES,
      },
    },
  } as unknown as CappSet;
}
