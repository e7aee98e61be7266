// Where a history notes that an old copy may be asked first: with the answer that may lead to it, before any
// local activity.
import { begins, did, patches, RESYNC, stopsWaiting, waits } from '../support/replay/commands.ts';
import { history } from '../support/replay/history.ts';
import { quietLogs } from '../support/flow/quiet-logs.ts';
import { follows } from '../support/replay/replay.ts';
import { anAnswer, MINUTE, NOW } from '../support/builders/states.ts';
import { after, BAD, moving, READY } from '../support/builders/moving.ts';
import type { DnsRecord } from '../../workflows/capp/state.ts';
import { ASKED_AFTER_SILENCE, ASKED_FIRST } from '../../workflows/capp/changes.ts';

quietLogs();

/** Users were sent to site-2, whose agent is to confirm it. */
const sentOn = () =>
  history(after(moving({ confirmation: 'Due' }, READY, READY))).turn(RESYNC, begins('report', 'site-2'));

test('an answer that the new copy has failed notes it', async () => {
  const book = sentOn()
    .answers('report', anAnswer('Failed'))
    .turn(patches(ASKED_FIRST), did('publish', undefined));
  await follows(book);
});

/** The status is written so many times. */
const said = (times: number) => Array.from({ length: times }, () => did('publish', undefined));

/** It leads to site-1, and resolvers know. */
const LED: DnsRecord = {
  cluster: 'site-1',
  isDue: false,
  isThere: true,
  syncedAt: NOW - MINUTE,
  ttlMs: MINUTE,
  said: { reason: 'RecordSynced', message: 'It leads to site-1.' },
  retryAt: 0,
  tries: 0,
};

test('the next look at a record that does not lead to the new copy yet notes it', async () => {
  const pending = { outcome: 'Pending', reason: 'RecordPending', message: 'Not yet.' } as const;
  const book = history({ ...moving({}, READY, {}), dns: LED })
    .turn(RESYNC, begins('awaitVerdict', 'site-2'), waits(9 * MINUTE))
    .answers('awaitVerdict', anAnswer())
    .turn(stopsWaiting(), ...said(3), did('point', pending), ...said(1), waits(1_000))
    .fires(1_000)
    .turn(patches(ASKED_FIRST), did('point', pending));
  await follows(book);
});

test('an answer notes that the agent of the old copy is asked, too, where it was silent long ago', async () => {
  const silent = { ...BAD, wanted: false, heardAt: 0, silentSince: NOW - 60 * MINUTE };
  const dns = { ...LED, cluster: 'site-2', syncedAt: null, retryAt: NOW + 60 * MINUTE };
  const book = history({ ...after(moving({ confirmation: 'Due' }, silent, READY)), dns })
    .turn(RESYNC, begins('report', 'site-2'))
    .answers('report', anAnswer())
    .turn(
      patches(ASKED_FIRST),
      patches(ASKED_AFTER_SILENCE),
      ...said(1),
      begins('report', 'site-1'),
      ...said(1),
    );
  await follows(book);
});
