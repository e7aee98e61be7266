// What a running hub does again and again: one duty that fails keeps no other from being done.
import { jest } from '@jest/globals';
import { keepHub } from '../../../../deploy/hub/keep.ts';
import { HUB_COMMAND_TIMES } from '../../../../deploy/hub/times.ts';

type Hub = Parameters<typeof keepHub>[0];
const { renewal, dutyAgain } = HUB_COMMAND_TIMES;
const gone = () => Promise.reject(new Error('it is not there.'));

/** What is done at looks so many milliseconds apart, until the last of them, and what is said. */
async function kept(stepsMs: readonly number[], failing: Partial<Hub>) {
  const stop = new AbortController();
  const [did, said]: [string[], string[]] = [[], []];
  // Whole: sums of fractions differ by the order in which they are made.
  const start = Math.round(performance.now());
  const left = [...stepsMs];
  let passed = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => start + passed);
  const doing = (what: keyof Hub) => async (): Promise<void> => {
    if (what === 'keep') passed += left.shift() ?? 0;
    did.push(what);
    if (what === 'publish' && left.length === 0) stop.abort();
    await failing[what]?.();
  };
  const hub = {
    keep: doing('keep'),
    renew: doing('renew'),
    publish: doing('publish'),
    lookAtStore: () => Promise.resolve(),
  };
  const isOver = () => left.length === 0 && did.at(-1) !== 'keep' && did.at(-1) !== 'renew';
  try {
    await keepHub(hub, { stop: stop.signal, isOver }, (line) => said.push(line));
  } finally {
    clock.mockRestore();
  }
  return { did, said };
}

test('a Secret that cannot be written is told of once, though most looks are not about it, and certificates are renewed all the same', async () => {
  const { did, said } = await kept([renewal.ms, 1, dutyAgain.ms], { publish: gone });
  expect(did).toEqual(['keep', 'renew', 'publish', 'keep', 'keep', 'publish']);
  expect(said).toEqual(['Tried again soon: it is not there.']);
});

test('a renewal that fails is tried again soon, and not with the next regular one', async () => {
  const { did, said } = await kept([renewal.ms, dutyAgain.ms], { renew: gone });
  expect(did).toEqual(['keep', 'renew', 'publish', 'keep', 'renew', 'publish']);
  expect(said).toEqual(['Tried again soon: it is not there.']);
});

test('what is done well again and then fails again is told of again', async () => {
  let tries = 0;
  const { said } = await kept([renewal.ms, dutyAgain.ms, renewal.ms], {
    renew: () => (tries++ === 1 ? Promise.resolve() : gone()),
  });
  expect(said).toEqual(['Tried again soon: it is not there.', 'Tried again soon: it is not there.']);
});
