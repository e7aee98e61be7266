// A process that stops while Temporal does not answer: a Temporal on loopback that refuses every call.
import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import { Connection } from '@temporalio/client';
import { pino } from 'pino';
import { eventually } from '../../../testbed/eventually.ts';
import { untilClosed } from '../../../workers/process/closed-connection.ts';
import { connectClient } from '../../../workers/process/temporal.ts';

const log = pino({ level: 'silent' });
const SERVICE = '/temporal.api.workflowservice.v1.WorkflowService';
const REFUSED = { code: status.UNAVAILABLE, details: 'not now' };

const CLOSED = 'CANCELLED: The connection to Temporal was closed before this try.';

let server: Server | null = null;
afterEach(() => server?.forceShutdown());

test('a call that waits for its next try when the connection is closed ends, and throws nothing beside', async () => {
  let tries = 0;
  const answering = new Server();
  server = answering;
  const same = (bytes: Buffer): Buffer => bytes;
  type Done = (error: typeof REFUSED | null, bytes?: Buffer) => void;
  const answers = (method: string, answer: (_: unknown, done: Done) => void): void =>
    void answering.register(`${SERVICE}/${method}`, answer, same, same, 'unary');
  answers('GetSystemInfo', (_, done) => done(null, Buffer.alloc(0)));
  answers('DescribeNamespace', (_, done) => {
    tries += 1;
    done(REFUSED);
  });
  const port = await new Promise<number>((bound, failed) =>
    answering.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, own) =>
      error === null ? bound(own) : failed(error),
    ),
  );
  const config = { TEMPORAL_ADDRESS: `127.0.0.1:${port}`, TEMPORAL_NAMESPACE: 'default' };
  const { connection } = await connectClient(config, { log });
  const called = connection.workflowService.describeNamespace({ namespace: 'default' });
  const ended = called.then(
    () => null,
    (error: unknown) => String(error),
  );
  await eventually(() => (tries >= 2 ? true : undefined));
  await connection.close();
  expect(await ended).toContain(CLOSED);
});

test('a call on a connection that is closed already ends in the same words', async () => {
  const connection = Connection.lazy({ address: '127.0.0.1:9', interceptors: untilClosed() });
  await connection.close();
  await expect(connection.workflowService.getSystemInfo({})).rejects.toThrow(CLOSED);
});

test('what else goes wrong with a call is not called a closed connection', () => {
  const [, endOnClosed] = untilClosed();
  const broken = (): never => {
    throw new Error('no such method');
  };
  expect(() => endOnClosed?.({} as never, broken)).toThrow('no such method');
});
