// The storm's relay before a server that answers what it hears.
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { startRelay, type Relay } from '../../soak/storm/faults/relay.ts';
import { eventually } from '../../../testbed/eventually.ts';

let echo: Server;
let relay: Relay;
beforeEach(async () => {
  echo = createServer((socket) => void socket.on('error', () => undefined).pipe(socket));
  await new Promise<void>((resolve) => void echo.listen(0, '127.0.0.1', resolve));
  relay = await startRelay((echo.address() as AddressInfo).port);
});
afterEach(async () => {
  await relay.stop();
  await new Promise((resolve) => void echo.close(resolve));
});

interface Talk {
  readonly socket: Socket;
  heard: string;
  isOver: boolean;
}

function talk(): Talk {
  const socket = connect(relay.port, '127.0.0.1');
  const talking: Talk = { socket, heard: '', isOver: false };
  socket.setEncoding('utf8').on('data', (text: string) => void (talking.heard += text));
  socket.on('error', () => undefined).once('close', () => void (talking.isOver = true));
  return talking;
}

const hears = (talking: Talk, text: string) =>
  eventually(() => (talking.heard === text ? true : undefined), { withinMs: 10_000 });
const isOver = (talking: Talk) => eventually(() => (talking.isOver ? true : undefined), { withinMs: 10_000 });

test('it passes everything on, in both directions', async () => {
  const talking = talk();
  talking.socket.write('one ');
  await hears(talking, 'one ');
  talking.socket.write('two');
  await hears(talking, 'one two');
});

test('a cut breaks connections and refuses new ones, until it heals', async () => {
  const before = talk();
  before.socket.write('one');
  await hears(before, 'one');
  relay.cut();
  await isOver(before);
  await isOver(talk());
  relay.heal();
  const after = talk();
  after.socket.write('two');
  await hears(after, 'two');
});

test('while it is silent nothing arrives and nothing breaks; afterwards all comes in its order', async () => {
  const talking = talk();
  talking.socket.write('one ');
  await hears(talking, 'one ');
  relay.stall();
  talking.socket.write('two ');
  talking.socket.write('three');
  const other = talk();
  other.socket.write('four');
  await eventually(() => (other.socket.readyState === 'open' ? true : undefined));
  expect([talking.heard, talking.isOver, other.heard, other.isOver]).toEqual(['one ', false, '', false]);
  relay.heal();
  await hears(talking, 'one two three');
  await hears(other, 'four');
});

test('a slow way delays each direction', async () => {
  relay.slow(150);
  const talking = talk();
  const begun = performance.now();
  talking.socket.write('one');
  await hears(talking, 'one');
  expect(performance.now() - begun).toBeGreaterThanOrEqual(290);
});
