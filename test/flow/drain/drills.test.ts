// A drill, through the bridge, a real Temporal and agents: carried out once, taken back on its way, and found
// again when the hub worker dies. It asks, and writes one report.
import { eventually } from '../../../testbed/eventually.ts';
import type { Inspected, InspectQuestion } from '../../../workflows/types/inspection.ts';
import { aDrillCapp, anInspection, GIB } from '../../support/builders/drill/drills.ts';
import { record } from '../../support/flow/flow.ts';
import { quietLogs } from '../../support/flow/quiet-logs.ts';
import { openDrillTestbed, type DrillTestbed } from '../../support/testbeds/drain/drill.ts';

quietLogs();

const PATIENCE_MS = 300_000;
const DRILL = { dryRun: true, rehearse: true };
let bed: DrillTestbed;

beforeEach(async () => {
  bed = await openDrillTestbed();
}, PATIENCE_MS);
afterEach(async () => {
  await bed.close();
  expect(bed.errors).toEqual([]);
});

const fine = ({ images }: InspectQuestion): Inspected =>
  anInspection({
    nodes: [{ cpu: 100_000, memory: 200 * GIB, pods: 200 }],
    images: images.map(() => 'OnNode'),
  });
const over = (site: string) => eventually(() => bed.rehearsalOf(site));
const ended = (site: string) => eventually(async () => ((await bed.isRunning(site)) ? undefined : true));
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => aDrillCapp(`app-${String(index).padStart(3, '0')}`));

test(
  'a drill of 60 Capps asks the hub and the site, writes one report, and changes nothing else',
  async () => {
    bed.capps.set('site-1', [...many(59), aDrillCapp('stays', { to: null, needs: null })]);
    await bed.startAgent('site-2', fine);
    bed.objects.create('site-1', DRILL);
    expect(await over('site-1')).toMatchObject({ capps: 60, ready: 59, failed: 1, leftOut: 0 });
    await ended('site-1');
    expect(bed.asked).toEqual([
      'page of site-1 after none with 0',
      'page of site-1 after app-024 with 25',
      'page of site-1 after app-049 with 50',
      'agent of site-2 about 1',
    ]);
    const asked = ['readDrill', 'drillPage', 'drillPage', 'drillPage', 'inspect', 'reportDrill'];
    const history = await bed.historyOf('site-1');
    const activities = (history.events ?? []).flatMap(
      ({ activityTaskScheduledEventAttributes: one }) => one?.activityType?.name ?? [],
    );
    expect(activities).toEqual(asked);
    await record('a-drill', history);
    await bed.bridge().compare();
    expect(bed.reports).toHaveLength(1);
    expect(await bed.isRunning('site-1')).toBe(false);
  },
  PATIENCE_MS,
);

test(
  'a site without an agent, or with an earlier one, is a result in words, and no other site waits for it for ever',
  async () => {
    bed.capps.set('site-3', [
      aDrillCapp('a', { to: 'fine' }),
      aDrillCapp('b', { to: 'absent' }),
      aDrillCapp('c', { to: 'old' }),
      aDrillCapp('d', { to: 'odd' }),
    ]);
    await bed.startAgent('fine', fine);
    await bed.startAgent('odd', () => ({ nodes: 7 }) as never);
    await bed.startOldAgent('old');
    bed.objects.create('site-3', DRILL);
    const { sites, ready, unknown } = await over('site-3');
    expect({ ready, unknown }).toEqual({ ready: 1, unknown: 3 });
    const messages = Object.fromEntries(sites.map(({ site, message }) => [site, message]));
    expect(messages).toMatchObject({
      absent: expect.stringContaining('did not answer in time') as string,
      old: 'The agent on old does not know drills yet. Upgrade it.',
      odd: expect.stringContaining('cannot be read') as string,
    });
    await ended('site-3');
  },
  PATIENCE_MS,
);

test(
  'a Drain that is deleted on the way ends its drill at once, and nothing is written',
  async () => {
    bed.capps.set('site-4', many(3));
    const held = Promise.withResolvers<Inspected>();
    await bed.startAgent('site-2', () => held.promise);
    bed.objects.create('site-4', DRILL);
    await eventually(() => bed.asked.includes('agent of site-2 about 1') || undefined);
    bed.objects.remove('site-4');
    await ended('site-4');
    held.resolve(anInspection());
    expect(bed.reports).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'a Drain that becomes an order ends its drill, and one that is changed is rehearsed anew',
  async () => {
    bed.capps.set('site-5', many(3));
    let answer = Promise.withResolvers<Inspected>();
    const first = answer;
    await bed.startAgent('site-2', () => answer.promise);
    bed.objects.create('site-5', DRILL);
    await eventually(() => bed.asked.length === 2 || undefined);
    answer = Promise.withResolvers<Inspected>();
    bed.objects.edit('site-5', { reason: 'another' });
    await eventually(() => bed.asked.length === 4 || undefined);
    first.resolve(anInspection());
    answer.resolve(fine({ namespaces: [], images: ['a'], kinds: [], wantsNodes: true }));
    expect(await over('site-5')).toMatchObject({ observedGeneration: 2, ready: 3 });
    answer = Promise.withResolvers<Inspected>();
    bed.objects.edit('site-5', { reason: 'a third' });
    await eventually(() => bed.asked.length === 6 || undefined);
    bed.objects.edit('site-5', { dryRun: false });
    await ended('site-5');
    answer.resolve(anInspection());
    expect(bed.reports.map(({ generation }) => generation)).toEqual([2]);
  },
  PATIENCE_MS,
);

test(
  'a hub worker that dies on the way is followed by another, which ends the drill with one report',
  async () => {
    bed.capps.set('site-6', many(30));
    const held = Promise.withResolvers<Inspected>();
    await bed.startAgent('site-2', () => held.promise);
    bed.objects.create('site-6', DRILL);
    await eventually(() => bed.asked.some((one) => one.startsWith('agent')) || undefined);
    await bed.crash();
    held.resolve(fine({ namespaces: [], images: ['a'], kinds: [], wantsNodes: true }));
    expect(await over('site-6')).toMatchObject({ capps: 30, ready: 30 });
    await ended('site-6');
    expect(bed.reports).toHaveLength(1);
  },
  PATIENCE_MS,
);
