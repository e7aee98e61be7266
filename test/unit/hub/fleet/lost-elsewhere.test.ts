// Copies on sites that were lost with a revision, and that nobody selects any more: what they must not do to
// the app elsewhere, by the real turns of a CappSet and of a Bundle.
import { jest } from '@jest/globals';
import type { FleetKind } from '../../../../workflows/fleet/port.ts';
import { CONTENT, livedTurns, type LivedTurns } from '../../../support/testbeds/fleet/lived-turns.ts';

const KINDS = ['CappSet', 'Bundle'] as const;
const MINUTE = 60_000;
/** After this a site that is lost is one that has failed. */
const DEADLINE = 15 * MINUTE;
const SITES = ['s-0', 's-1', 's-2', 's-3', 's-4', 's-5'];
const ALL_AT_ONCE = { maxConcurrent: '100%' };

beforeEach(() => void jest.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') }));
afterEach(() => void jest.useRealTimers());

const without = (lost: string, some: readonly string[] = SITES) => some.filter((site) => site !== lost);
const progressing = ({ status }: LivedTurns) =>
  status().conditions?.find(({ type }) => type === 'Progressing');
const reasonOf = (lived: LivedTurns): string | undefined => progressing(lived)?.reason;
const saidBy = (lived: LivedTurns): string => progressing(lived)?.message ?? '';

/** The Placement selects these, and as many as that. */
async function placed(kind: FleetKind, sites: readonly string[], strategy: object): Promise<LivedTurns> {
  const lived = livedTurns(kind, SITES, { placement: 'all', strategy });
  lived.sites.select('all', sites, sites.length);
  await lived.live(3 * MINUTE);
  return lived;
}

/** It renews its lease no more, and OCM selects others. */
function cutOff({ sites }: LivedTurns, lost: string, selected: readonly string[]): void {
  sites.reach(lost, false);
  sites.select('all', selected, selected.length);
}

/** Somebody edits, on the hub, what the copy on a site is to bring. */
function editCopy({ rewrite }: LivedTurns, site: string): void {
  rewrite(<T>(one: T): T => {
    const { metadata, spec } = one as { metadata: { namespace?: string }; spec?: { site?: string } };
    if (metadata.namespace !== site && spec?.site !== site) return one;
    const text = JSON.stringify(spec).replaceAll(/"(content|image)":"one"/g, '"$1":"edited"');
    return { ...one, spec: JSON.parse(text) as object };
  });
}

const GATED = [
  { name: 'canary', sites: { count: 2 }, soakSeconds: 0 },
  { name: 'rest', approval: 'Required' },
];

describe.each(KINDS)('a %s', (kind) => {
  test.each([true, false])(
    'goes on when a canary of a stage that has passed falls silent, still selected: %s',
    async (isSelected) => {
      const lived = await placed(kind, SITES, ALL_AT_ONCE);
      lived.edit({
        ...CONTENT[kind]('two'),
        strategy: { ...ALL_AT_ONCE, onFailure: 'RollBack', stages: GATED },
      });
      await lived.live(3 * MINUTE);
      const [lost = '', other = ''] = lived.on('two');
      cutOff(lived, lost, isSelected ? SITES : without(lost));
      await lived.live(2 * DEADLINE);
      expect([reasonOf(lived), lived.on('two').includes(other)]).toEqual(['AwaitsApproval', true]);
    },
    60_000,
  );

  test.each([true, false])(
    'waits for no edited copy that another revision was lost with, still selected: %s',
    async (isSelected) => {
      const lived = await placed(kind, SITES, ALL_AT_ONCE);
      lived.sites.reach('s-1', false);
      await lived.live(2 * DEADLINE);
      editCopy(lived, 's-1');
      expect(lived.on('edited')).toEqual(['s-1']);
      lived.edit(CONTENT[kind]('two'));
      if (!isSelected) cutOff(lived, 's-1', without('s-1'));
      await lived.live(2 * MINUTE);
      expect([lived.on('two'), reasonOf(lived)]).toEqual([without('s-1'), 'Done']);
      await lived.live(DEADLINE);
      expect(reasonOf(lived)).toBe('Done');
    },
    60_000,
  );

  test('that is on one site gets the settled revision at once where another takes its place', async () => {
    const lived = await placed(kind, ['s-1'], { soakSeconds: 0 });
    lived.edit({ ...CONTENT[kind]('two'), strategy: { soakSeconds: 600 } });
    await lived.live(3 * MINUTE);
    expect(lived.on('two')).toEqual(['s-1']);
    cutOff(lived, 's-1', ['s-2']);
    await lived.live(MINUTE);
    expect([lived.on('one'), lived.on('two')]).toEqual([['s-2'], ['s-1']]);
    await lived.live(2 * DEADLINE);
    expect([lived.on('one'), reasonOf(lived)]).toEqual([['s-2'], 'SitesFailed']);
    const { count, set } = lived.status().heldRemoval ?? {};
    expect(count).toBe(1);
    expect(saidBy(lived)).toContain(`rcs.dana.io/approve-removal='1#${set}'`);
  }, 60_000);

  test('whose first site is lost comes to the next at once, and says what keeps it then', async () => {
    const lived = await placed(kind, ['s-1'], { soakSeconds: 600 });
    cutOff(lived, 's-1', ['s-2']);
    await lived.live(MINUTE);
    expect(lived.on('one')).toEqual(['s-1', 's-2']);
    await lived.live(2 * DEADLINE);
    expect([lived.on('one'), reasonOf(lived)]).toEqual([['s-1', 's-2'], 'SitesFailed']);
    expect(saidBy(lived)).toContain("rcs.dana.io/approve-removal='1#");
  }, 60_000);

  test('whose first site is lost on its way comes to all others of its stage', async () => {
    const lived = await placed(kind, [], {});
    lived.sites.select('all', ['s-1', 's-2', 's-3'], 3);
    await lived.live(10);
    expect(lived.on('one')).toEqual(['s-1']);
    cutOff(lived, 's-1', ['s-2', 's-3', 's-4']);
    await lived.live(5 * MINUTE);
    expect(without('s-1', lived.on('one'))).toEqual(['s-2', 's-3', 's-4']);
  }, 60_000);

  test('whose first revision cuts off one site after the other comes to one at a time', async () => {
    const lived = await placed(kind, [], {});
    const stages = [{ name: 'canary', sites: { count: 2 }, soakSeconds: 600 }, { name: 'rest' }];
    lived.edit({ strategy: { ...ALL_AT_ONCE, stages } });
    lived.sites.select('all', SITES);
    await lived.live(MINUTE);
    const canaries = lived.on('one');
    expect(canaries).toHaveLength(2);
    for (const lost of canaries) lived.sites.reach(lost, false);
    lived.sites.select(
      'all',
      SITES.filter((site) => !canaries.includes(site)),
    );
    await lived.live(2 * DEADLINE);
    expect([lived.on('one').length, reasonOf(lived)]).toEqual([3, 'SitesFailed']);
  }, 60_000);

  test.each([true, false])(
    'counts no canary that people take from the hub, named: %s',
    async (isNamed) => {
      for (const way of ['forget', 'accept'] as const) {
        const places = isNamed ? { sites: { clusters: SITES } } : { placement: 'all' };
        const lived = livedTurns(kind, SITES, { ...places, strategy: ALL_AT_ONCE });
        lived.sites.select('all', SITES);
        await lived.live(3 * MINUTE);
        lived.edit({
          ...CONTENT[kind]('two'),
          strategy: { ...ALL_AT_ONCE, soakSeconds: 3_600, onFailure: 'RollBack' },
        });
        await lived.live(20 * MINUTE);
        if (way === 'forget') lived.sites.forget('s-1');
        else lived.sites.accept('s-1', false);
        if (!isNamed) lived.sites.select('all', without('s-1'));
        await lived.live(2 * DEADLINE);
        expect([without('s-1', lived.on('two')), reasonOf(lived)]).toEqual([without('s-1'), 'Soaking']);
      }
    },
    60_000,
  );
});

test('copies that were lost long ago are no canaries of a settled revision that is written once more', async () => {
  const sites = Array.from({ length: 20 }, (_, index) => `s-${String(index).padStart(2, '0')}`);
  const stages = [{ name: 'canary', sites: { count: 1 }, soakSeconds: 600 }, { name: 'rest' }];
  const lived = livedTurns('Bundle', sites, { placement: 'all', strategy: ALL_AT_ONCE });
  lived.sites.select('all', sites);
  await lived.live(MINUTE);
  lived.edit({ ...CONTENT.Bundle('two'), strategy: { ...ALL_AT_ONCE, stages } });
  await lived.live(MINUTE);
  const drawn = lived.on('two');
  await lived.live(12 * MINUTE);
  expect([drawn.length, lived.on('two')]).toEqual([1, sites]);
  const dead = [...new Set([...drawn, ...sites])].slice(0, 5);
  for (const site of dead) lived.sites.reach(site, false);
  lived.sites.select(
    'all',
    sites.filter((site) => !dead.includes(site)),
  );
  await lived.live(2 * MINUTE);
  lived.rewrite(<T>(one: T): T => {
    const { metadata } = one as { metadata: { namespace?: string } };
    if (dead.includes(metadata.namespace ?? '')) return one;
    const edited = JSON.stringify((one as { spec?: object }).spec).replaceAll(
      '"content":"two"',
      '"content":"edited"',
    );
    return metadata.namespace?.startsWith('s-') === true
      ? { ...one, spec: JSON.parse(edited) as object }
      : one;
  });
  expect(lived.on('edited')).toHaveLength(15);
  await lived.live(8 * MINUTE);
  expect(lived.on('edited')).toHaveLength(14);
}, 60_000);

test('a set whose Capps stay where they are not selected says how a lost one counts no more', async () => {
  const lived = livedTurns('CappSet', SITES, {
    placement: 'all',
    whenUnselected: 'Keep',
    strategy: ALL_AT_ONCE,
  });
  lived.sites.select('all', SITES);
  await lived.live(3 * MINUTE);
  lived.edit({ ...CONTENT.CappSet('two'), strategy: { ...ALL_AT_ONCE, soakSeconds: 600 } });
  await lived.live(MINUTE);
  cutOff(lived, 's-1', without('s-1'));
  await lived.live(2 * DEADLINE);
  expect(reasonOf(lived)).toBe('SitesFailed');
  expect(saidBy(lived)).toContain(
    'A site that is no longer selected counts no more once its copy is deleted.',
  );
  lived.delete('s-1');
  await lived.live(20 * MINUTE);
  expect(reasonOf(lived)).toBe('Done');
}, 60_000);
