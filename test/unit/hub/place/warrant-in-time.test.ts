// What allows a Capp to be on a site while the hub's caches may be older than the ring.
import type { Capp } from '../../../../crds/capp/capp.ts';
import { warrantInTime, type WarrantOptions } from '../../../../activities/hub/place/warrant.ts';
import { aCapp, DECIDED_B, optionsFrom, type WarrantFacts } from '../../../support/builders/hub/warrants.ts';

describe('caches that are behind the ring', () => {
  const behind = (): Error => new Error('behind');
  const lagging = (isCaughtUp: () => boolean, given: WarrantFacts = {}): WarrantOptions => {
    const options = optionsFrom(given);
    const decisions = {
      ...options.caches.decisions,
      caughtUpWith: isCaughtUp,
      onSeen: () => () => undefined,
    };
    return { ...options, caches: { ...options.caches, decisions } };
  };
  const ask = (options: WarrantOptions, live: Capp, versions: Record<string, string>) =>
    warrantInTime(options, { capp: live, cluster: 'b' }, versions, behind);

  test('refuse nothing, and are asked again', async () => {
    await expect(
      ask(
        lagging(() => false),
        aCapp(),
        { PlacementDecision: '9' },
      ),
    ).rejects.toThrow('behind');
    expect(
      await ask(
        lagging(() => true),
        aCapp(),
        { PlacementDecision: '9' },
      ),
    ).toBeNull();
    expect(
      await ask(
        lagging(() => false),
        aCapp(),
        {},
      ),
    ).toBeNull();
  });

  test.each<[string, Capp, WarrantFacts]>([
    ['spec.site', aCapp({ site: 'b' }), {}],
    ['a request', aCapp({}, { 'rcs.dana.io/migrate': 'b#1' }), {}],
    ['a decision', aCapp(), DECIDED_B],
  ])('allow nothing by %s, and are asked again', async (_by, live, given) => {
    const newer = { PlacementDecision: '9' };
    await expect(
      ask(
        lagging(() => false, given),
        live,
        newer,
      ),
    ).rejects.toThrow('behind');
    expect(
      await ask(
        lagging(() => true, given),
        live,
        newer,
      ),
    ).not.toBeNull();
  });

  test('are not waited for where the Capp itself says that it is there', async () => {
    const live = aCapp({}, {}, { migration: { serving: 'b' } });
    expect(
      await ask(
        lagging(() => false),
        live,
        { PlacementDecision: '9' },
      ),
    ).toBe('Status');
  });
});
