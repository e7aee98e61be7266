// Canaries that a revision cuts off, and that OCM takes out of a Placement for that: nothing is proven by it,
// by the real turns of a CappSet and of a Bundle.
import { jest } from '@jest/globals';
import type { FleetKind } from '../../../../workflows/fleet/port.ts';
import { CONTENT, livedTurns, type LivedTurns } from '../../../support/testbeds/fleet/lived-turns.ts';

const KINDS = ['CappSet', 'Bundle'] as const;
const MINUTE = 60_000;
/** After this a site that is lost is one that has failed. */
const DEADLINE = 15 * MINUTE;
const CANARIES = Array.from({ length: 20 }, (_, index) => `canary-${String(index).padStart(2, '0')}`);
const OTHERS = ['other-1', 'other-2'];
const ALL = [...CANARIES, ...OTHERS];
const byLabel = { name: 'canary', sites: { matchLabels: { tier: 'canary' } }, soakSeconds: 600 };
const byCount = { name: 'canary', sites: { count: 2 }, soakSeconds: 600 };

beforeEach(() => void jest.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') }));
afterEach(() => void jest.useRealTimers());

interface Given {
  readonly strategy: object;
  /** Named sites, in place of a Placement that selects all. */
  readonly isNamed?: boolean;
}

/** Every site has `one`. */
async function settled(kind: FleetKind, isNamed = false): Promise<LivedTurns> {
  const places = isNamed ? { sites: { clusters: ALL } } : { placement: 'all' };
  const lived = livedTurns(kind, ALL, { ...places, strategy: { maxConcurrent: '100%' } });
  for (const site of CANARIES) lived.sites.relabel(site, { tier: 'canary' });
  lived.sites.select('all', ALL);
  await lived.live(MINUTE);
  expect(lived.on('one')).toEqual(ALL);
  return lived;
}

/** Every site has `one`, and `two` has come to the canaries. */
async function begun(kind: FleetKind, { strategy, isNamed = false }: Given): Promise<LivedTurns> {
  const lived = await settled(kind, isNamed);
  lived.edit({ ...CONTENT[kind]('two'), strategy: { maxConcurrent: '100%', ...strategy } });
  await lived.live(MINUTE);
  return lived;
}

const without = (some: readonly string[]): string[] => ALL.filter((site) => !some.includes(site));

/** They renew their lease no more, and OCM selects them no more. */
function cutOff({ sites }: LivedTurns, lost: readonly string[]): void {
  for (const site of lost) sites.reach(site, false);
  sites.select('all', without(lost));
}

const reasonOf = ({ status }: LivedTurns): string | undefined => progressing(status())?.reason;
const saidBy = ({ status }: LivedTurns): string => progressing(status())?.message ?? '';
const progressing = ({ conditions }: ReturnType<LivedTurns['status']>) =>
  conditions?.find(({ type }) => type === 'Progressing');

describe.each(KINDS)('a %s on the sites of a Placement', (kind) => {
  test.each(['Later', 'Wait', 'Fail'] as const)(
    'of which 19 of 20 canaries are cut off waits for them until their deadline, and has failed then, with offline %s',
    async (offline) => {
      const lived = await begun(kind, { strategy: { stages: [byLabel, { name: 'rest' }], offline } });
      expect(lived.on('two')).toEqual(CANARIES);
      cutOff(lived, CANARIES.slice(1));
      await lived.live(11 * MINUTE);
      expect([lived.on('two'), reasonOf(lived)]).toEqual([CANARIES, 'SitesUnderWay']);
      expect(lived.status().stages).toMatchObject([{ sites: 20, ready: 1, underWay: 19, failed: 0 }, {}]);
      expect(saidBy(lived)).toContain(
        'canary-01, canary-02, canary-03 and 16 more cannot be reached since they got the revision. At 2026-03-01T12:17:',
      );
      await lived.live(DEADLINE);
      expect([lived.on('two'), reasonOf(lived)]).toEqual([CANARIES, 'SitesFailed']);
      expect(lived.status().stages).toMatchObject([{ ready: 1, failed: 19 }, { state: 'Waiting' }]);
    },
    60_000,
  );

  test('draws no other site for a canary that is cut off', async () => {
    const lived = await begun(kind, { strategy: { stages: [byCount, { name: 'rest' }] } });
    const canaries = lived.on('two');
    expect(canaries).toHaveLength(2);
    cutOff(lived, canaries.slice(0, 1));
    await lived.live(2 * DEADLINE);
    expect([lived.on('two'), reasonOf(lived)]).toEqual([canaries, 'SitesFailed']);
  }, 60_000);

  test('goes back where that is what a failure brings, and leaves the copy that was cut off', async () => {
    const strategy = { stages: [byCount, { name: 'rest' }], onFailure: 'RollBack' };
    const lived = await begun(kind, { strategy });
    const [lost = ''] = lived.on('two');
    cutOff(lived, [lost]);
    await lived.live(DEADLINE + 2 * MINUTE);
    expect(lived.on('one')).toEqual(without([lost]));
    expect(lived.on('two')).toEqual([]);
  }, 60_000);

  test('waits for no canary whose stage had passed when it was cut off, and removes its copy', async () => {
    const stages = [
      { ...byCount, soakSeconds: 0 },
      { name: 'rest', approval: 'Required' },
    ];
    const lived = await begun(kind, { strategy: { stages, offline: 'Fail' } });
    const [lost = ''] = lived.on('two');
    expect(reasonOf(lived)).toBe('AwaitsApproval');
    cutOff(lived, [lost]);
    await lived.live(DEADLINE + 2 * MINUTE);
    expect([reasonOf(lived), lived.on('two').includes(lost)]).toEqual(['AwaitsApproval', false]);
  }, 60_000);

  test('waits for no site that had another revision when it was cut off', async () => {
    const lived = await begun(kind, { strategy: { stages: [byCount, { name: 'rest' }] } });
    const canaries = lived.on('two');
    const [lost = ''] = without(canaries);
    cutOff(lived, [lost]);
    await lived.live(13 * MINUTE);
    expect(lived.on('two')).toEqual(without([lost]));
  }, 60_000);

  test('draws others for canaries that were cut off before they could get the revision', async () => {
    const stages = [byCount, { name: 'rest', approval: 'Required' }];
    const drawn = (await begun(kind, { strategy: { stages } })).on('two');
    const lived = await settled(kind);
    // More than may go unasked.
    cutOff(lived, [...new Set([...drawn, ...CANARIES.slice(0, 5)])]);
    await lived.live(MINUTE);
    lived.edit({ ...CONTENT[kind]('two'), strategy: { stages } });
    await lived.live(15 * MINUTE);
    expect(lived.on('two').filter((site) => !drawn.includes(site))).toHaveLength(2);
    expect(lived.on('one')).toEqual(expect.arrayContaining([...drawn]));
  }, 60_000);

  test('waits for no site that is taken out while it can be reached', async () => {
    const lived = await begun(kind, { strategy: { stages: [byCount, { name: 'rest' }] } });
    const [taken = ''] = lived.on('two');
    lived.sites.select('all', without([taken]));
    await lived.live(25 * MINUTE);
    expect(lived.on('two')).toEqual(without([taken]));
  }, 60_000);

  test('goes on when a canary that was cut off is back, whether it is selected again or not', async () => {
    for (const selected of [ALL, null]) {
      const lived = await begun(kind, { strategy: { stages: [byCount, { name: 'rest' }] } });
      const [lost = ''] = lived.on('two');
      cutOff(lived, [lost]);
      await lived.live(8 * MINUTE);
      lived.sites.reach(lost, true);
      if (selected !== null) lived.sites.select('all', selected);
      await lived.live(25 * MINUTE);
      expect(lived.on('two')).toEqual(selected ?? without([lost]));
    }
  }, 60_000);

  test('asks nobody for an earlier canary when another revision has come', async () => {
    const lived = await begun(kind, { strategy: { stages: [byCount, { name: 'rest' }] } });
    const [lost = ''] = lived.on('two');
    cutOff(lived, [lost]);
    await lived.live(DEADLINE + MINUTE);
    lived.edit(CONTENT[kind]('three'));
    await lived.live(25 * MINUTE);
    expect([lived.on('two'), lived.on('three')]).toEqual([[], without([lost])]);
  }, 60_000);

  test('lets a person give up the copy on a canary that was cut off, by approval or by its deletion', async () => {
    for (const way of ['approve', 'delete'] as const) {
      const lived = await begun(kind, { strategy: { stages: [byCount, { name: 'rest' }] } });
      const [lost = ''] = lived.on('two');
      cutOff(lived, [lost]);
      await lived.live(DEADLINE + 2 * MINUTE);
      const [, approval = ''] = /approve-removal='([^']+)'/.exec(saidBy(lived)) ?? [];
      expect([reasonOf(lived), approval]).toEqual(['SitesFailed', expect.stringMatching(/^1#/)]);
      if (way === 'delete') lived.delete(lost);
      else lived.annotate({ 'rcs.dana.io/approve-removal': approval });
      await lived.live(25 * MINUTE);
      expect(without(lived.on('two'))).toEqual(way === 'delete' ? [] : [lost]);
      expect(reasonOf(lived)).toBe('Done');
    }
  }, 60_000);
});

describe.each(KINDS)('a %s on named sites', (kind) => {
  const strategy = { stages: [byLabel, { name: 'rest' }] };

  test('counts no canary that a person has taken out, and removes its copy', async () => {
    const lived = await begun(kind, { strategy, isNamed: true });
    const [lost = ''] = CANARIES;
    lived.sites.reach(lost, false);
    await lived.live(MINUTE);
    lived.edit({ sites: { clusters: without([lost]) } });
    await lived.live(12 * MINUTE);
    expect(lived.on('two')).toEqual(without([lost]));
  }, 60_000);
});
