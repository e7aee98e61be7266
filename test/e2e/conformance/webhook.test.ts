// The Go operator's cases M-1 to M-5 and V-1 to V-11: what the webhook completes and refuses.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { LAST_UPDATED_BY } from '../../../crds/labels.ts';
import { PLACEMENT } from '../../../crds/ocm/placements.ts';
import { RELEASE_NAMESPACE } from '../../../deploy/local/cappstan/chart.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { capp, createCapp, newNamespace, readCapp, type CappOptions } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { configOf, configure } from '../../../testbed/rcs-config.ts';
import { createUser, type TestUser } from '../../../testbed/people/service-accounts.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

const DEFAULTS = { requests: { cpu: '100m', memory: '100Mi' }, limits: { memory: '200Mi' } };
const EXPLICIT = { requests: { cpu: '23m', memory: '23Mi' }, limits: { cpu: '123m', memory: '123Mi' } };
/** The pattern that the Go operator's quickstart forbids. */
const PATTERN = String.raw`^([a-zA-Z0-9-]+\.)*test\.[a-zA-Z0-9-]+\.(dana.io)$`;

let stack: TestbedStack;
let namespace: string;
let user: TestUser;
let ours: TestUser;
let putBack: () => Promise<void>;

beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'conformance-webhook');
  user = await createUser(stack, { namespace, name: 'test-user' }, namespace);
  ours = await createUser(stack, { namespace: RELEASE_NAMESPACE, name: `excluded-${namespace}` }, namespace);
  putBack = await configure(stack.hub, { defaultResources: DEFAULTS, invalidHostnamePatterns: [PATTERN] });
  await eventually(async () => resourcesOf(await tried({})));
});
afterAll(async () => {
  await putBack();
  await Promise.all([user.remove(), ours.remove()]);
  await stack.close();
});

/** Creates a Capp as a dry run, which the webhook checks as usual. */
const tried = (wish: Omit<CappOptions, 'namespace' | 'name'>): Promise<Capp> => {
  const path = `/apis/${CAPP.apiVersion}/namespaces/${namespace}/capps?dryRun=All`;
  return stack.hub.raw('POST', path, { body: capp({ namespace, name: 'tried', ...wish }) }) as Promise<Capp>;
};
const made = async (
  name: string,
  rest: Partial<CappOptions> = {},
): Promise<{ namespace: string; name: string }> => {
  await createCapp(stack.hub, { namespace, name, ...rest });
  return { namespace, name };
};
const resourcesOf = ({ spec }: Capp): unknown =>
  spec.configurationSpec.template.spec.containers[0]?.['resources'];
const authorOf = ({ metadata }: Capp): string | undefined => metadata.annotations?.[LAST_UPDATED_BY];
const withHost = (hostname: string) => ({ spec: { routeSpec: { hostname } } });

test('M-1 last-updated-by names the creator of a Capp', async () => {
  expect(authorOf(await tried({}))).toBe('kubernetes-admin');
});

test("M-2 another user's change of the spec sets last-updated-by, a change of metadata does not", async () => {
  const key = await made('shared');
  await user.kube.patch(CAPP, key, { metadata: { annotations: { note: 'no change of the spec' } } });
  expect(authorOf(await readCapp(stack.hub, key))).toBe('kubernetes-admin');
  await user.kube.patch(CAPP, key, { spec: { scaleMetric: 'cpu' } });
  expect(authorOf(await readCapp(stack.hub, key))).toBe(user.username);
});

test("M-3 a change by a ServiceAccount of the control plane's namespace keeps last-updated-by", async () => {
  const key = await made('tended');
  await ours.kube.patch(CAPP, key, { spec: { scaleMetric: 'cpu' } });
  const tended = await readCapp(stack.hub, key);
  expect([tended.spec.scaleMetric, authorOf(tended)]).toEqual(['cpu', 'kubernetes-admin']);
});

test('M-4 a container without resources gets the configured ones', async () => {
  expect(resourcesOf(await tried({}))).toEqual(DEFAULTS);
});

