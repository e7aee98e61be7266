// The gateway's own TLS: a new certificate for new connections, and no open connection ends for it.
import { connect, type TLSSocket } from 'node:tls';
import { listenWithTls } from '../../../gateway/tls-listener.ts';
import { issue } from '../../../tls/certificate.ts';

test('a new certificate is served from the next connection on, and the open one goes on', async () => {
  const [first, second] = [await issue(['localhost'], Date.now()), await issue(['localhost'], Date.now())];
  const listener = await listenWithTls('127.0.0.1:0', first, {
    onSocket: (socket) => void socket.pipe(socket),
  });
  const opened: TLSSocket[] = [];
  const open = (ca: string): Promise<TLSSocket> =>
    new Promise((resolve, reject) => {
      const options = {
        port: listener.port,
        host: '127.0.0.1',
        servername: 'localhost',
        ca,
        ALPNProtocols: ['h2'],
      };
      const socket = connect(options, () => resolve(socket));
      socket.on('error', reject);
      opened.push(socket);
    });
  const before = await open(first.authority);
  listener.serve(second);
  await open(second.authority);
  await expect(open(first.authority)).rejects.toThrow(/certificate/);
  const echo = new Promise((resolve) => before.once('data', (bytes) => resolve(String(bytes))));
  before.write('still here');
  expect(await echo).toBe('still here');
  await listener.close();
  for (const socket of opened) socket.destroy();
});
