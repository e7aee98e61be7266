// Whose a Namespace is that no work of a Capp has made, on a site with two hubs: a Bundle of the second hub
// brings it, with Secrets, and the site's admin opens it by the command that the refusal gives.
import { CAPP } from '../../../../crds/capp/capp.ts';
import { CONFIG_MAP, NAMESPACE, SECRET } from '../../../../crds/kubernetes/core.ts';
import { HUB } from '../../../../crds/labels.ts';
import { pathOf, type KubeObject, type Resource } from '../../../../kube/resource.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import type { RawClient, Reply } from '../../../support/servers/api/identities.ts';
import {
  ADDON,
  CAPP_SPEC,
  make,
  OWNER,
  put,
  startGuardedSite,
  type GuardedSite,
} from '../../../support/testbeds/site/guarded-site.ts';
import { AGENT_OF_B, agentOfB, OF_A, OF_B } from '../../../support/testbeds/site/two-hubs.ts';

const OPENED = { 'rcs.dana.io/hub-capps': 'allowed' };
type Kind = readonly [string, Resource, object];
const A_CAPP: Kind = ['Capp', CAPP, CAPP_SPEC];
const KINDS: readonly Kind[] = [['Secret', SECRET, {}], ['ConfigMap', CONFIG_MAP, {}], A_CAPP];

let site: GuardedSite;
let person: RawClient;
/** OCM's work agents of the two hubs. */
let a: RawClient;
let b: RawClient;
beforeAll(async () => {
  site = await startGuardedSite();
  ({ agent: a, person } = site);
  b = await agentOfB(site.cluster);
  // What the site operator records when it begins: no Capp of a hub has run anywhere.
  await put(site.operator, CONFIG_MAP, { name: 'cappstan-namespaces', namespace: ADDON });
  await put(person, NAMESPACE, { name: 'opened-before', labels: OPENED });
  await put(
    a,
    CAPP,
    { name: 'runs', namespace: 'opened-before', labels: OF_A, ownerReferences: [OWNER] },
    CAPP_SPEC,
  );
  const record = pathOf(CONFIG_MAP, { namespace: ADDON, name: 'cappstan-hub' });
  expect((await person('PATCH', record, { data: { [AGENT_OF_B]: 'hub-b' } })).code).toBe(200);
  await put(person, NAMESPACE, { name: 'probe' });
  await eventually(async () =>
    (await bring(b, 'probe')).message.includes('rcs.dana.io/hub=hub-b') ? true : undefined,
  );
}, 300_000);
afterAll(() => site?.cluster.stop());

let count = 0;
/** As a work of a Capp brings it. */
function bring(as: RawClient, namespace: string, [, resource, rest]: Kind = A_CAPP): Promise<Reply> {
  const labels = as === a ? OF_A : OF_B;
  const name = `brought-${(count += 1)}`;
  return make(as, resource, { name, namespace, labels, ownerReferences: [OWNER] }, rest);
}

/** As a Bundle brings a Namespace, and a Secret into it: by server-side apply, and with no label of a hub. */
async function bundle(as: RawClient, namespace: string): Promise<void> {
  await put(as, NAMESPACE, { name: namespace });
  await put(as, SECRET, { name: 'of-the-bundle', namespace });
}

