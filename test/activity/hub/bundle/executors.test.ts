// The names of Bundles' executors on a real API server: where each hub has its own, no site is changed for
// it, and each work gets the other name when it is written for another reason.
import { BUNDLE, type Bundle } from '../../../../crds/bundle/bundle.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import { bundleWorkName } from '../../../../crds/ocm/bundle-work.ts';
import { bundleExecutor } from '../../../../crds/ocm/executors.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { createBundle } from '../../../../testbed/bundles.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { aConfigMap } from '../../../support/builders/fleet/bundles.ts';
import { turningBundles } from '../../../support/testbeds/fleet/turning.ts';
import { APPS, startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { joinSites } from '../../../support/testbeds/join/joined-sites.ts';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
  await joinSites(stage, ['site-1']);
}, 300_000);
afterAll(() => stage?.stop());

const ref = { kind: 'Bundle', namespace: APPS, name: 'named' } as const;
const key = { namespace: 'site-1', name: bundleWorkName(ref) };
const work = () => stage.kube.get<ManifestWork>(MANIFEST_WORK, key);
const nameOf = (found: ManifestWork | null) => found?.spec?.executor?.subject.serviceAccount.name;
const revisionOf = async () => (await stage.kube.get<Bundle>(BUNDLE, ref))?.status?.revision;

async function configure(executors: 'HubAndNamespace'): Promise<void> {
  await stage.kube.patch(RCS_CONFIG, RCS_CONFIG_KEY, { spec: { bundles: { executors } } });
  await eventually(() =>
    stage.caches.configs.get(RCS_CONFIG_KEY)?.spec.bundles?.executors === executors ? true : undefined,
  );
}

async function turn(): Promise<void> {
  const ask = { memory: null, minimumVersions: {}, most: 20, isAgain: true };
  await turningBundles(stage).turnFleet(ref, ask);
}

test('another setting of the executors changes no site, and a work has the other name with its next change', async () => {
  await createBundle(stage.kube, ref, { sites: { clusters: ['site-1'] }, manifests: [aConfigMap()] });
  await turn();
  const [before, revision] = [await work(), await revisionOf()];
  expect(nameOf(before)).toBe('cappstan-bundles-apps');

  await configure('HubAndNamespace');
  await turn();
  await turn();
  expect((await work())?.metadata).toEqual(before?.metadata);
  expect(await revisionOf()).toBe(revision);

  await stage.kube.patch(BUNDLE, ref, { spec: { manifests: [aConfigMap({ color: 'blue' })] } });
  await turn();
  expect(nameOf(await work())).toBe(bundleExecutor(APPS, 'hub-a'));
});
