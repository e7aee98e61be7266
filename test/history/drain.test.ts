// The commands with which a drain reads its Drain, beside its loop: once at its start, once when it is rung,
// and once before it ends, when the Drain hears of that.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LINGER_MS } from '../../workflows/drain/decide/step.ts';
import type { DrainAsked } from '../../workflows/drain/object.ts';
import { aDrain, asks, aResident, aWaiting, aWish } from '../support/builders/drain/drains.ts';
import { quietLogs } from '../support/flow/quiet-logs.ts';
import {
  begins,
  completes,
  continuesAsNew,
  did,
  patches,
  stopsFirstTimer,
  waits,
} from '../support/replay/commands.ts';
import type { Book } from '../support/replay/book.ts';
import { continued, drainHistory } from '../support/replay/history.ts';
import { replays } from '../support/replay/replay.ts';

quietLogs();

const PATCHED = patches('a drain reads its Drain');
const BY_SERVER = patches('a drain reports by the server');
const answers = (...gone: string[]) => did('answer', { gone, untold: [], backlogMs: null });
const told = did('reportDrain', undefined);
const news = { namespace: 'apps', outcome: 'Moved', to: 'site-2', reason: 'Asked' } as const;

/** One begins, and has read its Drain, or that there is none. */
function hasRead(drain: DrainAsked | null): Book {
  return drainHistory({ cluster: 'site-1' })
    .turn(PATCHED, begins('readDrain'))
    .answers('readDrain', { drain });
}

test('a Drain is read once, and all are told; at the end it is read once more, and hears of it', async () => {
  const book = hasRead(asks())
    .turn(told, did('cappsOn', { capps: [aResident('a')], isLast: true }), answers(), waits(2_000))
    .settled({ ...news, name: 'a' })
    .turn()
    .fires(2_100)
    .turn(told, did('cappsOn', { capps: [], isLast: true }), waits(2_000), begins('readDrain'))
    .answers('readDrain', { drain: asks() })
    .turn(begins('reportDrain'))
    .answers('reportDrain', undefined)
    .turn(completes());
  await replays(book);
});

test('what it has come to is written by the server', async () => {
  const book = drainHistory({ cluster: 'site-1' })
    .turn(PATCHED, BY_SERVER, begins('readDrain'))
    .answers('readDrain', { drain: asks() })
    .turn(begins('reportDrain'), did('cappsOn', { capps: [aResident('a')], isLast: true }), answers())
    .answers('reportDrain', undefined)
    .turn();
  await replays(book);
});

test('a run that goes on notes all changes before it hears of a local activity', async () => {
  const book = drainHistory(aDrain({ waiting: [aWaiting('a')] }))
    .turn(PATCHED, BY_SERVER, answers(), waits(2_000))
    .turn();
  await replays(book);
});

test('Capps that ask before the Drain is read get their permits when none is there', async () => {
  const book = drainHistory({ cluster: 'site-1' })
    .requestTurn(aWish('a'))
    .turn(PATCHED, begins('readDrain'), waits(5_000))
    .answers('readDrain', { drain: null })
    .turn(answers());
  await replays(book);
});

test('they wait where the Drain is paused', async () => {
  const book = drainHistory({ cluster: 'site-1' })
    .requestTurn(aWish('a'))
    .turn(PATCHED, begins('readDrain'), waits(5_000))
    .answers('readDrain', { drain: asks({ paused: true }) })
    .turn(told, answers());
  await replays(book);
});

test('a dry run is planned and published, and nothing is left to do', async () => {
  const dry = asks({ dryRun: true });
  const plan = { cluster: 'site-1', at: '', capps: 0, moves: {}, first: [], stays: [] };
  const book = hasRead(dry)
    .turn(begins('plan'))
    .answers('plan', plan)
    .turn(begins('reportDrain'))
    .answers('reportDrain', undefined)
    .turn(begins('readDrain'))
    .answers('readDrain', { drain: { ...dry, isSettled: true } })
    .turn(completes());
  await replays(book);
});

test('a ring is one more look, and one that comes during a look is another', async () => {
  const book = drainHistory({ cluster: 'site-1' })
    .requestTurn(aWish('a'))
    .turn(PATCHED, begins('readDrain'), waits(5_000))
    .says('drainChanged')
    .turn()
    .answers('readDrain', { drain: null })
    .turn(begins('readDrain'), answers())
    .answers('readDrain', { drain: null })
    .turn();
  await replays(book);
});

test('what was being read when the history became long is read in the next run', async () => {
  const book = drainHistory({ cluster: 'site-1' })
    .turn(PATCHED, begins('readDrain'))
    .requestTurn(aWish('a'))
    .longTurn(continuesAsNew());
  await replays(book);
});

const recorded = (name: string): { readonly events: readonly Record<string, unknown>[] } =>
  JSON.parse(readFileSync(join(import.meta.dirname, `earlier/${name}.json`), 'utf8'));

test.each(['turns', 'turns-edited', 'turns-by-hand'])(
  'a drain of an earlier version replays as far as it came: %s',
  async (name) => {
    await replays(recorded(name));
  },
);

test.each(['order', 'order-edited', 'order-by-hand', 'plan'])(
  'nothing follows the history of a workflow type of an earlier version, so it fails and does nothing: %s',
  async (name) => {
    await expect(replays(recorded(name))).rejects.toThrow('Nondeterminism');
  },
);

test('it goes on when it is rung: it reads its Drain, tells nobody again, and ends with its report', async () => {
  const book = continued(recorded('turns'))
    .says('drainChanged')
    .turn(PATCHED, waits(2_000), begins('readDrain'), stopsFirstTimer())
    .answers('readDrain', { drain: asks() })
    .turn();
  await replays(book);
});

test('an order that comes after the upgrade is ignored', async () => {
  const book = hasRead(null).turn(begins('readDrain')).says('evacuate').turn();
  await replays(book);
});

test('a drain that nobody ordered looks who stays, and reads whether a Drain is there, before it ends', async () => {
  const book = drainHistory({ cluster: 'site-1' })
    .requestTurn(aWish('a'))
    .turn(PATCHED, begins('readDrain'), waits(5_000))
    .answers('readDrain', { drain: null })
    .turn(answers())
    .settled({ ...news, name: 'a' })
    .turn()
    .fires(5_000)
    .turn(waits(LINGER_MS))
    .fires(LINGER_MS)
    .turn(did('cappsOn', { capps: [], isLast: true }), begins('readDrain'))
    .answers('readDrain', { drain: null })
    .turn(completes());
  await replays(book);
});
