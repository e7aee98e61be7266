// The commands with which an order to empty a site is carried out: it is given, given again when nothing is
// heard of it, and ends with the account.
import { aDrain } from '../support/builders/drain/drains.ts';
import { begins, completes, stopsWaiting, waits } from '../support/replay/commands.ts';
import { orderHistory } from '../support/replay/history.ts';
import { quietLogs } from '../support/flow/quiet-logs.ts';
import { replays } from '../support/replay/replay.ts';
import { NOW } from '../support/builders/states.ts';
import { summaryOf } from '../../workflows/drain/decide/progress.ts';

quietLogs();

const ORDER = { cluster: 'site-1', lanes: {}, since: NOW };
const REPEAT_MS = 600_000;
const progress = summaryOf(aDrain());

test('an order is given, waits for its account and ends with it', async () => {
  const book = orderHistory(ORDER)
    .turn(begins('steer'))
    .answers('steer', undefined)
    .turn(waits(REPEAT_MS))
    .accounts({ order: NOW, progress })
    .turn(stopsWaiting(), completes());
  await replays(book);
});

test('the account of another order is not its own', async () => {
  const book = orderHistory(ORDER)
    .turn(begins('steer'))
    .answers('steer', undefined)
    .turn(waits(REPEAT_MS))
    .accounts({ order: NOW - 1, progress })
    .turn();
  await replays(book);
});

test('an order of which nothing is heard for ten minutes is given once more: its drain may have been ended by hand', async () => {
  const book = orderHistory(ORDER)
    .turn(begins('steer'))
    .answers('steer', undefined)
    .turn(waits(REPEAT_MS))
    .fires(REPEAT_MS)
    .turn(begins('steer'))
    .answers('steer', undefined)
    .turn(waits(REPEAT_MS));
  await replays(book);
});

test('what is said to the order is passed on', async () => {
  const book = orderHistory(ORDER)
    .turn(begins('steer'))
    .answers('steer', undefined)
    .turn(waits(REPEAT_MS))
    .says('pause')
    .turn(stopsWaiting(), begins('steer'))
    .answers('steer', undefined)
    .turn(waits(REPEAT_MS));
  await replays(book);
});
