// What a running hub does again and again: one duty that fails keeps no other from being done.
import { jest } from '@jest/globals';
import { keepHub } from '../../../../deploy/hub/keep.ts';
import { HUB_COMMAND_TIMES } from '../../../../deploy/hub/times.ts';

test('a Secret that cannot be written is told of once, and certificates are renewed all the same', async () => {
  const stop = new AbortController();
  const [did, said]: [string[], string[]] = [[], []];
  const start = Date.now();
  let passed = 0;
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => start + passed);
  try {
    await keepHub(
      {
        keep: () => {
          did.push('keep');
          passed += HUB_COMMAND_TIMES.renewal.ms;
          return Promise.resolve();
        },
        renew: () => {
          did.push('renew');
          return Promise.resolve();
        },
        publish: () => {
          did.push('publish');
          if (did.length > 5) stop.abort();
          return Promise.reject(new Error('it is not there.'));
        },
      },
      { stop: stop.signal, isOver: () => false },
      (line) => said.push(line),
    );
  } finally {
    clock.mockRestore();
  }
  expect(did).toEqual(['keep', 'renew', 'publish', 'keep', 'renew', 'publish']);
  expect(said).toEqual(['Tried again soon: it is not there.']);
});
