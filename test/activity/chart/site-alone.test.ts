// The chart on a site without a hub, and beside a hub's add-on: what it installs, and with which rights.
import { RELEASE_NAMESPACE, renderChart } from '../../../deploy/local/cappstan/chart.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import {
  forHub,
  forSite,
  installAll,
  startCluster,
  tryAll,
  type Cluster,
  SITE_AGENT,
} from '../../support/servers/chart/chart.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { accountOf, rightsOf } from '../../support/servers/api/rights.ts';

const ALONE = { 'site.alone': 'true' };
const AGENT = 'system:serviceaccount:open-cluster-management-agent:klusterlet-work-sa';
const namesOf = (objects: readonly KubeObject[], kind: string): string[] =>
  objects.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);
const rulesOf = (objects: readonly KubeObject[], name: string): unknown =>
  (
    objects.find(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === name) as {
      rules?: unknown;
    }
  ).rules;

describe('an API server of a site without a hub', () => {
  let site: Cluster;
  let objects: readonly KubeObject[];
  beforeAll(async () => {
    site = await startCluster('site');
    objects = [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: RELEASE_NAMESPACE } },
      ...(await renderChart(ALONE)),
    ];
  }, 300_000);
  afterAll(() => site?.stop());

  test('accepts the chart, which needs no Temporal there', async () => {
    await tryAll(site.kube, objects);
    await installAll(site.kube, objects);
  });

  test('lets the webhook list Capps and CappConfigs, and write its own certificate alone', async () => {
    const walker = rightsOf(site, accountOf(RELEASE_NAMESPACE, 'cappstan-webhook'));
    // The API server learns of roles and bindings a moment after they were written.
    await eventually(async () => {
      expect(await walker.listIn('a-namespace-of-users')).toEqual([
        'get capprevisions.rcs.dana.io',
        'get patch mutatingwebhookconfigurations.admissionregistration.k8s.io named cappstan-webhook',
        'get patch validatingwebhookconfigurations.admissionregistration.k8s.io named cappstan-webhook',
        'list watch cappconfigs.rcs.dana.io',
        'list watch capps.rcs.dana.io',
        'list watch configmaps named autoscale-defaults, dns-config',
      ]);
      return true;
    });
    for (const act of ['get secrets apps/db', 'patch capps.rcs.dana.io apps/app'])
      expect(await walker.mayDo(act)).toBe(false);
  });

  test('holds the site operator of this release to what it makes', async () => {
    const operator = await site.as(`system:serviceaccount:${RELEASE_NAMESPACE}:cappstan-site`);
    let count = 0;
    // A policy counts a moment after it was written.
    await eventually(async () => {
      const metadata = { name: `stray-${(count += 1)}`, namespace: 'default' };
      const body = { apiVersion: 'rcs.dana.io/v1alpha1', kind: 'CappRevision', metadata };
      const { code } = await operator('POST', '/apis/rcs.dana.io/v1alpha1/namespaces/default/capprevisions', {
        ...body,
        spec: { revisionNumber: 1, cappTemplate: { cappSpec: {} } },
      });
      expect(code).toBe(403);
      return true;
    });
  });
});

test('nothing of a hub is installed on a site', async () => {
  const objects = await renderChart(ALONE);
  expect(namesOf(objects, 'Deployment').toSorted()).toEqual(['cappstan-site', 'cappstan-webhook']);
  expect(namesOf(objects, 'CustomResourceDefinition').toSorted()).toEqual([
    'cappconfigs.rcs.dana.io',
    'capprevisions.rcs.dana.io',
    'capps.rcs.dana.io',
  ]);
  expect(namesOf(objects, 'AddOnTemplate')).toEqual([]);
  expect(rulesOf(objects, 'cappstan-site')).toEqual(rulesOf(forSite(await forHub({})), 'cappstan-site'));
});

test('beside a hub’s add-on the chart brings the webhook alone, and must be told who the work agent is', async () => {
  const beside = { ...ALONE, 'site.operator': 'false', 'crds.install': 'false' };
  await expect(renderChart(beside)).rejects.toThrow(/set site\.workAgents to the users of OCM's work agent/);
  const objects = await renderChart({ ...beside, 'site.workAgents[0]': AGENT });
  expect(namesOf(objects, 'Deployment')).toEqual(['cappstan-webhook']);
  expect(namesOf(objects, 'ValidatingAdmissionPolicy')).toEqual([]);
  const configurations = objects.filter(({ kind = '' }) => kind.endsWith('WebhookConfiguration'));
  expect(configurations).toHaveLength(2);
  for (const one of configurations) expect(JSON.stringify(one)).toContain(AGENT);
});

test('a hub, and the sites of a hub, get no webhook of a site', async () => {
  const objects = await forHub({});
  expect(JSON.stringify(objects)).not.toContain('WEBHOOK_SIDE');
  expect(namesOf(forSite(objects), 'Deployment').toSorted()).toEqual([SITE_AGENT, 'cappstan-site']);
});
