// The commands of one run of a site's score: one activity on the site, one in the hub worker, and no more.
import { begins, completes, did } from '../support/replay/commands.ts';
import { scoreHistory } from '../support/replay/history.ts';
import { quietLogs } from '../support/flow/quiet-logs.ts';
import { replays } from '../support/replay/replay.ts';

quietLogs();

const ORDER = { cluster: 'site-1', intervalSeconds: 60 } as const;

test('what the agent measures is published, in twelve events', async () => {
  const book = scoreHistory(ORDER)
    .turn(begins('measure', 'site-1'))
    .answers('measure', { figures: [{ name: 'cpuAvailable', value: 50 }] })
    .turn(did('publishScore', { written: ['rcs-score'] }), completes());
  await replays(book);
  expect(book.events).toHaveLength(12);
});

test('an agent that is away is a result, and what has expired is taken away', async () => {
  const book = scoreHistory(ORDER)
    .turn(begins('measure', 'site-1'))
    .findsNobody('measure')
    .turn(did('publishScore', { written: [] }), completes());
  await replays(book);
});

test('so is a site that cannot be measured', async () => {
  const book = scoreHistory(ORDER)
    .turn(begins('measure', 'site-1'))
    .fails('measure', 'Unreachable')
    .turn(did('publishScore', { written: [] }), completes());
  await replays(book);
});
