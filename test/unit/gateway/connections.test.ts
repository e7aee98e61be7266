// Connections that stay open: a stranger's for a short while, a site's own as far as it may have more.
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { jest } from '@jest/globals';
import { connections } from '../../../gateway/bounds/connections.ts';
import { GATEWAY_TIMES } from '../../../gateway/times.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function door(room?: Parameters<typeof connections>[0]) {
  const { came, known, cut } = connections(room);
  const open = new Set<number>();
  return {
    open: () => [...open],
    come: (port: number) => {
      const socket = Object.assign(new EventEmitter(), {
        remoteAddress: '127.0.0.1',
        remotePort: port,
        destroy: () => {
          open.delete(port);
          socket.emit('close');
        },
      });
      open.add(port);
      came(socket as unknown as Socket);
      return socket;
    },
    know: (port: number, cluster: string) => known(`127.0.0.1:${port}`, cluster),
    cut: (port: number) => cut(`127.0.0.1:${port}`),
  };
}

test('a connection on which nobody is known is ended soon, and one of a site stays', () => {
  const { open, come, know } = door();
  come(1);
  come(2);
  know(2, 'site-1');
  jest.advanceTimersByTime(GATEWAY_TIMES.stranger.ms);
  expect(open()).toEqual([2]);
});

test('of too many strangers the oldest goes, and no site’s connection does', () => {
  const { open, come, know } = door({ strangers: 3, ofSite: 2 });
  come(1);
  know(1, 'site-1');
  for (const port of [2, 3, 4, 5, 6]) come(port);
  expect(open()).toEqual([1, 4, 5, 6]);
});

test('a site that opens more than it may have loses its own oldest one, and no other site does', () => {
  const { open, come, know } = door({ strangers: 3, ofSite: 2 });
  for (const [port, cluster] of [
    [1, 'site-1'],
    [2, 'site-2'],
    [3, 'site-1'],
    [4, 'site-1'],
  ] as const) {
    come(port);
    know(port, cluster);
    know(port, cluster);
  }
  expect(open()).toEqual([2, 3, 4]);
  come(5).destroy();
  come(6);
  know(6, 'site-1');
  expect(open()).toEqual([2, 4, 6]);
});

test('a connection that is cut is ended, and no other one', () => {
  const { open, come, know, cut } = door({ strangers: 3, ofSite: 3 });
  for (const port of [1, 2, 3]) come(port);
  know(1, 'site-1');
  know(2, 'site-1');
  cut(1);
  cut(3);
  cut(9);
  expect(open()).toEqual([2]);
});