test('M-5 the resources of a container are kept', async () => {
  expect(resourcesOf(await tried({ container: { resources: EXPLICIT } }))).toEqual(EXPLICIT);
});

test('V-1 a spec.site that names no cluster is refused', async () => {
  await expect(tried({ spec: { site: 'my-cluster' } })).rejects.toMatchObject(refused('spec.site'));
});

test('V-2 a spec.site that names a Placement outside the RCSConfig is refused', async () => {
  const { placementsNamespace } = await configOf(stack.hub);
  const key = { namespace: placementsNamespace, name: `${namespace}-unlisted` };
  await stack.hub.create(PLACEMENT, { metadata: key, spec: {} } as KubeObject);
  await expect(tried({ spec: { site: key.name } })).rejects.toMatchObject(refused('spec.site'));
  await stack.hub.remove(PLACEMENT, key);
});

test('V-3 a hostname that is no valid domain name is refused', async () => {
  await expect(tried(withHost('...aaa.a....'))).rejects.toMatchObject(refused('spec.routeSpec.hostname'));
});

test('V-4 (replaced) a hostname is refused when another Capp has it; DNS is not asked', async () => {
  await expect(tried(withHost('google.com'))).resolves.toMatchObject(withHost('google.com'));
  await made('holder', withHost(`${namespace}.taken.example.com`));
  const second = async (): Promise<unknown> =>
    tried(withHost(`${namespace}.taken.example.com`)).then(() => undefined, String);
  expect(await eventually(second)).toContain('422');
});

test("V-5 a hostname in the clusters' own domain is refused", async () => {
  await expect(tried(withHost('invalid.svc.cluster.local'))).rejects.toMatchObject(
    refused('spec.routeSpec.hostname'),
  );
});

test('V-6 a hostname that matches a forbidden pattern is refused', async () => {
  await expect(tried(withHost('invalid.test.dana-cluster.dana.io'))).rejects.toMatchObject(
    refused('spec.routeSpec.hostname'),
  );
});

test('V-7 an unused hostname is accepted', async () => {
  await expect(tried(withHost(`${namespace}.com`))).resolves.toMatchObject(withHost(`${namespace}.com`));
});

test('V-8 an unchanged hostname is not checked again', async () => {
  const host = withHost(`settled.${namespace}.dana.io`);
  const key = await made('settled', host);
  const undo = await configure(stack.hub, { invalidHostnamePatterns: [PATTERN, '^settled'] });
  await eventually(async () =>
    tried(withHost(`settled.${namespace}.example.com`)).then(() => undefined, String),
  );
  await stack.hub.patch(CAPP, key, { spec: { scaleMetric: 'rps' } });
  expect((await readCapp(stack.hub, key)).spec).toMatchObject({ scaleMetric: 'rps', ...host.spec });
  await undo();
});

test('V-9 an unknown log type is refused', async () => {
  await expect(tried({ spec: { logSpec: { type: 'unsupported' } } })).rejects.toMatchObject(
    refused('spec.logSpec.type'),
  );
});

test('V-10 an elastic logSpec with only a host is refused, and each missing field is named', async () => {
  const logSpec = { type: 'elastic', host: 'elastic.example.com' };
  await expect(tried({ spec: { logSpec } })).rejects.toMatchObject(
    refused('spec.logSpec.index', 'spec.logSpec.user', 'spec.logSpec.passwordSecret'),
  );
});

test('V-11 a complete elastic logSpec is accepted before its Secret exists', async () => {
  const logSpec = {
    type: 'elastic',
    host: 'elastic.example.com',
    index: 'apps',
    user: 'writer',
    passwordSecret: 'not-there-yet',
  };
  await expect(tried({ spec: { logSpec } })).resolves.toMatchObject({ spec: { logSpec } });
});

/** The API server's answer to a Capp that is refused because of these fields. */
function refused(...fields: readonly string[]): object {
  return {
    code: 422,
    fields: expect.arrayContaining(fields.map((field) => expect.stringContaining(`${field}: `))),
  };
}
