// The commands with which a Capp’s workflow answers while it is placed, shipped and edited.
import {
  begins,
  couldNot,
  did,
  dropsActivity,
  RESYNC,
  shows,
  stopsWaiting,
  waits,
} from '../support/replay/commands.ts';
import type { Book } from '../support/replay/book.ts';
import { history } from '../support/replay/history.ts';
import { quietLogs } from '../support/flow/quiet-logs.ts';
import { follows } from '../support/replay/replay.ts';
import { anAnswer, applied, chosen, none, placed, refused } from '../support/builders/states.ts';
import { MINUTES_10, NOTHING, ready, rollingOut, second } from '../support/replay/shipped.ts';

quietLogs();

test('a first rollout takes 17 events: a choice and an apply in one, a verdict, and one word in the UI', async () => {
  const book = ready();
  expect(book.events).toHaveLength(17);
  await follows(book);
});

test('an edit is shipped and watched under its own stamp', async () => {
  const book = ready()
    .ring('spec')
    .turn(did('apply', second), begins('awaitVerdict', 'site-1'), waits(MINUTES_10))
    .answers('awaitVerdict', anAnswer())
    .turn(stopsWaiting(), did('publish', undefined));
  await follows(book);
});

test('an edit during a rollout gives up the old question for the new one', async () => {
  const book = rollingOut()
    .ring('spec')
    .turn(
      stopsWaiting(),
      did('apply', second),
      begins('awaitVerdict', 'site-1'),
      waits(MINUTES_10),
      dropsActivity('awaitVerdict'),
    )
    .answers('awaitVerdict', anAnswer())
    .turn(stopsWaiting(), did('publish', undefined), shows('site-1', 'Ready'));
  await follows(book);
});

test('a verdict about the old stamp that comes after an edit was shipped is not taken for the new one', async () => {
  const book = rollingOut()
    .ring('spec')
    .turn(stopsWaiting(), couldNot('apply'), begins('apply'))
    .answers('apply', second)
    .answers('awaitVerdict', anAnswer())
    .turn(begins('awaitVerdict', 'site-1'), waits(MINUTES_10));
  await follows(book);
});

test('a ring during an apply makes it look once more', async () => {
  const book = history()
    .ring('spec')
    .turn(
      RESYNC,
      couldNot('place'),
      did('find', NOTHING),
      did('choose', chosen()),
      couldNot('apply'),
      begins('apply'),
    )
    .ring('spec')
    .turn()
    .answers('apply', applied())
    .turn(couldNot('apply'), begins('apply'))
    .answers('apply', second)
    .turn(begins('awaitVerdict', 'site-1'), waits(MINUTES_10));
  await follows(book);
});

test('a verdict that decides nothing is published, and the next is awaited', async () => {
  const book = rollingOut()
    .answers('awaitVerdict', anAnswer('Progressing'))
    .turn(
      stopsWaiting(),
      did('publish', undefined),
      shows('site-1', 'RollingOut'),
      begins('awaitVerdict', 'site-1'),
      waits(MINUTES_10),
    )
    .answers('awaitVerdict', anAnswer('Ready'))
    .turn(stopsWaiting(), did('publish', undefined), shows('site-1', 'Ready'));
  await follows(book);
});

/** Said to be stalled; its agent has a last word, for a verdict on its way is heard by nobody. */
function stalled(): Book {
  return rollingOut()
    .fires(MINUTES_10)
    .turn(
      did('publish', undefined),
      shows('site-1', 'Degraded'),
      begins('report', 'site-1'),
      dropsActivity('awaitVerdict'),
    );
}

test('a rollout that is not Ready by its deadline is said to be stalled, and no longer waited for', async () => {
  await follows(stalled().answers('report', anAnswer('Progressing')).turn(did('publish', undefined)));
});

test('a rollout that became Ready in the moment of its deadline is Ready', async () => {
  const ready = stalled().answers('report', anAnswer('Ready'));
  await follows(ready.turn(did('publish', undefined), shows('site-1', 'Ready')));
});

test('a decision that comes late is waited for without a timer', async () => {
  const book = history()
    .ring('spec')
    .turn(RESYNC, did('place', placed(none())), did('publish', undefined))
    .ring('decision')
    .turn(did('place', placed(chosen(), applied())), begins('awaitVerdict', 'site-1'), waits(MINUTES_10));
  await follows(book);
});

test('caches that lag behind the ring are asked again in a moment', async () => {
  const book = history()
    .ring('spec')
    .turn(RESYNC, did('place', placed({ outcome: 'Behind' })), waits(200))
    .fires(200)
    .turn(
      did('publish', undefined),
      did('place', placed(chosen(), applied())),
      begins('awaitVerdict', 'site-1'),
      waits(MINUTES_10),
    );
  await follows(book);
});

test('what refers to something missing waits for it, and is shipped when it comes', async () => {
  const book = history()
    .ring('spec')
    .turn(RESYNC, did('place', placed(chosen(), refused())), shows('site-1', 'Degraded'))
    .ring('dependency')
    .turn(did('apply', applied()), begins('awaitVerdict', 'site-1'), waits(MINUTES_10));
  await follows(book);
});

test('an apply that may not be tried again is said, and tried again after a pause', async () => {
  const book = history()
    .ring('spec')
    .turn(
      RESYNC,
      couldNot('place'),
      did('find', NOTHING),
      did('choose', chosen()),
      couldNot('apply'),
      begins('apply'),
    )
    .fails('apply', 'Forbidden')
    .turn(did('publish', undefined), shows('site-1', 'Degraded'), waits(30_000))
    .fires(30_000)
    .turn(couldNot('apply'), begins('apply'))
    .answers('apply', applied())
    .turn(begins('awaitVerdict', 'site-1'), waits(MINUTES_10));
  await follows(book);
});

test('a history that leaves out what the workflow says, or says more, is refused', async () => {
  const told = rollingOut().answers('awaitVerdict', anAnswer());
  await expect(follows(told.turn(shows('site-1', 'RollingOut')))).rejects.toThrow('TMPRL1100');
  await expect(follows(rollingOut().ring('spec').turn(begins('remove')))).rejects.toThrow('TMPRL1100');
});
