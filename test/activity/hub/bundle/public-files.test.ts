// Files of manifests as people publish them: each becomes on a site what `kubectl apply` makes of it, or is
// refused in one sentence that names what to do. With OCM's own work agent on a real API server.
import { BUNDLE, type Bundle } from '../../../../crds/bundle/bundle.ts';
import { CONFIG_MAP, NAMESPACE, type ConfigMap } from '../../../../crds/kubernetes/core.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import { bundleWorkName } from '../../../../crds/ocm/bundle-work.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { conditionOf } from '../../../../crds/kubernetes/core.ts';
import { createBundle } from '../../../../testbed/bundles.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { PLACE, type PublicFile } from '../../../support/corpus/public/file.ts';
import { PUBLIC_FILES } from '../../../support/corpus/public/files.ts';
import { serveBare } from '../../../support/servers/api/definitions.ts';
import { startWorkAgent } from '../../../support/servers/site/work-agent.ts';
import { kubectlFiles, type Answer } from '../../../support/testbeds/fleet/kubectl-files.ts';
import { turningBundles } from '../../../support/testbeds/fleet/turning.ts';
import { APPS, startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { joinSites } from '../../../support/testbeds/join/joined-sites.ts';

const SITE = 'site-1';
const FILES = Object.entries(PUBLIC_FILES).map(([title, file], index) => ({
  title,
  file,
  name: `public-${index}`,
  ours: `ours-${index}`,
  theirs: `theirs-${index}`,
}));
type One = (typeof FILES)[number];

let stage: HubForTests;
let stopAgent: () => Promise<void>;
let kubectl: ReturnType<typeof kubectlFiles>;
/** By the name of a file: what the Bundle says where it refuses it, and null where it is applied. */
const said = new Map<string, string | null>();
const answers = new Map<string, Answer>();

const inPlace = ({ text }: PublicFile, namespace: string): string => text.replaceAll(PLACE, namespace);

/** Of kinds that others define, with their plurals. */
const DEFINED = [
  ['cert-manager.io/v1', 'ClusterIssuer', 'clusterissuers', false],
  ['cert-manager.io/v1', 'Certificate', 'certificates', true],
  ['argoproj.io/v1alpha1', 'Application', 'applications', true],
  ['monitoring.coreos.com/v1', 'PrometheusRule', 'prometheusrules', true],
] as const;

beforeAll(async () => {
  stage = await startHub();
  const { kube } = stage;
  await joinSites(stage, [SITE]);
  await kube.patch(RCS_CONFIG, RCS_CONFIG_KEY, { spec: { bundles: { unrestricted: [APPS] } } });
  await eventually(() =>
    stage.caches.configs.list()[0]?.spec.bundles?.unrestricted === undefined ? undefined : true,
  );
  for (const [apiVersion, kind, plural, namespaced] of DEFINED)
    await serveBare(kube, { apiVersion, kind, plural, namespaced });
  stopAgent = await startWorkAgent(kube, stage.kubeconfig, SITE);
  kubectl = kubectlFiles(stage.kubeconfig);
  await few(FILES, prepare);
  await Promise.all([
    few(FILES, async (one) => void answers.set(one.name, await kubectl.apply(inPlace(one.file, one.theirs)))),
    ship(),
  ]);
}, 300_000);
afterAll(async () => {
  await stopAgent?.();
  await stage?.stop();
});

/** Three at a time. */
async function few<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const rest = [...all];
  const lane = async (): Promise<void> => {
    for (let one = rest.shift(); one !== undefined; one = rest.shift()) await act(one);
  };
  await Promise.all([lane(), lane(), lane()]);
}

async function prepare({ file, name, ours, theirs }: One): Promise<void> {
  const { kube } = stage;
  for (const namespace of [ours, theirs]) {
    await kube.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name: 'default' } };
    await kube.raw('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, { body: account });
  }
  const data = { 'file.yaml': inPlace(file, ours) };
  await kube.create<ConfigMap>(CONFIG_MAP, { metadata: { namespace: APPS, name }, data });
  const manifestsFrom = [{ configMap: name }];
  await createBundle(kube, { namespace: APPS, name }, { sites: { clusters: [SITE] }, manifestsFrom });
}

