// The commands with which a Capp’s workflow answers to rings, and to what its sites say, when it has been
// shipped.
import {
  begins,
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
import { anAnswer, aPlacedState, applied, chosen, NOW, placed, stays } from '../support/builders/states.ts';
import { MINUTES_10, NOTHING, ready, rollingOut, second } from '../support/replay/shipped.ts';

quietLogs();

test('a ring about nothing new is answered by one look and changes nothing', async () => {
  await follows(
    ready()
      .ring('spec')
      .turn(did('apply', applied({ created: false }))),
  );
});

test('a ring that says nothing is not answered at all', async () => {
  await follows(ready().ring().turn());
});

test('rings that come together are answered by one look', async () => {
  const book = ready().ring('spec').ring('dependency').ring('meta');
  await follows(book.turn(did('apply', second), begins('awaitVerdict', 'site-1'), waits(MINUTES_10)));
});

test('an agent that does not answer is said to be silent, and asked again when it rings', async () => {
  const book = rollingOut()
    .findsNobody('awaitVerdict')
    .turn(stopsWaiting(), did('publish', undefined), shows('site-1', 'RollingOut'))
    .ring('site')
    .turn(begins('report', 'site-1'))
    .answers('report', anAnswer('Progressing'))
    .turn(did('publish', undefined), begins('awaitVerdict', 'site-1'), waits(MINUTES_10));
  await follows(book);
});

test('a copy at rest whose agent is silent is said to be so once, and no more when it is back', async () => {
  const book = ready()
    .ring('site')
    .turn(begins('report', 'site-1'))
    .findsNobody('report')
    .turn(did('publish', undefined))
    .ring('site')
    .turn(begins('report', 'site-1'))
    .answers('report', { ...anAnswer('Ready'), mirror: null })
    .turn(did('publish', undefined));
  await follows(book);
});

test('news of a Ready copy are asked for and published', async () => {
  const book = ready()
    .ring('site')
    .turn(begins('report', 'site-1'))
    .answers('report', anAnswer('Ready', { statusHash: 'new' }))
    .turn(did('publish', undefined));
  await follows(book);
});

test('a second ring of a site asks it again, for the answer on its way may be older', async () => {
  const book = ready()
    .ring('site')
    .turn(begins('report', 'site-1'))
    .ring('site')
    .turn(begins('report', 'site-1'), dropsActivity('report'));
  await follows(book);
});

test('an extra copy is removed when the serving one is Ready', async () => {
  const works = [{ cluster: 'site-2', leaving: false }];
  const book = history()
    .ring('spec')
    .turn(
      RESYNC,
      did('place', placed(chosen('site-1', works), applied())),
      begins('awaitVerdict', 'site-1'),
      waits(MINUTES_10),
    )
    .answers('awaitVerdict', anAnswer())
    .turn(
      stopsWaiting(),
      did('publish', undefined),
      did('remove', { leaving: ['site-2'] }),
      shows('site-1', 'Ready'),
    );
  await follows(book);
});

test('a work that goes away under a Capp makes it choose again after a pause', async () => {
  const book = history(aPlacedState({ due: ['work'], ringsHeard: 2 }))
    .turn(RESYNC, did('apply', { outcome: 'Leaving', generation: 1, at: NOW }), waits(5_000))
    .fires(5_000)
    .turn(
      did('find', NOTHING),
      did('place', placed(chosen('site-2'), applied())),
      begins('awaitVerdict', 'site-2'),
      waits(MINUTES_10),
    );
  await follows(book);
});

test('the daily look costs a choice and an apply when nothing has changed', async () => {
  await follows(
    ready()
      .resyncs()
      .turn(RESYNC, did('choose', stays()), did('apply', applied({ created: false }))),
  );
});
