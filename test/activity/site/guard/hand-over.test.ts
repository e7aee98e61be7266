// A site is handed over to another hub by the command of docs/recover.md: the former hub lets go of what it
// has there, and the next one takes it over.
import { CAPP } from '../../../../crds/capp/capp.ts';
import { CONFIG_MAP, NAMESPACE, SECRET } from '../../../../crds/kubernetes/core.ts';
import { HUBS_OF_SITE } from '../../../../crds/site-hubs.ts';
import { resourceOf } from '../../../../deploy/local/kubernetes/apply.ts';
import { keyOf, pathOf } from '../../../../kube/resource.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import type { RawClient } from '../../../support/servers/api/identities.ts';
import {
  at,
  CAPP_SPEC,
  make,
  NS,
  OWNER,
  put,
  startGuardedSite,
  type GuardedSite,
} from '../../../support/testbeds/site/guarded-site.ts';
import {
  AGENT_OF_A,
  AGENT_OF_B,
  agentOfB,
  bring,
  codes,
  isShared,
  left,
  OF_A,
  OF_B,
  runDocumented,
} from '../../../support/testbeds/site/two-hubs.ts';

const OF_OTHER_WORK = { ...OWNER, name: `${'b'.repeat(64)}-mw-create-team-of-a-hello`, uid: 'u2' };

let site: GuardedSite;
/** OCM's work agents of the former hub and of the next one. */
let a: RawClient;
let b: RawClient;
beforeAll(async () => {
  site = await startGuardedSite();
  a = site.agent;
  b = await agentOfB(site.cluster);
  await put(a, CAPP, { name: 'of-a', labels: OF_A, ownerReferences: [OWNER] }, CAPP_SPEC);
  await put(a, NAMESPACE, { name: 'team-of-a', labels: OF_A });
  for (const [resource, rest] of [[CAPP, CAPP_SPEC] as const, [SECRET, {}] as const])
    await put(a, resource, { ...HELLO, labels: OF_A, ownerReferences: [OWNER] }, rest);
  expect(codes(await bring(site.cluster, b, 'hub-b'))).toEqual([403]);
  await runDocumented(site.cluster, 'recover.md', 'patch configmap cappstan-hub', { id: 'hub-b' });
}, 300_000);
afterAll(() => site?.cluster.stop());

const HELLO = { name: 'hello', namespace: 'team-of-a' };
const ANNOTATED = { metadata: { annotations: { a: 'b' } } };

test('belongs to the next hub then, and brings nothing new of the former one', async () => {
  await eventually(async () =>
    codes(await bring(site.cluster, b, 'hub-b')).includes(403) ? undefined : true,
  );
  const former = await bring(site.cluster, a, 'hub-a');
  expect(codes(former.filter(isShared))).toEqual([403]);
  expect((await make(a, CAPP, { name: 'new', labels: OF_A }, CAPP_SPEC)).code).toBe(403);
  expect((await make(b, CAPP, { name: 'of-b', labels: OF_B }, CAPP_SPEC)).code).toBe(201);
});

test('lets the next hub take over a Capp of the same name, with all that comes with it', async () => {
  const over = { metadata: { labels: OF_B, ownerReferences: [OWNER, OF_OTHER_WORK] } };
  const namespace = pathOf(NAMESPACE, { namespace: null, name: 'team-of-a' });
  expect((await b('PATCH', namespace, ANNOTATED)).code).toBe(200);
  for (const resource of [SECRET, CAPP])
    expect((await b('PATCH', pathOf(resource, HELLO), over)).code).toBe(200);
  const more = { name: 'more', namespace: 'team-of-a', labels: OF_B, ownerReferences: [OF_OTHER_WORK] };
  expect((await make(b, SECRET, more)).code).toBe(201);
  // The former hub does not take it back, and its work lets go of it.
  expect((await a('PATCH', pathOf(CAPP, HELLO), { metadata: { labels: OF_A } })).code).toBe(403);
  const released = { metadata: { ownerReferences: [OF_OTHER_WORK] } };
  expect((await a('PATCH', pathOf(CAPP, HELLO), released)).code).toBe(200);
});

test('lets the former hub change and delete what is its own, so that it can be detached', async () => {
  expect((await a('PATCH', at(CAPP, 'of-a'), ANNOTATED)).code).toBe(200);
  const own = (await bring(site.cluster, a, 'hub-a')).filter((one) => !isShared(one));
  expect([own.length > 8, codes(own)]).toEqual([true, [200]]);
  // An agent of nobody can do it as well: whoever names the next hub's agent makes the former one's that.
  await site.cluster.kube.patch(CONFIG_MAP, HUBS_OF_SITE, { data: { [AGENT_OF_B]: 'hub-b' } });
  await eventually(async () =>
    (await make(a, CAPP, { name: 'probe', namespace: NS, labels: OF_B }, CAPP_SPEC)).code === 403
      ? true
      : undefined,
  );
  expect((await a('DELETE', at(CAPP, 'of-a'))).code).toBe(200);
  expect((await a('DELETE', at(CAPP, 'of-b'))).code).toBe(403);
  // What the next hub has taken over it lets go of once the record gives its agent to that hub.
  const taken = pathOf(SECRET, HELLO);
  const released = { metadata: { ownerReferences: [OF_OTHER_WORK] } };
  expect((await a('PATCH', taken, released)).code).toBe(403);
  await site.cluster.kube.patch(CONFIG_MAP, HUBS_OF_SITE, { data: { [AGENT_OF_A]: 'hub-b' } });
  await eventually(async () => ((await a('PATCH', taken, released)).code === 200 ? true : undefined));
  for (const { object } of own) {
    if (object.metadata.annotations?.['addon.open-cluster-management.io/deletion-orphan'] !== undefined)
      continue;
    const { apiVersion = '', kind = '' } = object;
    const resource = await resourceOf(site.cluster.kube, { apiVersion, kind });
    expect((await a('DELETE', pathOf(resource, keyOf(object)))).code).toBe(200);
  }
});

test('has nothing of the former hub after the commands of docs/hubs.md, and all of the next', async () => {
  const [ofA, ofB] = [await left(site.cluster, 'hub-a'), await left(site.cluster, 'hub-b')];
  expect(ofA.map((one) => one.split(' ')[0])).toEqual(
    expect.arrayContaining([
      'ClusterRole',
      'ClusterRoleBinding',
      'NetworkPolicy',
      'ValidatingAdmissionPolicy',
    ]),
  );
  await runDocumented(site.cluster, 'hubs.md', 'sha256sum', { 'id of the former hub': 'hub-a' });
  expect([await left(site.cluster, 'hub-a'), await left(site.cluster, 'hub-b')]).toEqual([[], ofB]);
});
