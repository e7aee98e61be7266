// From free hosts to services and back, with each write of the hub worker once not done, once done without an
// answer, once done twice, and once done late: it reserves, serves, grows, shrinks, replaces and goes. No
// host is free while a jump host leads there, and in the end nothing is left.
import { reserveFor } from '../../../../activities/hub/metal/reserve.ts';
import { CONFIG_MAP, CORE_SERVICE, DEPLOYMENT, SECRET } from '../../../../crds/kubernetes/core.ts';
import { BARE_METAL_HOST, type BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import { SIP_CLUSTER } from '../../../../crds/metal/sip-cluster.ts';
import { ApiError } from '../../../../kube/failure.ts';
import type { KubeRequest } from '../../../../kube/http/transport.ts';
import {
  hubInMemory,
  NAMESPACE,
  REF,
  type HubInMemory,
} from '../../../support/builders/metal/hub-in-memory.ts';
import { JUMP, look, MINUTE, NOW } from '../../../support/builders/metal/served-hub.ts';
import { KINDS, trouble } from '../../../support/builders/metal/trouble.ts';

const NAMESPACES = { serves: new Set([NAMESPACE]), provisions: new Set<string>() };
const HOSTS = ['a', 'b', 'c', 'd'];
type Way = (request: KubeRequest, send: () => unknown) => unknown;

/**
 * What the workflows do, and those who play Kubernetes, until it is so. A worker that dies is started again.
 */
async function until(hub: HubInMemory, holds: () => boolean, now = NOW): Promise<void> {
  for (let passes = 0; passes < 30; passes += 1) {
    try {
      const turned = await look(hub.kube, [NAMESPACE], now);
      if (turned.outcome === 'Turned' && turned.needsHosts)
        await reserveFor(hub.kube, REF, () => now, NAMESPACES);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
    hub.bringUp();
    hub.podsEnd();
    if (holds()) return;
  }
  throw new Error(`it did not come so: ${hub.happened.join('; ')}`);
}

/** Hosts that were free while the newest jump host led there. */
function tooEarly(happened: readonly string[]): string[] {
  let led: readonly string[] = [];
  return happened.filter((one) => {
    const [, hosts] = /^jumphost-shop leads to (.*)$/.exec(one) ?? [];
    if (hosts !== undefined) led = hosts.split(', ');
    if (one === 'jumphost-shop is gone') led = [];
    const [, host] = /^(\S+) is free$/.exec(one) ?? [];
    return host !== undefined && led.includes(host);
  });
}

async function story(way?: Way): Promise<void> {
  const hub = hubInMemory(JUMP, { workers: 0, ...(way === undefined ? {} : { way }) });
  for (const host of HOSTS) hub.free(host);
  const has = (count: number) => (): boolean =>
    hub.reserved().length === count && hub.condition('Ready') === 'True ReconciliationSucceeded';
  hub.wants(2);
  await until(hub, has(2));
  hub.wants(3);
  await until(hub, has(3));
  hub.wants(1);
  await until(hub, has(1));
  const [failed = ''] = hub.reserved();
  hub.server.put<BareMetalHost>(BARE_METAL_HOST, { namespace: NAMESPACE, name: failed }, (before) =>
    before === null ? null : { ...before, status: { operationalStatus: 'error' } },
  );
  await until(hub, () => hub.message('HostsReserved').includes(failed));
  await until(hub, () => has(1)() && !hub.reserved().includes(failed), NOW + 30 * MINUTE);
  hub.server.remove(SIP_CLUSTER, REF);
  await until(hub, () => hub.server.all(SIP_CLUSTER).length === 0, NOW + 30 * MINUTE);
  // What comes late comes now at the latest, and is found by the look at what is gone.
  for (let looks = 0; looks < 3; looks += 1) await look(hub.kube).catch(() => null);
  expect(tooEarly(hub.happened)).toEqual([]);
  const marked = (hub.server.all(BARE_METAL_HOST) as BareMetalHost[]).filter(
    ({ metadata: { labels = {}, annotations = {} } }) =>
      Object.keys({ ...labels, ...annotations }).length > 0,
  );
  expect(marked.map(({ metadata }) => metadata.name)).toEqual([]);
  const made = [DEPLOYMENT, CORE_SERVICE, CONFIG_MAP, SECRET].flatMap((kind) => hub.server.all(kind));
  expect(made.map(({ metadata }) => metadata.name).filter((name) => name.includes('shop'))).toEqual([]);
}

const { way: counted, count } = trouble(-10, 'is not done');
await story(counted);
const WRITES = count();

test('the story has its writes', () => {
  expect(WRITES).toBeGreaterThan(20);
});

test.each(KINDS)(
  'each write once %s',
  async (kind) => {
    for (let nth = 1; nth <= WRITES; nth += 1)
      await story(trouble(nth, kind).way).catch((error: unknown) => {
        throw new Error(`write ${nth} ${kind}: ${String(error)}`);
      });
  },
  120_000,
);
