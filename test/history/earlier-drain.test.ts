// The commands with which a drain answers Capps and people: one call for all answers, and one timer for all
// it waits for. These histories are those of builds before decision 10, where an order told the drain what
// its Drain asks for, and they replay as they are.
import { LANE_MS, LINGER_MS } from '../../workflows/drain/decide/step.ts';
import { completes, continuesAsNew, did, stopsFirstTimer, waits } from '../support/replay/commands.ts';
import { aResident, aWish } from '../support/builders/drain/drains.ts';
import { drainHistory } from '../support/replay/history.ts';
import { quietLogs } from '../support/flow/quiet-logs.ts';
import { replays } from '../support/replay/replay.ts';

quietLogs();

const BY_CAPPS = { cluster: 'site-1' } as const;
const answers = (...gone: string[]) => did('answer', { gone, untold: [], backlogMs: null });
const moved = (name: string) => ({
  namespace: 'apps',
  name,
  outcome: 'Moved' as const,
  to: 'site-2',
  reason: 'Tainted',
});

test('turn requests that came together are answered by one call; when all have settled and none asks, it looks who stays and ends', async () => {
  const book = drainHistory(BY_CAPPS)
    .requestTurn(aWish('a'))
    .requestTurn(aWish('b'))
    .turn(answers(), waits(LANE_MS))
    .settled(moved('a'))
    .turn()
    .settled(moved('b'))
    .turn(waits(LINGER_MS), stopsFirstTimer())
    .fires(LINGER_MS)
    .turn(did('cappsOn', { capps: [aResident('c', { why: 'Manual' })], isLast: true }), completes());
  await replays(book);
});

test('being woken costs no timer: the one that stands goes on', async () => {
  const book = drainHistory({ ...BY_CAPPS, width: 1 })
    .requestTurn(aWish('a'))
    .turn(answers(), waits(LANE_MS))
    .requestTurn(aWish('b'))
    .turn(waits(10_000), stopsFirstTimer())
    .requestTurn(aWish('c'))
    .turn()
    .requestTurn(aWish('d'))
    .turn()
    .settled(moved('a'))
    .turn(answers());
  await replays(book);
});

test('a Capp whose workflow runs no more takes no lane', async () => {
  const book = drainHistory({ ...BY_CAPPS, width: 1 })
    .requestTurn(aWish('a'))
    .requestTurn(aWish('b'))
    .turn(answers('apps/a'), answers(), waits(LANE_MS));
  await replays(book);
});

test('in a pause whoever asks is told to wait, and goes after it', async () => {
  const book = drainHistory(BY_CAPPS)
    .says('pause')
    .requestTurn(aWish('a'))
    .turn(answers())
    .says('resume')
    .turn(answers(), waits(LANE_MS));
  await replays(book);
});

test('while the hub workers lag behind a drain order, Capps that settle make no room, and it waits for its lanes to widen', async () => {
  const full = Array.from({ length: 70 }, (_, index) => aResident(`app-${index}`));
  const lagging = did('answer', { gone: [], untold: [], backlogMs: 2_000 });
  const book = drainHistory({ cluster: 'site-1', width: 16, perTarget: 16 })
    .says('evacuate')
    .turn(did('cappsOn', { capps: full, isLast: false }), lagging, waits(5_000));
  for (const index of [0, 1]) book.settled(moved(`app-${index}`)).turn();
  await replays(book);
});

test('a stop tells those that wait, and ends when they have heard', async () => {
  const book = drainHistory({ ...BY_CAPPS, width: 1 })
    .requestTurn(aWish('a'))
    .requestTurn(aWish('b'))
    .turn(answers(), waits(10_000))
    .says('stop')
    .turn(answers(), completes());
  await replays(book);
});

test('a person’s drain reads pages while few wait, and leaves alone what could not answer', async () => {
  const full = Array.from({ length: 55 }, (_, index) => aResident(`app-${index}`));
  const book = drainHistory({ cluster: 'site-1', width: 2 })
    .says('evacuate')
    .turn(did('cappsOn', { capps: full, isLast: false }), answers(), waits(LANE_MS));
  for (let index = 0; index < 3; index += 1) book.settled(moved(`app-${index}`)).turn(answers());
  book
    .settled(moved('app-3'))
    .turn(answers(), did('cappsOn', { capps: [aResident('frozen', { why: 'Paused' })], isLast: true }));
  await replays(book);
});

test('a long history is handed over with what has been heard', async () => {
  const book = drainHistory(BY_CAPPS)
    .requestTurn(aWish('a'))
    .turn(answers(), waits(LANE_MS))
    .requestTurn(aWish('b'))
    .longTurn(continuesAsNew());
  await replays(book);
});
