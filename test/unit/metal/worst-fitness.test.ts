// Bad free hosts before a good one, as many as a hub may have: how much of them a look reads, how often, and
// how often it plans with all of them. Who may write hosts decides how many are bad.
import { planFit } from '../../../activities/hub/metal/fitness.ts';
import { leftOut } from '../../../activities/hub/metal/services/report.ts';
import { HUB_TIMES } from '../../../activities/hub/times.ts';
import type { BareMetalHost } from '../../../crds/metal/bare-metal-host.ts';
import type { SipCluster } from '../../../crds/metal/sip-cluster.ts';
import type { Kube } from '../../../kube/client.ts';
import type { Resource } from '../../../kube/resource.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

describe('where no service could lead to the first free hosts', () => {
  /** So many bad ones before a good one; what is asked of the hub, and how often all hosts are planned. */
  function fleet(bad: number) {
    const read = new Map<string, number>();
    let [now, most, plans] = [0, 0, 0];
    const get = async (_secret: Resource, { name }: { name: string }) => {
      read.set(name, (read.get(name) ?? 0) + 1);
      most = Math.max(most, (now += 1));
      await new Promise(setImmediate);
      now -= 1;
      const networks = [{ id: 'oam', ip_address: '192.0.2.7' }];
      const networkData = Buffer.from(JSON.stringify({ networks })).toString('base64');
      return name === 'good' ? { metadata: { name }, data: { networkData } } : null;
    };
    const hosts = Array.from({ length: bad + 1 }, (_, index): BareMetalHost => {
      const networkData = { name: index < bad ? `net-${Math.floor(index / 2)}` : 'good' };
      const name = `h${String(index).padStart(5, '0')}`;
      const metadata = { namespace: 'metal', name, labels: { kind: 'large' } };
      return { metadata, spec: { networkData }, status: { operationalStatus: 'OK' } };
    });
    Object.defineProperty(hosts.at(-1)?.metadata.labels ?? {}, 'kind', {
      get: () => ((plans += 1), 'large'),
      enumerable: true,
    });
    const cluster = {
      metadata: { namespace: 'metal', name: 'edge', uid: 'uid' },
      spec: {
        nodes: { Worker: { labelSelector: { matchLabels: { kind: 'large' } }, count: { active: 1 } } },
        services: { loadBalancerWorker: [{ image: '', nodePort: 0, nodeInterfaceId: 'oam' }] },
      },
    } as unknown as SipCluster;
    const look = async (at = NOW) => {
      read.clear();
      plans = 0;
      const looking = { serves: new Set(['metal']), provisions: new Set<string>(), now: at };
      return planFit({ get } as unknown as Kube, cluster, hosts, looking);
    };
    const counts = () => ({ read: read.size, again: Math.max(...read.values()), most, plans });
    return { look, counts };
  }

  test('some are read at once, each Secret once, and all hosts are planned as often as their number has bits', async () => {
    const { look, counts } = fleet(200);
    const { plan, lookedAt } = await look();
    expect([plan.add, lookedAt]).toEqual([[{ key: 'metal/h00200', role: 'Worker' }], null]);
    const { read, again, most, plans } = counts();
    expect([read, again]).toEqual([101, 1]);
    expect([most > 4, most <= 10, plans < 12]).toEqual([true, true, true]);
  });

  test('a look reads some hundreds, and says so; later looks read others, until the good one is found', async () => {
    const { look, counts } = fleet(3_000);
    const later = Array.from({ length: 13 }, (_, index) => NOW + index * HUB_TIMES.hostsUnread.ms);
    const found: string[] = [];
    for (const at of later) {
      const { plan, lookedAt, faults } = await look(at);
      expect(counts().read).toBeLessThan(600);
      expect(counts().plans).toBeLessThan(14);
      expect(lookedAt).toBeLessThan(600);
      expect(leftOut(faults, lookedAt)).toContain(`Only ${lookedAt} free hosts were looked at`);
      found.push(...plan.add.map(({ key }) => key));
    }
    expect(new Set(found)).toEqual(new Set(['metal/h03000']));
  });
});
