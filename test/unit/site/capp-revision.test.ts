// The history of a Capp on a site: what a revision has, what its name is, and how many are kept.
import type { Capp } from '../../../crds/capp/capp.ts';
import { ROLLOUT } from '../../../crds/labels.ts';
import type { Kube } from '../../../kube/client.ts';
import { keyTextOf, type KubeObject } from '../../../kube/resource.ts';
import type { Optional } from '../../../kube/watch/optional.ts';
import { numberOf, revisionName } from '../../../crds/capp-revision.ts';
import { cappRevision, fingerprintOf } from '../../../site/revisions/capp-revision.ts';
import { history } from '../../../site/revisions/history.ts';
import { aCapp } from '../../support/builders/capps.ts';

describe('a CappRevision', () => {
  it('has the Capp as it was, with the name, label and owner of upstream', () => {
    const capp = aCapp({
      labels: { team: 'blue' },
      annotations: { note: '1', 'rcs.dana.io/last-updated-by': 'x' },
    });
    expect(cappRevision(capp, 7)).toMatchObject({
      metadata: {
        name: 'app-00007',
        namespace: 'apps',
        labels: { 'rcs.dana.io/cappName': 'app' },
        ownerReferences: [{ kind: 'Capp', name: 'app', uid: 'uid-1' }],
      },
      spec: {
        revisionNumber: 7,
        cappTemplate: { cappSpec: capp.spec, labels: { team: 'blue' }, annotations: { note: '1' } },
      },
    });
  });

  it.each([
    ['a label', { labels: { a: 'b' } }],
    ['an annotation', { annotations: { a: 'b' } }],
    ['the spec', { spec: { scaleMetric: 'rps' } }],
  ])('is another one after a change of %s', (_, change) => {
    expect(fingerprintOf(aCapp(change))).not.toBe(fingerprintOf(aCapp()));
  });

  it('is the same after a stamp of the hub, a note of kubectl, and the order of keys', () => {
    const annotations = {
      'rcs.dana.io/rollout': 's',
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
    };
    expect(fingerprintOf(aCapp({ annotations }))).toBe(fingerprintOf(aCapp()));
    const [one, two] = [
      { a: '1', b: '2' },
      { b: '2', a: '1' },
    ];
    expect(fingerprintOf(aCapp({ labels: one }))).toBe(fingerprintOf(aCapp({ labels: two })));
  });

  it.each([
    ['app', 1, 'app-00001'],
    ['app', 123_456, 'app-123456'],
    ['a'.repeat(57), 1, `${'a'.repeat(57)}-00001`],
  ])('of %s with number %d has the name %s', (capp, number, name) => {
    expect(revisionName(capp, number)).toBe(name);
    expect(numberOf({ metadata: { name } })).toBe(number);
  });

  it('of a Capp whose name leaves no room for the number has a hash in place of its end', () => {
    // As kmeta.ChildName of knative.dev/pkg names it.
    const [one, other] = [`${'a'.repeat(57)}b`, `${'a'.repeat(57)}c`].map((name) => revisionName(name, 1));
    expect(one).toMatch(/^a{25}[0-9a-f]{32}-00001$/);
    expect(other).not.toBe(one);
  });
});

/** A site that shows what was written only when `catchUp` is called. */
function aSite() {
  const stored = new Map<string, KubeObject>();
  let shown: readonly KubeObject[] = [];
  const kube = {
    create: (_resource: unknown, object: KubeObject) => {
      if (stored.has(object.metadata.name)) return Promise.reject(new Error('AlreadyExists'));
      stored.set(object.metadata.name, object);
      return Promise.resolve(object);
    },
    remove: (_resource: unknown, { name }: { name: string }) => Promise.resolve(stored.delete(name)),
    get: (_resource: unknown, { name }: { name: string }) => Promise.resolve(stored.get(name) ?? null),
  } as unknown as Pick<Kube, 'create' | 'get' | 'remove'>;
  const known = {
    served: () => true,
    by: (_index: string, key: string) => shown.filter((one) => key === `${one.metadata.namespace}/app`),
  } as unknown as Optional<KubeObject>;
  return {
    kept: history(kube, known),
    names: () => [...stored.keys()],
    put: (object: KubeObject) => void stored.set(object.metadata.name, object),
    catchUp: () => {
      shown = [...stored.values()];
    },
  };
}

const version = (n: number): Capp => aCapp({ labels: { n: String(n) } });

describe('the history of a Capp', () => {
  it.each([1, 2, 10])('W-9 W-10 keeps the newest %d of many, and never none', async (limit) => {
    const site = aSite();
    for (let n = 1; n <= 25; n += 1) {
      await site.kept.keep(version(n), limit);
      expect(site.names()).toContain(revisionName('app', n));
      site.catchUp();
    }
    const last = Array.from({ length: limit }, (_, index) => revisionName('app', 25 - index));
    expect(site.names().toSorted()).toEqual(last.toSorted());
  });

  it('W-10 numbers revisions in order although the cache lags, and also the return to an earlier content', async () => {
    const site = aSite();
    for (const n of [1, 2, 1, 1]) await site.kept.keep(version(n), 10);
    expect(site.names()).toEqual(['app-00001', 'app-00002', 'app-00003']);
  });

  it('W-11 keeps to its limit however many there are', async () => {
    const site = aSite();
    for (let n = 1; n <= 150; n += 1) site.put(cappRevision(version(n), n));
    site.catchUp();
    await site.kept.keep(version(150), 3);
    expect(site.names()).toEqual(['app-00148', 'app-00149', 'app-00150']);
  });

  it('is not cut while the limit is not known', async () => {
    const site = aSite();
    for (let n = 1; n <= 12; n += 1) {
      await site.kept.keep(version(n), null);
      site.catchUp();
    }
    expect(site.names()).toHaveLength(12);
  });

  it('goes on after a restart', async () => {
    const site = aSite();
    await site.kept.keep(version(1), 10);
    site.catchUp();
    site.kept.forget(keyTextOf(version(1)));
    await site.kept.keep(version(1), 10);
    expect(site.names()).toEqual(['app-00001']);
  });

  it('leaves revisions of an earlier Capp of the same name alone, and does not use their numbers', async () => {
    const site = aSite();
    const former = { ...version(1), metadata: { ...version(1).metadata, uid: 'former' } };
    site.put(cappRevision(former, 4));
    site.catchUp();
    await site.kept.keep(version(1), 1);
    expect(site.names()).toEqual(['app-00004', 'app-00005']);
  });

  it('is not kept of a Capp that a hub has shipped', async () => {
    const site = aSite();
    await site.kept.keep(aCapp({ annotations: { [ROLLOUT]: 'u/1/h/1' } }), 10);
    expect(site.names()).toEqual([]);
  });
});
