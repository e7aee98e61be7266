// Connections to the webhook's port that anybody in the hub's network opens and holds: the API server is
// answered all the same.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { issue } from '../../../tls/certificate.ts';
import { serveAdmission, type AdmissionServer } from '../../../workers/webhook/door/server.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { dial, heardOn, post, said } from '../../support/servers/network/raw-tls.ts';

describe('connections that others hold open', () => {
  const served = async (room?: { strangers: number; resting: number }): Promise<AdmissionServer> =>
    serveAdmission({
      address: '127.0.0.1:0',
      serving: await issue(['127.0.0.1'], Date.now()),
      reply: async (path) => {
        if (path === '/hold') await new Promise<void>((resolve) => (release = resolve));
        return { status: 200, body: { path } };
      },
      onError: () => undefined,
      ...(room === undefined ? {} : { room }),
    });
  let server: AdmissionServer;
  let release: (() => void) | null = null;
  let others: Socket[] = [];
  afterEach(async () => {
    for (const socket of others) socket.destroy();
    others = [];
    await server.close();
  });
  const kept = `${post('/x', { Connection: 'keep-alive', 'Content-Length': 2 })}{}`;
  const honest = async (): Promise<string> => said(server.port, `${post('/x', { 'Content-Length': 2 })}{}`);

  test('however many say nothing, and come again, who asks gets an answer', async () => {
    server = await served();
    const come = async (): Promise<void> => {
      const socket = connect(server.port, '127.0.0.1')
        .on('error', () => undefined)
        .resume();
      others.push(socket);
      await once(socket, 'connect');
    };
    for (let count = 0; count < 600; count += 50) await Promise.all(Array.from({ length: 50 }, come));
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await honest()).toMatch(/^HTTP\/1\.1 200/);
      await Promise.all(Array.from({ length: 50 }, come));
    }
    const ended = await eventually(() => {
      const gone = others.filter((socket) => socket.destroyed || socket.readableEnded).length;
      return gone >= others.length - 256 ? gone : undefined;
    });
    expect(ended).toBeLessThan(others.length);
  }, 60_000);

  test('who has asked is not ended for those who have not, nor before the answer', async () => {
    server = await served({ strangers: 2, resting: 1 });
    const asking = await dial(server.port);
    const heard = heardOn(asking);
    asking.write(post('/hold', { 'Content-Length': 0 }));
    await eventually(() => (release === null ? undefined : true));
    const resting = await dial(server.port);
    resting.write(kept);
    await once(resting, 'data');
    others.push(resting);
    for (let count = 0; count < 3; count += 1) {
      others.push((await dial(server.port)).on('error', () => undefined).resume());
    }
    const [, first] = others;
    await eventually(() => (first?.destroyed === true || first?.readableEnded === true ? true : undefined));
    expect(resting.destroyed).toBe(false);
    resting.write(kept);
    await once(resting, 'data');
    release?.();
    expect(await heard).toMatch(/^HTTP\/1\.1 200/);
  });

  test('of those who have been answered and stay the oldest goes', async () => {
    server = await served({ strangers: 2, resting: 2 });
    for (let count = 0; count < 3; count += 1) {
      const socket = (await dial(server.port)).on('error', () => undefined);
      others.push(socket);
      socket.write(kept);
      await once(socket, 'data');
    }
    const [oldest, ...rest] = others;
    await eventually(() => (oldest?.readableEnded === true || oldest?.destroyed ? true : undefined));
    expect(rest.map(({ destroyed }) => destroyed)).toEqual([false, false]);
  });
});
