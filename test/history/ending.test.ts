// The commands with which a Capp’s workflow ends, and begins anew.
import {
  begins,
  completes,
  continuesAsNew,
  couldNot,
  did,
  dropsActivity,
  patches,
  RESYNC,
  shows,
  stopsWaiting,
  waits,
} from '../support/replay/commands.ts';
import { history } from '../support/replay/history.ts';
import { quietLogs } from '../support/flow/quiet-logs.ts';
import { follows } from '../support/replay/replay.ts';
import { aPlacedState, applied, aState, chosen, placed } from '../support/builders/states.ts';

quietLogs();

const deletedReady = () =>
  history(aPlacedState({ due: ['meta'], ringsHeard: 2 })).turn(
    RESYNC,
    did('apply', { outcome: 'Deleted' }),
    begins('retire'),
  );

test('a deleted Capp leaves its sites before its workflow ends', async () => {
  const book = deletedReady()
    .answers('retire', { outcome: 'Leaving', clusters: ['site-1'] })
    .turn(did('publish', undefined), shows('site-1', 'Deleting'))
    .ring('work')
    .turn(begins('retire'))
    .answers('retire', { outcome: 'Retired' })
    .turn(completes());
  await follows(book);
});

const QUICK = 'a deletion is quick and quiet';
const going = () => history(aPlacedState({ due: ['meta'], ringsHeard: 2 }));
const LEAVING = { outcome: 'Leaving', clusters: ['site-1'], lost: {}, givenUp: [] } as const;

test('a deletion that is over in a moment takes two turns, and says nothing', async () => {
  const book = going()
    .turn(
      patches(QUICK),
      RESYNC,
      did('apply', { outcome: 'Deleted' }),
      did('retire', LEAVING),
      shows('site-1', 'Deleting'),
      waits(10_000),
    )
    .ring('gone')
    .turn(stopsWaiting(), did('retire', { outcome: 'Retired' }), completes());
  await follows(book);
});

test('a deletion that takes longer is told of', async () => {
  const book = going()
    .turn(
      patches(QUICK),
      RESYNC,
      did('apply', { outcome: 'Deleted' }),
      did('retire', LEAVING),
      shows('site-1', 'Deleting'),
      waits(10_000),
    )
    .fires(10_000)
    .turn(did('publish', undefined))
    .ring('gone')
    .turn(did('retire', { outcome: 'Retired' }), completes());
  await follows(book);
});

test('what cannot be removed at once is left to the server', async () => {
  const book = going()
    .turn(patches(QUICK), RESYNC, did('apply', { outcome: 'Deleted' }), couldNot('retire'), begins('retire'))
    .answers('retire', { outcome: 'Retired' })
    .turn(completes());
  await follows(book);
});

test('a lost site is told of at once', async () => {
  const book = going()
    .turn(
      patches(QUICK),
      RESYNC,
      did('apply', { outcome: 'Deleted' }),
      did('retire', { ...LEAVING, lost: { 'site-1': 'Unreachable' } }),
      did('publish', undefined),
      shows('site-1', 'Deleting'),
    )
    .ring('gone')
    .turn(did('retire', { outcome: 'Retired' }), completes());
  await follows(book);
});

test('a site that is lost is told once, and a ring about a person’s word or its return is looked at', async () => {
  const lost = {
    outcome: 'Leaving',
    clusters: ['site-1'],
    lost: { 'site-1': 'Unreachable' },
    givenUp: [],
  } as const;
  const book = deletedReady()
    .answers('retire', lost)
    .turn(did('publish', undefined), shows('site-1', 'Deleting'))
    .ring('decision')
    .turn(begins('retire'))
    .answers('retire', lost)
    .turn()
    .ring('meta')
    .turn(begins('retire'))
    .answers('retire', { outcome: 'Retired' })
    .turn(completes());
  await follows(book);
});

test('a deletion that began while Temporal was away is carried out by a workflow that knows nothing', async () => {
  const book = history()
    .ring('spec')
    .turn(RESYNC, did('place', placed({ outcome: 'Absent' })), begins('retire'))
    .answers('retire', { outcome: 'Leaving', clusters: ['site-1'], lost: {}, givenUp: [] })
    .turn(did('publish', undefined), shows('none', 'Deleting'))
    .ring('work')
    .turn(begins('retire'))
    .answers('retire', { outcome: 'Retired' })
    .turn(completes());
  await follows(book);
});

test('a deletion during a rollout gives up the question to the agent', async () => {
  const book = history()
    .ring('spec')
    .turn(RESYNC, did('place', placed(chosen(), applied())), begins('awaitVerdict', 'site-1'), waits(600_000))
    .ring('meta')
    .turn(
      stopsWaiting(),
      did('apply', { outcome: 'Deleted' }),
      begins('retire'),
      dropsActivity('awaitVerdict'),
    )
    .answers('retire', { outcome: 'Retired' })
    .turn(completes());
  await follows(book);
});

test('a ring that comes while the last work goes is looked at before the end', async () => {
  const book = deletedReady()
    .ring('spec')
    .turn()
    .answers('retire', { outcome: 'Retired' })
    .turn(begins('retire'))
    .answers('retire', { outcome: 'Retired' })
    .turn(completes());
  await follows(book);
});

test('a namesake that comes while the last work goes gets a life of its own', async () => {
  const book = deletedReady()
    .ring('spec')
    .turn()
    .answers('retire', { outcome: 'Retired' })
    .turn(begins('retire'))
    .answers('retire', { outcome: 'Replaced', uid: 'uid-2' })
    .turn(continuesAsNew());
  await follows(book);
});

test('a Capp that no cache has is let go only after a live read', async () => {
  const book = history()
    .ring('spec')
    .turn(RESYNC, did('place', placed({ outcome: 'Absent' })), begins('retire'))
    .answers('retire', { outcome: 'Alive' })
    .turn(did('publish', undefined), waits(200))
    .fires(200)
    .turn(did('place', placed(chosen(), applied())), begins('awaitVerdict', 'site-1'), waits(600_000));
  await follows(book);
});

test('a stale ring for a Capp that is gone ends at once', async () => {
  const book = history(aState({ due: ['spec'], ringsHeard: 0 }))
    .ring('meta')
    .turn(RESYNC, did('place', placed({ outcome: 'Absent' })), begins('retire'))
    .answers('retire', { outcome: 'Retired' })
    .turn(completes());
  await follows(book);
});

test('another object under the same name begins anew', async () => {
  const book = history(aPlacedState({ due: ['spec'], ringsHeard: 2, minimumVersions: { Capp: '7' } })).turn(
    RESYNC,
    did('apply', { outcome: 'Replaced', uid: 'uid-2' }),
    continuesAsNew(),
  );
  await follows(book);
});

test('a retirement that may not be done is tried again after a pause', async () => {
  const book = deletedReady()
    .fails('retire', 'Forbidden')
    .turn(did('publish', undefined), shows('site-1', 'Deleting'), waits(30_000))
    .fires(30_000)
    .turn(begins('retire'));
  await follows(book);
});
