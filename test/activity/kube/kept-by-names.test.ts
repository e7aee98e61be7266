// A list that a schema keeps by names is nobody's once it is applied empty, and stays when it is not applied
// any more: so no Knative Service has one, whatever its Capp says. On a real API server, with Knative's CRD.
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { KNATIVE_SERVICE, type KnativeService } from '../../../crds/kubernetes/knative.ts';
import { installKnative } from '../../../deploy/local/kubernetes/knative.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { isFields } from '../../../kube/fields.ts';
import { API_TIMEOUT_MS } from '../../../testbed/eventually.ts';
import { serviceOf } from '../../support/corpus/as-service.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';

let server: ApiServerForTests;
let kube: Kube;
beforeAll(async () => {
  server = await startApiServer();
  kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await installKnative(kube, { domain: 'site-1.localhost' });
  await kube.apply(NAMESPACE, { metadata: { name: 'default' } }, { fieldManager: 'test' });
}, 300_000);
afterAll(async () => {
  await kube?.close();
  await server?.stop();
});

/** The lists of a schema that are kept by names, but for those within what is kept whole. */
function listsIn(schema: unknown, place: string): string[] {
  if (!isFields(schema)) return [];
  const type = schema['x-kubernetes-list-type'];
  if (schema['type'] === 'array') return type === 'map' || type === 'set' ? [place] : [];
  const { properties } = schema;
  return Object.entries(isFields(properties) ? properties : {}).flatMap(([name, part]) =>
    listsIn(part, place === '' ? name : `${place}.${name}`),
  );
}

const POD = 'spec.template.spec';

test('Knative keeps by names of a Service what is left out where it is empty', async () => {
  const definition = await kube.raw(
    'GET',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/services.serving.knative.dev',
  );
  const { spec } = definition as { readonly spec: { readonly versions: unknown } };
  const [first] = spec.versions as readonly { readonly schema: { readonly openAPIV3Schema: unknown } }[];
  const lists = listsIn(first?.schema.openAPIV3Schema, '').filter((list) => list.startsWith('spec.'));
  expect(lists).toEqual([`${POD}.imagePullSecrets`, `${POD}.volumes`]);
});

test.each([
  ['imagePullSecrets', [{ name: 'pull' }]],
  ['volumes', [{ name: 'scratch', emptyDir: {} }]],
])('%s that an edit empties, and another one takes out, is gone', async (field, filled) => {
  const containers = [{ name: 'app', image: 'app:v1' }];
  const name = field.toLowerCase();
  const apply = async (pod: object) => {
    const made = serviceOf({ template: { spec: { containers, ...pod } } });
    const service = { ...made, metadata: { ...made.metadata, name } };
    const by = { fieldManager: 'cappstan-site', force: true };
    const { spec } = await kube.apply<KnativeService>(KNATIVE_SERVICE, service, by);
    return spec?.template?.spec;
  };
  expect(await apply({ [field]: filled })).toMatchObject({ [field]: filled });
  for (const pod of [{ [field]: [] }, {}]) expect(await apply(pod)).not.toHaveProperty(field);
});
