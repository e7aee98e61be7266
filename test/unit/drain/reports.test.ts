// How often a drain writes the status of its Drain: what is new, once, and every two seconds at most.
import { ActivityFailure, ApplicationFailure, RetryState } from '@temporalio/common';
import type { Alarm } from '../../../workflows/drain/alarm.ts';
import type { DrainLife } from '../../../workflows/drain/handlers.ts';
import type { DrainReport } from '../../../workflows/drain/object.ts';
import { reports, type Reports } from '../../../workflows/drain/reports.ts';
import type { DrainState } from '../../../workflows/drain/state.ts';
import { aDrain, goingTo } from '../../support/builders/drain/drains.ts';
import { NOW } from '../../support/builders/states.ts';

let now: number;
let written: DrainReport[];
let wakes: number[];
let refuses: boolean;
let drain: Reports;

/** Writes end at once, in the microtasks that follow. */
const runtime = {
  now: () => now,
  beside: (work: () => Promise<unknown>) => ({ result: work(), cancel: () => undefined }),
  patched: () => true,
  hub: () => ({
    reportDrain: async (_cluster: string, report: DrainReport) => {
      if (refuses) throw failure();
      written.push(report);
    },
  }),
} as unknown as DrainLife['runtime'];

function failure(): ActivityFailure {
  const cause = ApplicationFailure.retryable('The API server does not answer.');
  return new ActivityFailure('failed', 'reportDrain', '1', RetryState.TIMEOUT, 'hub', cause);
}

const timer: Alarm = { by: (time) => void wakes.push(time), wentOff: () => 0 };

beforeEach(() => {
  now = NOW;
  written = [];
  wakes = [];
  refuses = false;
  drain = reports({ runtime, noted: new Set(['a drain reports by the server']) }, timer);
});

/** Ordered by a Drain, with so many Capps under way. */
const at = (count: number, plain: Partial<DrainState> = {}): DrainState =>
  aDrain({ drain: 'uid-1', going: goingTo('site-2', count), ...plain });

async function tell(state: DrainState): Promise<void> {
  drain.begin(state);
  await new Promise(setImmediate);
}

test('news within two seconds of a report waits for them, and then the newest is written', async () => {
  await tell(at(1));
  now += 1_999;
  await tell(at(2));
  await tell(at(3));
  expect(written).toHaveLength(1);
  expect(wakes.every((time) => time > now)).toBe(true);
  expect(wakes.length).toBeGreaterThan(0);
  now += 1;
  await tell(at(4));
  expect(written.map(({ account }) => account?.underWay)).toEqual([1, 4]);
});

test('a change that the status does not show is not written', async () => {
  await tell(at(1));
  now += 5_000;
  await tell(at(1));
  expect(written).toHaveLength(1);
});

test('a report that could not be written is written after ten seconds, with what is new by then', async () => {
  refuses = true;
  await tell(at(1));
  expect(wakes).toContain(NOW + 10_000);
  refuses = false;
  now += 9_999;
  await tell(at(2));
  expect(written).toEqual([]);
  now += 1;
  await tell(at(2));
  expect(written.map(({ account }) => account?.underWay)).toEqual([2]);
});

test('a report says that the drain is paused, of which generation, and after a stop no phase, since the end says it', async () => {
  await tell(at(1, { paused: true, generation: 3 }));
  now += 2_000;
  await tell(at(1, { stopped: true }));
  expect(written.map(({ generation, phase }) => [generation, phase])).toEqual([
    [3, 'Paused'],
    [null, null],
  ]);
});

test('a drain that no Drain ordered reports to nobody', async () => {
  await tell(aDrain({ going: goingTo('site-2', 1) }));
  expect({ written, wakes }).toEqual({ written: [], wakes: [] });
});
