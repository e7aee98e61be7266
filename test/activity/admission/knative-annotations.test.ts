// What Knative reads of a Capp beside its spec is checked when it is changed alone, by a real API server with
// the chart's match conditions; what it does not read goes on while no webhook answers.
import { CAPP } from '../../../crds/capp/capp.ts';
import { HAS_PLACEMENT } from '../../../crds/labels.ts';
import type { Kube } from '../../../kube/client.ts';
import { capp } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { HUB_USER, startWebhook, type WebhookForTests } from '../../support/servers/chart/webhook.ts';

const NS = 'apps';
const KEY = { namespace: NS, name: 'shop' };
const NAMED = { namespace: NS, name: 'named' };
const FIRST = { metadata: { name: 'named-first' } };

let stage: WebhookForTests;
let kube: Kube;
beforeAll(async () => {
  stage = await startWebhook([NS], Date.now());
  ({ kube } = stage);
  // The API server may not trust the webhook's certificate yet for the first requests.
  await eventually(() => kube.create(CAPP, capp(KEY)));
  const { spec } = capp(NAMED);
  const configurationSpec = { template: { ...spec.configurationSpec.template, ...FIRST } };
  await kube.create(CAPP, { ...capp(NAMED), spec: { ...spec, configurationSpec } });
}, 300_000);
afterAll(() => stage?.stop());
afterEach(() => expect(stage.faults).toEqual([]));

const annotate = (annotations: object, by = kube, key = KEY) =>
  by.patch(CAPP, key, { metadata: { annotations } });
const refused = (field: string) => ({
  code: 422,
  reason: 'Invalid',
  fields: [expect.stringContaining(`${field}: `)],
});

test.each([
  ['serving.knative.dev/rollout-duration', '5 minutes', '5m'],
  ['serving.knative.dev/rolloutDuration', '1500ms', '2s'],
  ['networking.knative.dev/http-protocol', 'https', 'redirected'],
  ['networking.knative.dev/visibility', 'private', 'cluster-local'],
])(
  'an annotation %s that no site can serve is refused although nothing else changes',
  async (name, bad, good) => {
    const field = `metadata.annotations[${name}]`;
    await expect(annotate({ [name]: bad })).rejects.toMatchObject(refused(field));
    await annotate({ [name]: good });
    await expect(annotate({ [name]: bad })).rejects.toMatchObject(refused(field));
    await annotate({ [name]: null });
  },
);

test('a label that makes another revision is refused while the revision keeps the name that the Capp gives it', async () => {
  const label = (labels: object, key = NAMED) => kube.patch(CAPP, key, { metadata: { labels } });
  await expect(label({ team: 'blue' })).rejects.toMatchObject(
    refused('spec.configurationSpec.template.metadata.name'),
  );
  await label({ 'helm.sh/chart': 'shop-2' });
  await label({ team: 'blue' }, KEY);
});

test('without a webhook what Knative reads waits, and all else is written', async () => {
  const hub = await stage.as(HUB_USER);
  await stage.without(async () => {
    for (const name of ['serving.knative.dev/rollout-duration', 'autoscaling.knative.dev/min-scale'])
      await expect(annotate({ [name]: '5' })).rejects.toMatchObject({ code: 500 });
    await annotate({ [HAS_PLACEMENT]: 'site-1', heartbeat: 'knative.dev/1' }, hub);
    await hub.patch(
      CAPP,
      KEY,
      { status: { applicationLinks: { site: 'site-1' } } },
      { subresource: 'status' },
    );
    await annotate({ note: 'serving.knative.dev/rollout-duration' });
    await kube.patch(CAPP, KEY, { metadata: { labels: { team: 'red' } } });
    await annotate({ [HAS_PLACEMENT]: 'site-2' }, hub, NAMED);
  });
});
