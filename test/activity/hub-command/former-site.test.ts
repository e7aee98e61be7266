// Who had a name before, at a hub that runs by `cappstan hub`, with OCM's own controllers: a thief with a
// certificate of an agent, tried at the works of each cluster of that name. And who comes in by clusteradm,
// and what Temporal's web interface lets whoever is on the machine do.
import { randomBytes } from 'node:crypto';
import { freshToken } from '../../../crds/join/bootstrap-token.ts';
import { parseJoinLine } from '../../../crds/join/join-line.ts';
import { recordIn, recordKey } from '../../../crds/join/name-record.ts';
import { CONFIG_MAP } from '../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER, MANIFEST_WORK, type ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { registering, visiting } from '../../support/servers/hub-command/as-clusteradm.ts';
import { clusteradmAccept, clusteradmToken } from '../../support/servers/hub-command/clusteradm-accepts.ts';
import { portOf } from '../../support/servers/hub-command/hub-doors.ts';
import { startHub, type HubStarted } from '../../support/servers/hub-command/started-hub.ts';
import { forPeople } from '../../support/servers/joining/join-command.ts';
import { codesOfActs } from '../../support/servers/network/temporal-ui.ts';
import { certified, reads, type Certified } from '../../support/testbeds/join/certified.ts';

const LONG = { withinMs: 120_000 };
const DAY = 86_400_000;

let hub: HubStarted;
const clients: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  hub = await startHub(undefined, ['--temporal-ui', 'on']);
}, 600_000);
afterAll(async () => {
  for (const one of clients) await one.close();
  await hub?.kube.close();
  await hub?.remove();
}, 120_000);

const people = (...args: string[]) => forPeople([...args, '--kubeconfig', hub.kubeconfig]);
const clusterOf = (name: string): Promise<ManagedCluster | null> =>
  hub.kube.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name });
const isAccepted = async (name: string): Promise<true | undefined> =>
  (await clusterOf(name))?.spec?.hubAcceptsClient === true ? true : undefined;
const may = (who: Certified, cluster: string, expected: boolean): Promise<true> =>
  eventually(async () => ((await reads(who, cluster, MANIFEST_WORK)) === expected ? true : undefined), LONG);

/** Somebody comes with the line that `cappstan token` has printed, and is accepted by it. */
async function comesBy(printed: string, cluster: string): Promise<Certified> {
  const token = parseJoinLine(printed.trim())?.token ?? { id: '', secret: '' };
  const visitor = await visiting(hub, token);
  const come = await certified(cluster, { visitor, admin: hub.kube, kubeconfig: hub.kubeconfig }, () =>
    eventually(() => isAccepted(cluster), LONG),
  );
  clients.push(visitor, come.kube);
  return come;
}

describe('a thief who came with a stolen line', () => {
  let thief: Certified;

  test('reads the works of the cluster, and no more when it is deleted; the name is not given away while his certificate is good', async () => {
    thief = await comesBy((await people('token', '--cluster', 'shop-7')).out, 'shop-7');
    await may(thief, 'shop-7', true);
    expect(thief.endsAt - Date.now()).toBeLessThan(91 * DAY);
    await hub.kube.remove(MANAGED_CLUSTER, { namespace: null, name: 'shop-7' });
    await eventually(async () => ((await clusterOf('shop-7')) === null ? true : undefined), LONG);
    await may(thief, 'shop-7', false);
    const refused = await people('token', '--cluster', 'shop-7');
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('--reuse-name') as string });
    expect(await clusterOf('shop-7')).toBeNull();
    const noted = await eventually(async () => {
      const record = recordIn(await hub.kube.getMetadata(CONFIG_MAP, recordKey('shop-7')));
      return record?.endsAt ?? undefined;
    }, LONG);
    expect(noted).toBeGreaterThanOrEqual(thief.endsAt);
  });

  test('gets in by no cluster of that name that nobody has accepted', async () => {
    const token = freshToken(randomBytes);
    const visitor = await registering(hub, token);
    clients.push(visitor);
    await eventually(() =>
      visitor.create(MANAGED_CLUSTER, { metadata: { name: 'shop-7' }, spec: {} } as never),
    );
    await may(thief, 'shop-7', false);
    const refused = await people('accept', 'shop-7');
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('--reuse-name') as string });
    const existing = await people('token', '--cluster', 'shop-7', '--existing');
    expect(existing).toMatchObject({ code: 1, output: expect.stringContaining('--reuse-name') as string });
    await may(thief, 'shop-7', false);
  });

  test('is in again where somebody gives the name away in spite of it: that is what the flag says', async () => {
    const { out } = await people('token', '--cluster', 'shop-7', '--existing', '--reuse-name');
    await may(await comesBy(out, 'shop-7'), 'shop-7', true);
    await may(thief, 'shop-7', true);
  });
});

test('clusteradm gets a token, and accepts who came with it, as it asks the API server', async () => {
  const token = await clusteradmToken(hub.kube, randomBytes);
  expect(await clusteradmToken(hub.kube, randomBytes)).toEqual(token);
  const visitor = await visiting(hub, token);
  clients.push(visitor);
  expect(await clusteradmAccept(hub.kube, 'shop-9')).toBe(false);
  await eventually(() =>
    visitor.create(MANAGED_CLUSTER, { metadata: { name: 'shop-9' }, spec: {} } as never),
  );
  const site = await certified(
    'shop-9',
    { visitor, admin: hub.kube, kubeconfig: hub.kubeconfig },
    async () => {
      await eventually(async () =>
        (await people('joins')).out.match(/shop-9 +Asked +AwaitingAcceptance/) === null ? undefined : true,
      );
      expect(await isAccepted('shop-9')).toBeUndefined();
      expect(await clusteradmAccept(hub.kube, 'shop-9')).toBe(true);
    },
  );
  clients.push(site.kube);
  await may(site, 'shop-9', true);
});

test('Temporal’s web interface, where it runs, shows workflows to whoever is on the machine, and changes none', async () => {
  const ui = `http://127.0.0.1:${portOf(hub, 'temporal-ui')}`;
  expect(await codesOfActs(ui, 'join/shop-9')).toEqual([405, 405, 405, 405]);
});
