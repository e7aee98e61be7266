// The webhook with two sites and an RCSConfig, and requests for Capps that it is asked about.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import { LAST_UPDATED_BY } from '../../../../crds/labels.ts';
import { MANAGED_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import { capp } from '../../../../testbed/capps.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { startWebhook, type WebhookForTests } from '../../servers/chart/webhook.ts';

/** The namespace of the Capps. */
export const NS = 'apps';
/** The resources that the RCSConfig gives. */
export const DEFAULTS = {
  requests: { cpu: '100m', memory: '100Mi' },
  limits: { cpu: '200m', memory: '200Mi' },
};
const DRY_RUN = `/apis/${CAPP.apiVersion}/namespaces/${NS}/capps?dryRun=All`;

/** A Capp of that name in the namespace of the Capps. */
export const cappNamed = (name: string, rest: object = {}) => capp({ namespace: NS, name, ...rest });
export const cluster = (name: string) => ({
  apiVersion: MANAGED_CLUSTER.apiVersion,
  kind: MANAGED_CLUSTER.kind,
  metadata: { name },
});
const config = (spec: object): never =>
  ({
    apiVersion: RCS_CONFIG.apiVersion,
    kind: RCS_CONFIG.kind,
    metadata: RCS_CONFIG_KEY,
    spec: { placements: ['default'], ...spec },
  }) as never;
export const authorOf = ({ metadata }: Capp) => metadata.annotations?.[LAST_UPDATED_BY];

/** Starts it for the tests of a file, and gives it away. Call it once, at the top. */
export function askedCapps(use: (stage: WebhookForTests) => void) {
  let stage: WebhookForTests;
  const create = (name: string, rest: object = {}) => stage.kube.create<Capp>(CAPP, cappNamed(name, rest));
  const dryRun = (object: Capp) => stage.kube.raw('POST', DRY_RUN, { body: object }) as Promise<Capp>;
  beforeAll(async () => {
    stage = await startWebhook([NS, 'others', RCS_CONFIG_KEY.namespace], Date.now());
    use(stage);
    const { kube } = stage;
    for (const name of ['site-1', 'site-2']) await kube.create(MANAGED_CLUSTER, cluster(name));
    // The API server may not trust the webhook's certificate yet for the first requests.
    await eventually(
      async () => (await kube.raw('POST', DRY_RUN, { body: cappNamed('warm-up') })) ?? undefined,
    );
    await kube.create(
      RCS_CONFIG,
      config({ defaultResources: DEFAULTS, invalidHostnamePatterns: ['forbidden'], pinning: 'Any' }),
    );
    await eventually(async () =>
      (await dryRun(cappNamed('warm-up'))).spec.configurationSpec.template.spec.containers[0]?.['resources']
        ? true
        : undefined,
    );
  }, 300_000);
  afterAll(() => stage?.stop());
  afterEach(() => expect(stage.faults).toEqual([]));
  return { create, dryRun };
}
