// Which sites a Capp may name, as the webhook reads it from OCM's clustersets, on a real API server.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { MIGRATE } from '../../../crds/labels.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import {
  CLUSTER_SET_LABEL,
  MANAGED_CLUSTER_SET,
  MANAGED_CLUSTER_SET_BINDING,
  PLACEMENT,
} from '../../../crds/ocm/placements.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import type { Kube } from '../../../kube/client.ts';
import { capp } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { startWebhook, type WebhookForTests } from '../../support/servers/chart/webhook.ts';

const NS = 'apps';

let stage: WebhookForTests;
let kube: Kube;
beforeAll(async () => {
  stage = await startWebhook([NS, 'placements', RCS_CONFIG_KEY.namespace], Date.now());
  ({ kube } = stage);
  // The API server may not trust the webhook's certificate yet for the first requests.
  await eventually(
    async () =>
      (await kube.raw('POST', DRY_RUN, { body: capp({ namespace: NS, name: 'warm-up' }) })) ?? undefined,
  );
  for (const name of ['site-1', 'site-2'])
    await kube.create(MANAGED_CLUSTER, named(MANAGED_CLUSTER, { name }, {}));
  await kube.create(RCS_CONFIG, named(RCS_CONFIG, RCS_CONFIG_KEY, { placements: ['default'] }));
}, 300_000);
afterAll(() => stage?.stop());
afterEach(() => expect(stage.faults).toEqual([]));

const DRY_RUN = `/apis/${CAPP.apiVersion}/namespaces/${NS}/capps?dryRun=All`;
const named = (kind: { apiVersion: string; kind: string }, metadata: object, spec: object) =>
  ({ apiVersion: kind.apiVersion, kind: kind.kind, metadata, spec }) as never;
const pinned = (site: string) =>
  kube.raw('POST', DRY_RUN, { body: capp({ namespace: NS, name: 'pinned', spec: { site } }) });
const refused = (field: string) => ({ code: 422, fields: [`${field}: FieldValueForbidden`] });

test('a Capp may name only a site in a clusterset of the placements, unless the RCSConfig allows any site', async () => {
  await expect(pinned('site-1')).rejects.toMatchObject(refused('spec.site'));
  await kube.create(
    PLACEMENT,
    named(PLACEMENT, { namespace: 'placements', name: 'default' }, { clusterSets: ['red'] }),
  );
  await kube.create(MANAGED_CLUSTER_SET, named(MANAGED_CLUSTER_SET, { name: 'red' }, {}));
  await kube.create(
    MANAGED_CLUSTER_SET_BINDING,
    named(MANAGED_CLUSTER_SET_BINDING, { namespace: 'placements', name: 'red' }, { clusterSet: 'red' }),
  );
  await kube.patch(
    MANAGED_CLUSTER,
    { namespace: null, name: 'site-1' },
    { metadata: { labels: { [CLUSTER_SET_LABEL]: 'red' } } },
  );
  await eventually(() => pinned('site-1'));
  await expect(pinned('site-2')).rejects.toMatchObject(refused('spec.site'));
  await kube.create<Capp>(CAPP, capp({ namespace: NS, name: 'free' }));
  const ask = (value: string) =>
    kube.patch(CAPP, { namespace: NS, name: 'free' }, { metadata: { annotations: { [MIGRATE]: value } } });
  await expect(ask('site-2#1')).rejects.toMatchObject(refused(`metadata.annotations[${MIGRATE}]`));
  await ask('site-1#1');
  await kube.patch(RCS_CONFIG, RCS_CONFIG_KEY, { spec: { pinning: 'Any' } });
  await eventually(() => pinned('site-2'));
});