/** Resolves when each file is applied, or the Bundle says why not. */
async function ship(): Promise<void> {
  await few(FILES, ({ name }) => turn(name));
  await eventually(
    async () => {
      const { items } = await stage.kube.list<ManifestWork>(MANIFEST_WORK);
      const works = new Map(items.map((work) => [work.metadata.name, work]));
      const open = FILES.filter(({ name }) => !said.has(name));
      for (const { name, file } of open) {
        const work = works.get(bundleWorkName({ namespace: APPS, name }));
        if (work !== undefined && isApplied(work)) said.set(name, null);
        else if (work === undefined || (file.refused !== undefined && isRefused(work)))
          await hear(name, work);
      }
      if (open.length === 0) return true;
      return undefined;
    },
    { withinMs: 60_000, everyMs: 250 },
  ).catch(() => undefined);
}

function conditionsIn({ metadata, status }: ManifestWork) {
  return (status?.resourceStatus?.manifests ?? [])
    .map(({ conditions }) => conditionOf(conditions, 'Applied'))
    .filter((one) => one?.observedGeneration === metadata.generation);
}

function isApplied(work: ManifestWork): boolean {
  const all = conditionsIn(work);
  return all.length === work.spec?.workload.manifests?.length && all.every((one) => one?.status === 'True');
}

const isRefused = (work: ManifestWork): boolean =>
  conditionsIn(work).length === work.spec?.workload.manifests?.length &&
  conditionsIn(work).some((one) => one?.status === 'False');

/** Once the cache has the work as it is. */
async function hear(name: string, work: ManifestWork | undefined): Promise<void> {
  const key = { namespace: SITE, name: bundleWorkName({ namespace: APPS, name }) };
  const seen = stage.caches.bundleWorks.get(key)?.metadata.resourceVersion ?? 0;
  if (BigInt(seen) < BigInt(work?.metadata.resourceVersion ?? 0)) return;
  await turn(name);
  const { status } = (await stage.kube.get<Bundle>(BUNDLE, { namespace: APPS, name })) as Bundle;
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const failing = (status?.failing ?? []).filter(({ reason }) => reason !== 'NotReady');
  if (work !== undefined && failing.length === 0) return;
  said.set(name, failing.map(({ message }) => message).join('\n') || (ready?.message ?? ''));
}

async function turn(name: string): Promise<void> {
  const ask = { memory: null, minimumVersions: {}, most: 20, isAgain: false } as const;
  await turningBundles(stage).turnFleet({ kind: 'Bundle', namespace: APPS, name }, ask);
}

const TAKEN = FILES.filter(({ file }) => file.refused === undefined);
const REFUSED = FILES.filter(({ file }) => file.refused !== undefined);

test('there are more than fifty files', () => {
  expect(FILES.length).toBeGreaterThan(50);
});

test.each(TAKEN)('is on a site as kubectl applies it: $title', async ({ name, file, ours, theirs }) => {
  expect([said.get(name), answers.get(name)?.refusal]).toEqual([null, null]);
  const [is, wanted] = await Promise.all([
    kubectl.live(inPlace(file, ours), ours),
    kubectl.live(inPlace(file, theirs), theirs),
  ]);
  const leftOut = new Set(file.leftOut);
  const kept = JSON.stringify(wanted, (key, value: unknown) => (leftOut.has(key) ? undefined : value));
  expect(is).toEqual(JSON.parse(kept));
});

test.each(REFUSED)('is refused with what to do: $title', ({ name, file }) => {
  expect(said.get(name)).toContain(file.refused);
  expect(said.get(name)).toMatch(/^[^\n]{1,400}$/);
  expect(answers.get(name)?.refusal === null).toBe(file.isTakenByKubectl === true);
});