/** Does what a refusal tells the site's admin to do. */
async function obey({ message }: Reply): Promise<void> {
  const [, namespace = '', given = ''] = /kubectl label namespace (\S+) ([^'"]+)$/.exec(message.trim()) ?? [];
  const pairs = given.split(' ').filter((one) => !one.startsWith('--'));
  const labels = Object.fromEntries(pairs.map((one) => one.split('=')));
  const path = pathOf(NAMESPACE, { namespace: null, name: namespace });
  expect((await person('PATCH', path, { metadata: { labels } })).code).toBe(200);
}

/** How long a policy takes to see another label of a Namespace. */
const WAIT = { withinMs: 30_000 };

const opens = (as: RawClient, namespace: string) =>
  eventually(async () => ((await bring(as, namespace)).code === 201 ? true : undefined), WAIT);

test('a Namespace that a Bundle of the second hub made is opened to that hub alone, and the first hub gets at none of its Secrets', async () => {
  await bundle(b, 'team-b');
  const [byA, byB] = [await bring(a, 'team-b'), await bring(b, 'team-b')];
  expect([byA.code, byB.code]).toEqual([403, 403]);
  await obey(byB);
  await opens(b, 'team-b');
  for (const kind of KINDS) {
    expect((await bring(b, 'team-b', kind)).code).toBe(201);
    expect(await bring(a, 'team-b', kind)).toMatchObject({
      code: 403,
      message: expect.stringContaining('Namespace team-b of this site belongs to the Cappstan hub hub-b'),
    });
  }
  // Nor does its work take the label over.
  const path = pathOf(NAMESPACE, { namespace: null, name: 'team-b' });
  for (const as of [a, b])
    expect((await as('PATCH', path, { metadata: { labels: { [HUB]: 'hub-a' } } })).code).toBe(403);
});

test.each(KINDS)(
  'a Namespace that was opened without saying whose it is takes no new %s of either hub, until an admin says it',
  async (...kind) => {
    const namespace = `open-${kind[0].toLowerCase()}`;
    await bundle(b, namespace);
    const path = pathOf(NAMESPACE, { namespace: null, name: namespace });
    expect((await person('PATCH', path, { metadata: { labels: OPENED } })).code).toBe(200);
    const asked = async (as: RawClient): Promise<Reply> =>
      eventually(async () => {
        const reply = await bring(as, namespace, kind);
        return reply.message.includes('bears the label of no hub') ? reply : undefined;
      }, WAIT);
    for (const as of [a, b])
      expect(await asked(as)).toMatchObject({
        code: 403,
        message: expect.stringContaining('bears the label of no hub'),
      });
    await obey(await asked(b));
    await opens(b, namespace);
    expect((await bring(a, namespace, kind)).code).toBe(403);
  },
);

test('a Bundle that labels the Namespace that it makes keeps it from the other hub before anybody opens it', async () => {
  await put(b, NAMESPACE, { name: 'labelled', labels: { [HUB]: 'hub-b' } });
  const path = pathOf(NAMESPACE, { namespace: null, name: 'labelled' });
  expect((await person('PATCH', path, { metadata: { labels: OPENED } })).code).toBe(200);
  await opens(b, 'labelled');
  expect((await bring(a, 'labelled')).code).toBe(403);
  expect((await make(b, NAMESPACE, { name: 'forged', labels: { [HUB]: 'hub-a' } })).code).toBe(403);
});

test('what the first hub runs in a Namespace that was opened before the second came may change, and nothing new comes', async () => {
  const path = pathOf(CAPP, { namespace: 'opened-before', name: 'runs' });
  expect((await a('PATCH', path, { metadata: { annotations: { x: 'y' } } })).code).toBe(200);
  expect((await b('PATCH', path, { metadata: { annotations: { x: 'z' } } })).code).toBe(403);
  const refused = await bring(a, 'opened-before');
  expect([refused.code, (await bring(b, 'opened-before')).code]).toEqual([403, 403]);
  await obey(refused);
  await opens(a, 'opened-before');
  expect((await bring(b, 'opened-before')).code).toBe(403);
});

test('two hubs that an admin lets in together may both use a Namespace of which nothing says whose it is', async () => {
  const labels = { ...OPENED, 'rcs.dana.io/other-hubs': 'allowed' };
  await put(person, NAMESPACE, { name: 'both', labels });
  await opens(a, 'both');
  await opens(b, 'both');
  const live = await site.cluster.kube.get<KubeObject>(NAMESPACE, { namespace: null, name: 'both' });
  expect(live?.metadata.labels?.[HUB]).toBeUndefined();
});
