// Which Capps of a CappSet are followed on a site, look after look, and what is read to say so.
import { memberLook } from '../../../../cli/hub/logs/members.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import type { Key } from '../../../../kube/resource.ts';

const SET = { metadata: { namespace: 'apps', name: 'shop', uid: 'set' } };

function aMember(name: string, site: string, { generation = 1, uid = name, serves = site } = {}): Capp {
  const metadata = { namespace: 'apps', name, uid, generation, ownerReferences: [{ uid: 'set' }] };
  return { metadata, spec: { site }, status: { applicationLinks: { site: serves } } } as unknown as Capp;
}

/** Stands for the hub: it counts what is read. */
class StandIn {
  capps: Capp[];
  readonly read: string[] = [];
  /** How many more are read before it fails. */
  answers = Infinity;

  constructor(...capps: Capp[]) {
    this.capps = capps;
  }

  look(site: string): () => Promise<string[]> {
    const list = async (_kind: unknown, { metadataOnly }: { metadataOnly: boolean }) => {
      this.read.push(metadataOnly ? 'metadata' : 'whole');
      return { items: this.capps.map((capp) => (metadataOnly ? { metadata: capp.metadata } : capp)) };
    };
    const get = async (_kind: unknown, { name }: Key) => {
      if ((this.answers -= 1) < 0) throw new Error('503');
      this.read.push(name);
      return this.capps.find(({ metadata }) => metadata.name === name) ?? null;
    };
    const look = memberLook({ kube: { list, get } } as never, { is: 'CappSet', object: SET } as never, site);
    return async () => (await look()).map(({ name }) => name);
  }
}

test('a Capp whose site is edited is followed on its new one, and on the one that it leaves until it has left', async () => {
  const hub = new StandIn(aMember('a', 'rome'), aMember('b', 'oslo'));
  const [rome, oslo] = [hub.look('rome'), hub.look('oslo')];
  expect([await rome(), await oslo()]).toEqual([['a'], ['b']]);
  hub.capps = [aMember('a', 'rome'), aMember('b', 'rome', { generation: 2, serves: 'oslo' })];
  expect([await rome(), await oslo()]).toEqual([['a', 'b'], ['b']]);
  hub.capps = [aMember('a', 'rome'), aMember('b', 'rome', { generation: 2 })];
  expect([await rome(), await oslo()]).toEqual([['a', 'b'], []]);
});

test('a Capp that was deleted and made again elsewhere is another one', async () => {
  const hub = new StandIn(aMember('a', 'rome'));
  const look = hub.look('rome');
  await look();
  hub.capps = [aMember('a', 'oslo', { uid: 'again' })];
  expect(await look()).toEqual([]);
});

test('nothing whole is read while nothing changes, a few new ones one by one, and many in one list', async () => {
  const hub = new StandIn(aMember('a', 'rome'));
  const look = hub.look('rome');
  await look();
  await look();
  hub.capps.push(aMember('b', 'rome'));
  expect(await look()).toEqual(['a', 'b']);
  expect(hub.read).toEqual(['whole', 'metadata', 'metadata', 'b']);
  hub.read.length = 0;
  for (let at = 0; at < 11; at += 1) hub.capps.push(aMember(`c${at}`, 'rome'));
  expect(await look()).toHaveLength(13);
  await look();
  expect(hub.read).toEqual(['metadata', 'whole', 'metadata']);
});

test('a look that fails keeps what it has read', async () => {
  const hub = new StandIn(aMember('a', 'rome'));
  const look = hub.look('rome');
  await look();
  hub.capps.push(aMember('b', 'rome'), aMember('c', 'rome'));
  hub.answers = 1;
  await expect(look()).rejects.toThrow('503');
  hub.answers = 1;
  expect(await look()).toEqual(['a', 'b', 'c']);
});
