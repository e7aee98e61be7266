// The webhook on a running stack, with the chart's rights and beside OCM's webhooks.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { KNATIVE_SERVICE, type KnativeService } from '../../../crds/kubernetes/knative.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { capp, createCapp, newNamespace, siteOf, untilGone, untilReady } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

const DEFAULTS = { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '64Mi' } };

let stack: TestbedStack;
let namespace: string;
beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'admission');
  await stack.hub.patch(RCS_CONFIG, RCS_CONFIG_KEY, { spec: { defaultResources: DEFAULTS } });
});
afterAll(async () => {
  await stack.hub.patch(RCS_CONFIG, RCS_CONFIG_KEY, { spec: { defaultResources: null } });
  await stack.close();
});

test('default resources are added to a Capp and reach its site, whose ManagedCluster cannot be deleted while it serves the Capp', async () => {
  const key = { namespace, name: 'modest' };
  const dryRun = `/apis/${CAPP.apiVersion}/namespaces/${namespace}/capps?dryRun=All`;
  await eventually(async () => {
    const { spec } = (await stack.hub.raw('POST', dryRun, { body: capp(key) })) as Capp;
    return spec.configurationSpec.template.spec.containers[0]?.['resources'];
  });
  await createCapp(stack.hub, key);
  const site = siteOf(await untilReady(stack.hub, key));
  const service = await stack.site(site).get<KnativeService>(KNATIVE_SERVICE, key);
  expect(service?.spec?.template?.spec?.['containers']).toMatchObject([{ resources: DEFAULTS }]);
  const deletion = (): Promise<unknown> =>
    stack.hub.raw('DELETE', `/apis/${MANAGED_CLUSTER.apiVersion}/managedclusters/${site}?dryRun=All`);
  await expect(deletion()).rejects.toMatchObject({ code: 403, reason: 'Forbidden' });
  await stack.hub.remove(CAPP, key);
  await untilGone(stack.hub, key);
});
