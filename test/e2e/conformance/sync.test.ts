// The Go operator's cases S-1 to S-9, S-11 and S-12: the content of a Capp's ManifestWork, its creation and
// its deletion.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { CONFIG_MAP, SECRET } from '../../../crds/kubernetes/core.ts';
import { FINALIZER, MANAGED_BY, MANAGED_BY_HUB } from '../../../crds/labels.ts';
import {
  createCapp,
  newNamespace,
  readCapp,
  siteOf,
  untilGone,
  untilReady,
  type CappOptions,
  manifestIn,
  manifestsOf,
  workOf,
} from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

const LABELLED = { metadata: { labels: { [MANAGED_BY]: MANAGED_BY_HUB } } };
const PASSWORD = { type: 'Opaque', data: { password: btoa('not so secret') } };
const REGISTRY = {
  type: 'kubernetes.io/dockerconfigjson',
  data: { '.dockerconfigjson': btoa('{"auths":{}}') },
};
const TEXTS = { data: { greeting: 'hello' } };
const BYTES = { binaryData: { logo: btoa('\u0000\u0001') } };

type Kind = typeof SECRET | typeof CONFIG_MAP;
interface Case {
  readonly id: string;
  readonly title: string;
  readonly kind: Kind;
  readonly content: object;
  readonly wish: Pick<CappOptions, 'container' | 'pod'>;
}

const mounted = (source: object): Case['wish'] => ({
  container: { volumeMounts: [{ name: 'mounted', mountPath: '/mounted' }] },
  pod: { volumes: [{ name: 'mounted', ...source }] },
});
const inEnv = (valueFrom: object): Case['wish'] => ({ container: { env: [{ name: 'GIVEN', valueFrom }] } });

const CASES: readonly Case[] = [
  {
    id: 's-3',
    title: 'a Secret that is mounted',
    kind: SECRET,
    content: PASSWORD,
    wish: mounted({ secret: { secretName: 's-3' } }),
  },
  {
    id: 's-4',
    title: 'a Secret in envFrom',
    kind: SECRET,
    content: PASSWORD,
    wish: { container: { envFrom: [{ secretRef: { name: 's-4' } }] } },
  },
  {
    id: 's-5',
    title: 'a Secret in env',
    kind: SECRET,
    content: PASSWORD,
    wish: inEnv({ secretKeyRef: { name: 's-5', key: 'password' } }),
  },
  {
    id: 's-6',
    title: 'a mounted ConfigMap with only binaryData',
    kind: CONFIG_MAP,
    content: BYTES,
    wish: mounted({ configMap: { name: 's-6' } }),
  },
  {
    id: 's-7',
    title: 'a ConfigMap in envFrom',
    kind: CONFIG_MAP,
    content: TEXTS,
    wish: { container: { envFrom: [{ configMapRef: { name: 's-7' } }] } },
  },
  {
    id: 's-8',
    title: 'a ConfigMap in env',
    kind: CONFIG_MAP,
    content: TEXTS,
    wish: inEnv({ configMapKeyRef: { name: 's-8', key: 'greeting' } }),
  },
  {
    id: 's-9',
    title: 'an image pull secret',
    kind: SECRET,
    content: REGISTRY,
    wish: { pod: { imagePullSecrets: [{ name: 's-9' }] } },
  },
];

let stack: TestbedStack;
let namespace: string;
let first: string;
let second: string;

beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'conformance-sync');
  [first = '', second = ''] = stack.sites;
  for (const { id, kind, content } of CASES)
    await stack.hub.create(kind, { metadata: { namespace, name: id }, ...content });
  for (const { id, wish } of CASES) await createCapp(stack.hub, { namespace, name: id, ...wish });
  for (const name of ['plain', 'brief']) await createCapp(stack.hub, { namespace, name });
  await createCapp(stack.hub, { namespace, name: 'moved', spec: { site: first } });
});
afterAll(() => stack.close());

const ready = (name: string): Promise<Capp> => untilReady(stack.hub, { namespace, name });

test('S-1 a placed Capp has the finalizer', async () => {
  expect((await ready('plain')).metadata.finalizers).toEqual([FINALIZER]);
});

test("S-2 a deleted Capp's work is removed, and with it the site's Capp", async () => {
  const key = { namespace, name: 'brief' };
  const site = siteOf(await ready('brief'));
  expect(await workOf(stack.hub, key, site)).not.toBeNull();
  await stack.hub.remove(CAPP, key);
  await untilGone(stack.hub, key);
  expect(await workOf(stack.hub, key, site)).toBeNull();
  expect(await stack.site(site).get(CAPP, key)).toBeNull();
});

test.each(CASES.map((one) => [one.id.toUpperCase(), one.title, one] as const))(
  '%s %s is in the work with its label and full content, and on the site',
  async (_id, _title, { id, kind, content }) => {
    const site = siteOf(await ready(id));
    const work = await workOf(stack.hub, { namespace, name: id }, site);
    expect(manifestIn(work, kind.kind, id)).toMatchObject({ ...content, ...LABELLED });
    expect(await stack.site(site).get(kind, { namespace, name: id })).toMatchObject(content);
  },
);

test('S-11 a work contains the labelled Namespace and then the labelled Capp, without its status and finalizers', async () => {
  const work = await workOf(stack.hub, { namespace, name: 'plain' }, siteOf(await ready('plain')));
  const [made] = manifestsOf(work);
  const shipped = manifestIn(work, 'Capp', 'plain');
  expect(made).toMatchObject({ kind: 'Namespace', ...LABELLED });
  expect(made?.metadata.name).toBe(namespace);
  expect(shipped).toMatchObject(LABELLED);
  expect(shipped['status']).toBeUndefined();
  expect(shipped.metadata).not.toHaveProperty('finalizers');
});

test('S-12 (replaced) an edited spec.site moves the Capp: its work is on the new site and no longer on the old one', async () => {
  const key = { namespace, name: 'moved' };
  expect(siteOf(await ready('moved'))).toBe(first);
  await stack.hub.patch(CAPP, key, { spec: { site: second } });
  await eventually(
    async () => {
      expect(await workOf(stack.hub, key, first)).toBeNull();
      return true;
    },
    { withinMs: 180_000, everyMs: 200 },
  );
  expect(siteOf(await readCapp(stack.hub, key))).toBe(second);
  expect(manifestIn(await workOf(stack.hub, key, second), 'Capp', 'moved')).toMatchObject({
    spec: { site: second },
    ...LABELLED,
  });
});
