// The commands with which a site's workflow answers an inventory of its agent.
import { continuesAsNew, did, rings } from '../support/replay/commands.ts';
import { siteHistory } from '../support/replay/history.ts';
import { quietLogs } from '../support/flow/quiet-logs.ts';
import { replays } from '../support/replay/replay.ts';

quietLogs();

const START = { version: 1, cluster: 'site-1', inventories: [] } as const;
const entry = (name: string) => ({
  namespace: 'apps',
  name,
  uid: `uid-${name}`,
  stamp: `uid-${name}/1/hash/one`,
  statusHash: 'hash',
});

test('an inventory rings only for the Capps that look different', async () => {
  const book = siteHistory(START)
    .turn()
    .inventory(entry('a'), entry('b'), entry('c'))
    .turn(
      did('compare', {
        differing: [
          { namespace: 'apps', name: 'a' },
          { namespace: 'apps', name: 'c' },
        ],
      }),
      rings('capp/apps/a'),
      rings('capp/apps/c'),
    )
    .delivered()
    .turn()
    .inventory(entry('a'))
    .turn(did('compare', { differing: [] }));
  await replays(book);
});

test('two inventories in a row are both looked at', async () => {
  const book = siteHistory(START)
    .turn()
    .inventory(entry('a'))
    .inventory(entry('b'))
    .turn(did('compare', { differing: [{ namespace: 'apps', name: 'a' }] }), rings('capp/apps/a'))
    .delivered()
    .turn(did('compare', { differing: [{ namespace: 'apps', name: 'b' }] }), rings('capp/apps/b'));
  await replays(book);
});

test('a large inventory is looked at in pages of 500', async () => {
  const book = siteHistory(START)
    .turn()
    .inventory(...Array.from({ length: 501 }, (_, index) => entry(`app-${index}`)))
    .turn(
      did('compare', { differing: [] }),
      did('compare', { differing: [{ namespace: 'apps', name: 'app-500' }] }),
      rings('capp/apps/app-500'),
    );
  await replays(book);
});

test('a long history is handed over when no inventory waits', async () => {
  const book = siteHistory(START)
    .turn()
    .inventory(entry('a'))
    .longTurn(did('compare', { differing: [] }), continuesAsNew());
  await replays(book);
});
