// A disabled Capp moves off a lost site, and its new copy was to be checked: when its checks are dropped, by
// this build and by the one that first dropped them.
import { begins, did, patches, RESYNC, shows, stopsWaiting, waits } from '../support/replay/commands.ts';
import { history } from '../support/replay/history.ts';
import { quietLogs } from '../support/flow/quiet-logs.ts';
import { follows } from '../support/replay/replay.ts';
import { anAnswer, MINUTE } from '../support/builders/states.ts';
import { moving, READY } from '../support/builders/moving.ts';
import { NEEDLESS_DROPPED, NEEDLESS_UNSAID } from '../../workflows/capp/changes.ts';

quietLogs();

/** The status is written so many times. */
const said = (times: number) => Array.from({ length: times }, () => did('publish', undefined));

const ORDER = { key: 'move-1', checks: [] };

/** Its agent has said that it is under way; then it says that the Capp is disabled there. */
const underWay = () =>
  history(
    moving(
      { reason: 'SiteLost' },
      READY,
      { stamp: 'uid-1/1/hash/two', order: ORDER },
      { unreachable: ['site-1'] },
    ),
  )
    .turn(RESYNC, begins('awaitVerdict', 'site-2'), waits(9 * MINUTE))
    .answers('awaitVerdict', anAnswer('Progressing'))
    .turn(
      stopsWaiting(),
      ...said(1),
      shows('site-1', 'Moving'),
      begins('awaitVerdict', 'site-2'),
      waits(9 * MINUTE),
    )
    .answers('awaitVerdict', anAnswer('Ready', { reason: 'Disabled' }));

test('the checks of a disabled copy are dropped before its news are published', async () => {
  await follows(
    underWay().turn(
      patches(NEEDLESS_DROPPED),
      patches(NEEDLESS_UNSAID),
      stopsWaiting(),
      ...said(2),
      begins('report', 'site-2'),
    ),
  );
});

test('a history of the build that dropped them after that still replays', async () => {
  await follows(
    underWay().turn(patches(NEEDLESS_DROPPED), stopsWaiting(), ...said(1), begins('report', 'site-2')),
  );
});
