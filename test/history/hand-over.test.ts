// The commands with which a Capp’s workflow hands itself over to its next run.
import {
  begins,
  continuesAsNew,
  couldNot,
  did,
  dropsActivity,
  RESYNC,
  shows,
  stopsWaiting,
  waits,
} from '../support/replay/commands.ts';
import { history } from '../support/replay/history.ts';
import { quietLogs } from '../support/flow/quiet-logs.ts';
import { follows } from '../support/replay/replay.ts';
import { aCopy, aFinding, aMove, anAnswer, aPlacedState, applied, NOW } from '../support/builders/states.ts';

quietLogs();

const READY = { finding: aFinding() };

test('a long history is handed over at rest', async () => {
  const book = history(aPlacedState({ due: ['spec'], ringsHeard: 2 }))
    .turn(RESYNC, did('apply', applied({ created: false })), shows('site-1', 'Ready'))
    .ring('meta')
    .longTurn(continuesAsNew());
  await follows(book);
});

test('a long history is handed over in the middle of a rollout, and the question to the agent is given up', async () => {
  const book = history(aPlacedState({ due: ['spec'], ringsHeard: 2 }, {}))
    .turn(RESYNC, did('apply', applied({ created: false })), begins('awaitVerdict', 'site-1'), waits(540_000))
    .ring('site')
    .longTurn(stopsWaiting(), dropsActivity('awaitVerdict'), continuesAsNew());
  await follows(book);
});

test('a long history is handed over while a site is asked for a report, and the next run asks again', async () => {
  const book = history(aPlacedState({}, READY))
    .ring('site')
    .turn(RESYNC, begins('report', 'site-1'), shows('site-1', 'Ready'))
    .ring('meta')
    .longTurn(did('publish', undefined), dropsActivity('report'), continuesAsNew());
  await follows(book);
});

test('a long history is handed over before an answer is taken, and the next run asks again', async () => {
  const copies = { 'site-1': aCopy(READY), 'site-2': aCopy() };
  const book = history(aPlacedState({ copies, move: aMove() }))
    .ring('site')
    .turn(RESYNC, begins('report', 'site-1'), begins('awaitVerdict', 'site-2'), waits(540_000))
    .answers('awaitVerdict', anAnswer('Progressing'))
    .answers('report', anAnswer('Progressing'))
    .longTurn(
      did('publish', undefined),
      stopsWaiting(),
      did('publish', undefined),
      shows('site-1', 'Moving'),
      continuesAsNew(),
    );
  await follows(book);
});

test('a long history is handed over under a hail of rings, when the next look is already due', async () => {
  const book = history(aPlacedState({ due: ['spec'], ringsHeard: 2 }))
    .turn(RESYNC, couldNot('apply'), begins('apply'))
    .ring('spec')
    .turn()
    .answers('apply', applied({ created: false }))
    .longTurn(continuesAsNew());
  await follows(book);
});

test('the run after a hand-over goes on from its state: one at rest does nothing', async () => {
  await follows(history(aPlacedState()).turn(RESYNC, shows('site-1', 'Ready')));
});

test('the run after a hand-over goes on from its state: a rollout is watched until the same deadline', async () => {
  const watched = aPlacedState({}, { deadline: NOW + 60_000 });
  await follows(history(watched).turn(RESYNC, begins('awaitVerdict', 'site-1'), waits(60_000)));
});
