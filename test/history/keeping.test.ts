// The commands of moves that cannot be, and of copies that cannot be removed: what is so is told at once, and
// nothing is done in haste.
import { begins, couldNot, did, RESYNC, shows, waits } from '../support/replay/commands.ts';
import { history } from '../support/replay/history.ts';
import { quietLogs } from '../support/flow/quiet-logs.ts';
import { follows } from '../support/replay/replay.ts';
import {
  aCopy,
  aFinding,
  aMove,
  aPlacedState,
  aState,
  chosen,
  placed,
  refused,
  stays,
} from '../support/builders/states.ts';
import type { Choice } from '../../workflows/ports/choice.ts';

quietLogs();

const READY = { finding: aFinding() };
/** It has told something before. */
const TOLD = { published: 'what stands there' };
const LOOKED = { due: ['decision'] as const, ringsHeard: 2, ...TOLD };

function leaves(unreachable: readonly string[]): Choice {
  const { outcome: _stays, reason: _reason, ...known } = stays();
  const record = {
    at: '',
    cluster: 'site-2',
    reason: 'Chosen',
    placement: 'all',
    candidates: [],
    excluded: [],
  };
  const terms = {
    holdMs: 0,
    cooldownMs: 0,
    deadlineMs: 600_000,
    strategy: 'Recreate',
    inBulk: true,
  } as const;
  const going = { to: 'site-2', pinned: false, record, terms, request: null, priority: 0, unreachable };
  return {
    ...known,
    ...going,
    outcome: 'Leaves',
    reason: 'SiteLost',
    message: 'site-1 cannot be reached',
    generation: 1,
  };
}

test('a Capp that must not run twice says on the ring of its site’s loss that it waits for a word, and takes no turn', async () => {
  const book = history(aPlacedState(LOOKED, READY)).turn(
    RESYNC,
    did('choose', leaves(['site-1'])),
    did('publish', undefined),
    shows('site-1', 'Degraded'),
  );
  await follows(book);
}, 200_000);

test('a pinned Capp says on the ring of its site’s loss that nobody can see it', async () => {
  const pinned = {
    ...stays(),
    reason: 'Pinned',
    message: 'spec.site names site-1',
    unreachable: ['site-1'],
  } as const;
  const book = history(aPlacedState(LOOKED, READY));
  await follows(
    book.turn(RESYNC, did('choose', pinned), did('publish', undefined), shows('site-1', 'Degraded')),
  );
}, 200_000);

test('a copy that the hub refuses to remove is told of at once, and left alone for a while', async () => {
  const copies = { 'site-1': aCopy(READY), 'site-2': aCopy({ ...READY, wanted: false }) };
  const book = history(aPlacedState({ ...TOLD, copies })).turn(RESYNC, couldNot('remove'), begins('remove'));
  book.fails('remove', 'Forbidden').turn(shows('site-1', 'Ready'), did('publish', undefined), waits(1_000));
  await follows(book);
}, 200_000);

test('a new copy that its site refuses for good is given up, and the old one is looked after as before', async () => {
  const copies = { 'site-1': aCopy(READY), 'site-2': aCopy({ stamp: null, generation: 0 }) };
  const book = history(aPlacedState({ ...TOLD, copies, move: aMove() })).turn(
    RESYNC,
    couldNot('apply'),
    begins('apply'),
  );
  book
    .fails('apply', 'Forbidden')
    .turn(
      did('publish', undefined),
      did('choose', stays()),
      did('publish', undefined),
      couldNot('apply'),
      begins('apply'),
    );
  await follows(book);
}, 200_000);

test('with Recreate the old copy goes, and the new one is made, only when what was decided before stands in the history', async () => {
  const copies = { 'site-1': aCopy({ ...READY, wanted: false }) };
  const book = history(aPlacedState({ ...TOLD, copies, move: aMove({ strategy: 'Recreate' }) })).turn(
    RESYNC,
    begins('remove'),
  );
  book.answers('remove', { leaving: [] }).turn(did('publish', undefined), begins('apply'));
  await follows(book);
}, 200_000);

test('with Recreate the first copy, too, is made only when the choice of its site stands in the history', async () => {
  const choice: Choice = { ...chosen('site-2'), isSole: true };
  const book = history(aState({ due: ['spec'], ringsHeard: 1 })).turn(
    RESYNC,
    did('place', placed(choice)),
    begins('apply'),
  );
  await follows(book);
}, 200_000);

test('a Capp that could be shipped nowhere yet is chosen for as if it had no site, after works have been looked for', async () => {
  const before = aPlacedState(
    { ...LOOKED, refused: { reason: 'MissingReference', message: '' } },
    { stamp: null, generation: 0 },
  );
  const found = did('find', { works: [], lost: {}, given: [] });
  const book = history(before).turn(
    RESYNC,
    found,
    did('choose', chosen('site-2')),
    did('apply', refused()),
    shows('site-2', 'Degraded'),
  );
  await follows(book);
}, 200_000);

test('before such a choice it is found out whether an earlier copy still leaves, so that its site may be chosen', async () => {
  const refusedThere = {
    refused: { reason: 'MissingReference', message: '' },
    leaving: { 'site-2': { since: 0, lookedAtRing: 1 } },
  } as const;
  const nothing = { works: [], lost: {}, given: [] };
  const book = history(aPlacedState({ ...LOOKED, ...refusedThere }, { stamp: null, generation: 0 }));
  const looked = [
    did('find', nothing),
    did('find', nothing),
    did('choose', chosen('site-2')),
    did('apply', refused()),
  ] as const;
  await follows(book.turn(RESYNC, ...looked, shows('site-2', 'Degraded')));
}, 200_000);
