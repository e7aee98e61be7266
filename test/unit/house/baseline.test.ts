// Hub workers and agents of two versions work together: this version understands the recorded messages, and
// sends what the recorded version understands.
import { inventoryOf } from '../../../activities/agent/ring/doorbell.ts';
import { sightOf } from '../../../activities/agent/report/verdict.ts';
import { ROLLOUT } from '../../../crds/labels.ts';
import { readAnswer } from '../../../workflows/parse/answer.ts';
import { readInventory } from '../../../workflows/parse/inventory.ts';
import { readMeasured } from '../../../workflows/parse/figures.ts';
import { readRing } from '../../../workflows/parse/ring.ts';
import type { ReportQuestion } from '../../../workflows/ports/agent.ts';
import { inventory, ring } from '../../../workflows/messages.ts';
import { rungFor, stretches, type Inventory, type Ring } from '../../../workflows/types/ring.ts';
import { isAskedFor } from '../../../workflows/types/stamp.ts';
import { wire } from '../../baseline/wire.ts';
import { aCapp } from '../../support/builders/capps.ts';

const { answers, signals } = wire();
const of = (activity: string) => answers.filter((one) => one.activity === activity);
const said = (signal: string) => signals.filter((one) => one.signal === signal).map(({ args }) => args[0]);
const looks = [...of('awaitVerdict'), ...of('report')];

test('the recording has every type of message', () => {
  expect(
    [of('awaitVerdict'), of('report'), of('measure'), said('ring'), said('audit')].map(
      ({ length }) => length > 0,
    ),
  ).not.toContain(false);
});

test.each(looks)('an older agent’s answer to $activity is read unchanged', ({ answer }) => {
  expect(readAnswer(answer)).toEqual(answer);
});

test.each(of('measure'))('an older agent’s figures are read unchanged', ({ answer }) => {
  expect(readMeasured(answer)).toEqual(answer);
});

test.each(said('ring').map((ring) => [JSON.stringify(ring), ring]))(
  'an older bridge’s ring %s is read unchanged',
  (_name, ring) => {
    expect(readRing(ring)).toEqual(ring);
  },
);

test.each(said('audit').map((inventory) => [JSON.stringify(inventory), inventory]))(
  'an older agent’s inventory is read: %s',
  (_name, inventory) => {
    expect(readInventory(inventory)).not.toBeNull();
  },
);

test.each(looks)(
  'an agent understands an older hub worker’s question by $activity, and its answer has every field that the worker reads',
  ({ args, answer }) => {
    const { stamp } = args[1] as ReportQuestion;
    const conditions = [
      {
        type: 'Ready',
        status: 'True' as const,
        reason: 'Ready',
        message: 'It serves.',
        lastTransitionTime: '2026-03-01T12:00:00Z',
      },
    ];
    const site = {
      ...aCapp({ annotations: { [ROLLOUT]: stamp }, generation: 1 }),
      status: { observedGeneration: 1, conditions },
    };
    const sight = sightOf(site);
    expect(isAskedFor(sight?.stamp ?? '', stamp)).toBe(true);
    const read = Object.keys((answer as { readonly finding: object }).finding);
    expect(Object.keys(sight?.finding ?? {})).toEqual(expect.arrayContaining(read));
  },
);

test('an older hub worker reads a newer agent’s inventory: it has every field of the recorded ones', () => {
  const capp = aCapp({ annotations: { [ROLLOUT]: 'uid-1/1/hash/one' }, generation: 1 });
  const { entries } = inventoryOf({ list: () => [capp] });
  const recorded = said('audit').flatMap((one) =>
    (one as Inventory).entries.map((entry) => Object.keys(entry)),
  );
  expect(recorded.length).toBeGreaterThan(0);
  for (const fields of recorded)
    expect(Object.keys(entries[0] ?? {})).toEqual(expect.arrayContaining(fields));
  const [stretch] = stretches({ entries, after: null, upTo: null }, 500);
  expect(Object.keys(stretch ?? {}).toSorted()).toEqual(Object.keys(said('audit')[0] as object).toSorted());
});

test('an older hub worker reads a newer agent’s ring: it has the fields of the recorded ones', () => {
  const [recorded] = said('ring');
  expect(Object.keys(rungFor('site')).toSorted()).toEqual(Object.keys(recorded as Ring).toSorted());
});

test('agents still call their signals as recorded', () => {
  expect([ring.name, inventory.name]).toEqual(['ring', 'audit']);
});
