// The audit: one line for each act on a person's behalf, the same line when a try is repeated, and no line
// for what nobody asked for.
import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { AuditedAct } from '../../../activities/hub/audit/act.ts';
import { drainActOf } from '../../../activities/hub/audit/drains.ts';
import { movesOf } from '../../../activities/hub/audit/moves.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import type { CappStatus } from '../../../crds/capp/status.ts';
import type { Drain } from '../../../crds/drain/drain.ts';
import type { DrainStatus } from '../../../crds/drain/status.ts';
import { LAST_UPDATED_BY, REQUESTED_BY } from '../../../crds/labels.ts';
import { auditOn } from '../../../workers/hub/audit.ts';
import { conditionsOf } from '../../../workflows/capp/conditions/conditions.ts';
import type { State } from '../../../workflows/capp/state.ts';
import type { Handled, MoveRecord } from '../../../workflows/types/moves.ts';
import { aPlacedState, NOW } from '../../support/builders/states.ts';

const MOVED: MoveRecord = {
  from: 'site-1',
  to: 'site-2',
  reason: 'Asked',
  result: 'Moved',
  message: 'alice asked',
  since: NOW - 1000,
  at: NOW,
  request: '1',
  asked: { via: 'Annotation', by: 'alice' },
};
const REFUSED: Handled = {
  source: 'migrate',
  id: '2',
  outcome: 'Refused',
  reason: 'UnknownSite',
  message: 'There is no site nowhere.',
  asked: { via: 'Annotation', by: 'alice' },
};
const ON_APP = { kind: 'Capp', namespace: 'apps', name: 'app', uid: 'uid-1' };

function actsOf(state: State, status?: CappStatus): AuditedAct[] {
  const metadata = { namespace: 'apps', name: 'app', uid: 'uid-1' };
  const capp = { apiVersion: '', kind: 'Capp', metadata, spec: {}, status } as never as Capp;
  return movesOf(capp, state, conditionsOf(state, NOW));
}

test('a move that a person asked for is told once, with who, what, why and the result', () => {
  const state = aPlacedState({ lastMove: MOVED });
  const told = actsOf(state);
  expect(told).toEqual([
    {
      act: 'Move',
      who: { via: 'Annotation', by: 'alice' },
      what: { ...ON_APP, from: 'site-1', to: 'site-2' },
      why: 'alice asked',
      result: 'Moved',
      occasion: '2026-03-01T12:00:00Z',
    },
  ]);
  expect(actsOf(state)).toEqual(told);
  expect(actsOf(state, { migration: { lastMove: { endedAt: '2026-03-01T12:00:00Z' } } })).toEqual([]);
});

test('a move that nobody asked for is not told', () => {
  const { asked: _nobody, ...record } = MOVED;
  expect(actsOf(aPlacedState({ lastMove: record }))).toEqual([]);
});

test('a request that is refused is told once, and so is the next one that is refused for the same reason', () => {
  const annotated = { migrate: '2', force: null };
  const state = aPlacedState({ handled: REFUSED, annotated });
  expect(actsOf(state)).toMatchObject([
    { act: 'Move', what: { ...ON_APP, from: 'site-1' }, result: 'Refused', occasion: 'migrate/2' },
  ]);
  const migrating = conditionsOf(state, NOW).find(({ type }) => type === 'Migrating');
  const said = (handledRequest: string): CappStatus =>
    ({ conditions: [migrating], migration: { handledRequest } }) as never;
  expect(actsOf(state, said('2'))).toEqual([]);
  expect(actsOf(state, said('1'))).toHaveLength(1);
});

function aDrain(before: DrainStatus | undefined, spec: object = {}): Drain {
  const annotations = { [REQUESTED_BY]: 'olga', [LAST_UPDATED_BY]: 'bob' };
  const metadata = { name: 'site-1', uid: 'uid-2', generation: 2, annotations };
  return { apiVersion: '', kind: 'Drain', metadata, spec, status: before } as never;
}

test.each<[string, DrainStatus | undefined, DrainStatus, string | undefined, string?]>([
  ['begins', undefined, { phase: 'Draining' }, 'Draining', 'olga'],
  ['follows a dry run', { phase: 'Planned' }, { phase: 'Draining' }, 'Draining', 'olga'],
  ['is only planned', undefined, { phase: 'Planned' }, undefined],
  ['goes on', { phase: 'Draining' }, { phase: 'Draining', moved: 3 }, undefined],
  ['is paused by another', { phase: 'Draining' }, { phase: 'Paused' }, 'Paused', 'bob'],
  ['goes on after that', { phase: 'Paused' }, { phase: 'Draining' }, 'Draining', 'bob'],
  ['ends', { phase: 'Draining' }, { phase: 'Done', stayed: 0 }, 'Done', 'olga'],
  ['ends while Capps stay', { phase: 'Draining' }, { phase: 'Done', stayed: 2 }, 'CappsStay', 'olga'],
])('a drain that %s', (...[, before, after, result, by]) => {
  const act = drainActOf(aDrain(before, { reason: 'new kernels' }), after);
  const who = { via: 'Drain', by };
  const what = { kind: 'Drain', name: 'site-1', uid: 'uid-2', from: 'site-1' };
  expect(act ?? undefined).toEqual(
    result === undefined
      ? undefined
      : expect.objectContaining({ act: 'Drain', who, what, why: 'new kernels', result }),
  );
});

test('each act is one line of JSON at any log level, and a repeat has the same id', () => {
  const written: string[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      written.push(chunk.toString());
      done();
    },
  });
  const audit = auditOn(pino({ level: 'error' }, sink));
  const [act] = actsOf(aPlacedState({ lastMove: { ...MOVED, message: 'alice asked: "line\nbreak"' } }));
  if (act === undefined) throw new Error('no act');
  audit(act);
  audit(act);
  audit({ ...act, occasion: 'another time' });
  expect(written.map((line) => [line.endsWith('\n'), line.trimEnd().includes('\n')])).toEqual(
    written.map(() => [true, false]),
  );
  const [first, second, other] = written.map(
    (line) => JSON.parse(line) as AuditedAct & { id: string; log: string },
  );
  expect(first).toMatchObject({ log: 'audit', act: 'Move', who: act.who, what: act.what, result: 'Moved' });
  expect([second?.id === first?.id, other?.id === first?.id]).toEqual([true, false]);
});
