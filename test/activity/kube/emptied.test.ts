// Parts that are emptied by a server-side apply are empty afterwards, of each kind that we apply to, on a
// real API server: also where a schema takes no null.
import { CAPP } from '../../../crds/capp/capp.ts';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { KNATIVE_SERVICE } from '../../../crds/kubernetes/knative.ts';
import { installKnative } from '../../../deploy/local/kubernetes/knative.ts';
import { applyStatus } from '../../../kube/apply-status.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { API_TIMEOUT_MS } from '../../../testbed/eventually.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';
import { serveOurs } from '../../support/servers/api/definitions.ts';

let server: ApiServerForTests;
let kube: Kube;
beforeAll(async () => {
  server = await startApiServer();
  kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await serveOurs(kube);
  await installKnative(kube, { domain: 'site-1.localhost' });
  await kube.create(NAMESPACE, { metadata: { name: 'apps' } });
}, 300_000);
afterAll(async () => {
  await kube?.close();
  await server?.stop();
});

type Specified = KubeObject & { readonly spec: unknown };

const containers = [{ name: 'app', image: 'i:1' }];
const capp = (spec: object, metadata: object = {}) => ({
  configurationSpec: { template: { metadata, spec: { containers } } },
  ...spec,
});
const service = (annotations: object, emptyDir: object) => ({
  template: { metadata: { annotations }, spec: { containers, volumes: [{ name: 'v', emptyDir }] } },
});
const ping = { name: 'tick', pingSourceConfiguration: { schedule: '* * * * *' } };

test.each<[what: string, kind: Resource, before: object, after: object, others?: object]>([
  ['scaleSpec', CAPP, capp({ scaleSpec: { minReplicas: 1 } }), capp({ scaleSpec: {} })],
  ['routeSpec', CAPP, capp({ routeSpec: { hostname: 'a' } }), capp({ routeSpec: {} })],
  [
    'two at once',
    CAPP,
    capp({ routeSpec: { hostname: 'a' }, scaleSpec: { minReplicas: 1 } }),
    capp({ routeSpec: {}, scaleSpec: {} }),
  ],
  [
    'nested',
    CAPP,
    capp({ requires: { labels: { matchLabels: { a: 'b' } }, claims: { matchLabels: { c: 'd' } } } }),
    capp({ requires: { labels: {}, claims: { matchLabels: { c: 'd' } } } }),
  ],
  [
    'sources',
    CAPP,
    capp({ eventSourcesSpec: { sources: [ping] } }),
    capp({ eventSourcesSpec: { sources: [] } }),
  ],
  [
    'all of the sources',
    CAPP,
    capp({ eventSourcesSpec: { sources: [ping] } }),
    capp({ eventSourcesSpec: {} }),
  ],
  ['annotations of a template', CAPP, capp({}, { annotations: { a: 'b' } }), capp({}, { annotations: {} })],
  ['annotations of a Knative Service', KNATIVE_SERVICE, service({ a: 'b' }, {}), service({}, {})],
  [
    'an emptyDir',
    KNATIVE_SERVICE,
    service({ a: 'b' }, { medium: 'Memory' }),
    service({ a: 'b' }, {}),
    service({ a: 'b' }, { medium: '' }),
  ],
])('%s of %o', async (what, kind, before, after, ends = after) => {
  const metadata = { namespace: 'apps', name: what.toLowerCase().replaceAll(' ', '-') };
  const options = { fieldManager: 'cappstan-test' };
  const apply = (spec: object) => kube.apply<Specified>(kind, { metadata, spec }, options);
  await apply(before);
  const written = await apply(after);
  expect(written.spec).toMatchObject(ends);
  const { spec } = (await apply(after)) as { spec: object };
  expect(spec).toMatchObject(ends);
  const filled = await apply(before);
  expect(filled.spec).toMatchObject(before);
});

test('a status that loses the parts of an object is written, by the version that was read', async () => {
  const metadata = { namespace: 'apps', name: 'told' };
  await kube.apply<Specified>(CAPP, { metadata, spec: capp({}) }, { fieldManager: 'cappstan-test' });
  const write = async (status: object) => {
    const live = await kube.get(CAPP, { namespace: 'apps', name: 'told' });
    const part = { status, fieldManager: 'cappstan-test', asRead: true };
    return applyStatus<KubeObject & { status: object }>(kube, CAPP, live as KubeObject, part);
  };
  await write({ applicationLinks: { site: 'a', consoleLink: 'b' }, knativeObjectStatus: { url: 'c' } });
  const emptied = { applicationLinks: {}, knativeObjectStatus: {} };
  expect((await write(emptied))?.status).toEqual(emptied);
});
