// A storm on a real API server: six clusters over forty hosts grow, shrink, go and come back, hosts fail and
// are edited by hand, and writes fail on their way. Whenever one looks, no rule is broken; in the end all
// have what they want.
import {
  BARE_METAL_HOST,
  CLUSTER_NAME,
  NODE_TYPE,
  type BareMetalHost,
} from '../../../../crds/metal/bare-metal-host.ts';
import { RESERVED_FOR } from '../../../../crds/metal/labels.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import type { Kube } from '../../../../kube/client.ts';
import { ApiError } from '../../../../kube/failure.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import type { Metal, SipRef } from '../../../../workflows/metal/port.ts';
import { random, type Random } from '../../../support/builders/random.ts';
import {
  changeRoles,
  live,
  makeCluster,
  makeHost,
  metalOn,
  role,
  roomFor,
  setStatus,
  hubWithHosts,
} from '../../../support/testbeds/metal/metal.ts';

let kube: Kube;
hubWithHosts((given) => (kube = given));

const RACK = 'rack';
const HOSTS = 40;
const CLUSTERS = 6;

/** A worker whose writes of hosts get lost, before or after the API server has them. */
function shaky(dice: Random): Kube {
  const around = async <T>(resource: Resource, write: () => Promise<T>): Promise<T> => {
    const lost = new ApiError({ method: 'PATCH', path: '/', code: 0, reason: 'Unreachable' });
    const fate = resource.kind === BARE_METAL_HOST.kind ? dice.next() : 1;
    if (fate < 0.05) throw lost;
    const done = await write();
    if (fate < 0.1) throw lost;
    return done;
  };
  const self: Kube = {
    ...kube,
    within: () => self,
    apply: <T extends KubeObject>(...[resource, object, options]: Parameters<Kube['apply']>) =>
      around(resource, () => kube.apply<T>(resource, object as T, options)),
    patch: <T extends KubeObject>(...[resource, key, body, options]: Parameters<Kube['patch']>) =>
      around(resource, () => kube.patch<T>(resource, key, body, options)),
  };
  return self;
}

const rolesFor = (namespace: string, dice: Random) => ({
  ControlPlane: role(namespace, Math.floor(dice.next() * 3), { topologyKey: RACK }),
  Worker: role(namespace, Math.floor(dice.next() * 5)),
});

/** The first rule that is broken by what is on the hub now; the spec may be newer than what has been done. */
async function breach(namespace: string): Promise<string | null> {
  const { items } = await kube.list<BareMetalHost>(BARE_METAL_HOST, { namespace });
  const racks = new Set<string>();
  for (const { metadata } of items) {
    const { labels = {}, annotations = {} } = metadata;
    const owner = labels[CLUSTER_NAME];
    if (owner === undefined && annotations[RESERVED_FOR] !== undefined)
      return `${metadata.name} has half a mark`;
    if (owner === undefined || labels[NODE_TYPE] !== 'ControlPlane') continue;
    const rack = `${owner} ${labels[RACK]}`;
    if (racks.has(rack)) return `${owner} has two control planes in one rack`;
    racks.add(rack);
  }
  return null;
}

async function reservedIn(ref: SipRef): Promise<string> {
  const { status } = (await kube.get<SipCluster>(SIP_CLUSTER, ref)) ?? {};
  const found = status?.conditions?.find(({ type }) => type === 'HostsReserved');
  return found === undefined ? 'nothing is said' : `${found.status} ${found.reason}`;
}

test('six clusters over forty hosts', async () => {
  const namespace = await roomFor(kube);
  const dice = random(32);
  const names = Array.from({ length: HOSTS }, (_, index) => `h${String(index).padStart(2, '0')}`);
  for (const [index, name] of names.entries())
    await makeHost(kube, namespace, name, { labels: { [RACK]: `r${index % 10}` } });
  const refs: SipRef[] = Array.from({ length: CLUSTERS }, (_, index) => ({ namespace, name: `c${index}` }));
  for (const ref of refs) await makeCluster(kube, ref, rolesFor(namespace, dice));
  let now = Date.now();
  const metal: Metal = metalOn(shaky(dice), { now: () => now });
  const attempt = (work: () => Promise<unknown>): Promise<unknown> => work().catch(() => undefined);

  const events: readonly (() => Promise<unknown>)[] = [
    () => changeRoles(kube, dice.pick(refs), rolesFor(namespace, dice)),
    async () => {
      const host = await kube.get<BareMetalHost>(BARE_METAL_HOST, { namespace, name: dice.pick(names) });
      const operationalStatus = dice.chance(0.3) ? 'error' : 'OK';
      return host === null ? null : setStatus(kube, host, { operationalStatus });
    },
    async () => {
      const name = dice.pick(names);
      await kube.remove(BARE_METAL_HOST, { namespace, name });
      return makeHost(kube, namespace, name, { labels: { [RACK]: `r${names.indexOf(name) % 10}` } });
    },
    async () => {
      const ref = dice.pick(refs);
      await kube.remove(SIP_CLUSTER, ref);
      await attempt(() => live(metal, ref));
      return makeCluster(kube, ref, rolesFor(namespace, dice));
    },
    async () => void (now += 700_000),
  ];
  for (let step = 0; step < 30; step += 1) {
    // Each cluster looks, and two reserve at once, as when a try of the authority comes late.
    const [one, other] = [dice.pick(refs), dice.pick(refs)];
    await Promise.all([
      attempt(dice.pick(events)),
      ...refs.map((ref) => attempt(() => metal.turnSipCluster(ref))),
      attempt(() => metal.reserveHosts(one)),
      one === other ? null : attempt(() => metal.reserveHosts(other)),
    ]);
    expect([step, await breach(namespace)]).toEqual([step, null]);
  }

  // It calms down: every host is well, and whoever can have what it wants has it.
  const calm = metalOn(kube, { now: () => now });
  for (const name of names) {
    const host = await kube.get<BareMetalHost>(BARE_METAL_HOST, { namespace, name });
    if (host !== null) await setStatus(kube, host, { operationalStatus: 'OK' });
  }
  for (const ref of refs) {
    // One whose deletion did not come to its end in the storm goes now.
    await live(calm, ref);
    if ((await kube.get(SIP_CLUSTER, ref)) === null) await makeCluster(kube, ref, rolesFor(namespace, dice));
  }
  // What one gives back in the first round another may want.
  for (const ref of [...refs, ...refs]) await live(calm, ref);
  for (const ref of refs) expect([ref, await reservedIn(ref)]).toEqual([ref, 'True Reserved']);
  for (const ref of refs) {
    await kube.remove(SIP_CLUSTER, ref);
    await live(calm, ref);
  }
  const { items } = await kube.list<BareMetalHost>(BARE_METAL_HOST, { namespace });
  expect(
    items.map(({ metadata: { labels, annotations = {} } }) => [Object.keys(labels ?? {}), annotations]),
  ).toEqual(items.map(() => [['rack', 'room'], {}]));
});
