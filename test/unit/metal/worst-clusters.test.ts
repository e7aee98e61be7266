// The worst that fits into a SIPCluster: as many labels to match as may be, and as many words of a person as
// an annotation holds.
import { planOf, seenHosts } from '../../../activities/hub/metal/ground.ts';
import { standingOf } from '../../../activities/hub/metal/status.ts';
import { ALLOW_WIPE } from '../../../crds/metal/labels.ts';
import type { LabelSelector } from '../../../crds/kubernetes/label-selector.ts';
import { selectedBy } from '../../../workflows/metal/plan/inventory.ts';
import { ChainWorld } from '../../support/builders/metal/chain-world.ts';
import { readAnew, worstHosts, worstSipCluster } from '../../support/builders/metal/worst-cluster.ts';
import { timesAsLong, timesAsLongWaiting } from '../../support/pace.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const SEEING = { provisions: new Set(['metal']), now: NOW };

test('four times as many hosts that all roles select take some four times as long to plan and to tell of', () => {
  const look = (count: number) => {
    const hosts = worstHosts(count);
    return () => {
      const cluster = readAnew(worstSipCluster(count));
      return standingOf(cluster, seenHosts(hosts, cluster, SEEING), planOf(cluster, hosts, SEEING));
    };
  };
  const [more, few] = [look(1_600), look(400)];
  expect(few().reserved).toBe('Short');
  expect(timesAsLong(8, more, few)).toBeLessThan(8);
});

test('a host is looked at once for a role, however often a look asks', () => {
  const read: string[] = [];
  const said: Record<string, string> = { rack: 'r1' };
  const labels = new Proxy(said, {
    get: (target, key: string) => {
      read.push(key);
      return target[key];
    },
  });
  const selector: LabelSelector = { matchLabels: { rack: 'r1' } };
  expect([1, 2, 3].map(() => selectedBy({ selector })({ labels }))).toEqual([true, true, true]);
  expect(read).toEqual(['rack']);
  // Another selector of the same words is another role's, and labels that were read again may be others.
  expect(selectedBy({ selector: { matchLabels: { rack: 'r2' } } })({ labels })).toBe(false);
  expect(selectedBy({ selector })({ labels: { rack: 'r2' } })).toBe(false);
});

const words = (count: number): string =>
  Array.from({ length: count }, (_, index) => index.toString(36)).join(',');

test('ten times as many words of a person are heard in some ten times as long, and are all gone then', async () => {
  const heard = async (count: number): Promise<void> => {
    const world = new ChainWorld({ hosts: ['a'] });
    world.asks(1);
    world.annotate(ALLOW_WIPE, words(count));
    await world.look();
    expect(world.cluster()?.metadata.annotations?.[ALLOW_WIPE]).toBeUndefined();
  };
  const [more, few] = [() => heard(40_000), () => heard(4_000)];
  expect(await timesAsLongWaiting(15, more, few)).toBeLessThan(15);
});
