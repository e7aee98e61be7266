// A server that answers as Prometheus documents, and an agent that asks it.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureMetrics } from '../../../../activities/agent/verify/query.ts';

export interface StandInPrometheus {
  readonly address: string;
  /** Where the Secret with its address and its credentials is. */
  readonly folder: string;
  readonly asked: { url: URL; authorization: string | undefined; method: string | undefined }[];
  /** Answers each query; it may change while a test goes on. */
  reply: (request: IncomingMessage, response: ServerResponse) => void;
}

/** One for the tests of a file, with an empty folder for each test. Call it once, at the top. */
export function besidePrometheus(use: (prometheus: StandInPrometheus) => void): void {
  let prometheus: StandInPrometheus;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://prometheus');
    const { authorization } = request.headers;
    prometheus.asked.push({ url, authorization, method: request.method });
    prometheus.reply(request, response);
  });
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
  beforeEach(async () => {
    prometheus = {
      address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      folder: await mkdtemp(join(tmpdir(), 'cappstan-key-')),
      asked: [],
      reply: () => undefined,
    };
    use(prometheus);
  });
  afterEach(() => rm(prometheus.folder, { recursive: true, force: true }));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
}

/** The same answer to every query. */
export const says =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  };

/** One sample of each value. */
export const vector = (...values: readonly string[]) => ({
  status: 'success',
  data: {
    resultType: 'vector',
    result: values.map((value) => ({ metric: { secret: 'label' }, value: [1_700_000_000.1, value] })),
  },
});
export const scalar = (value: string) => ({
  status: 'success',
  data: { resultType: 'scalar', result: [1, value] },
});

export interface QueryAsked {
  readonly query?: string;
  readonly empty?: 'Inconclusive' | 'Failed' | 'Successful';
  readonly expect?: string;
  readonly config?: unknown;
  readonly signal?: AbortSignal;
}

/** What the agent of the site measures for Capp apps/shop. */
export function measureAt({ address, folder }: StandInPrometheus, asking: QueryAsked = {}) {
  const { query = 'errors', empty = 'Inconclusive', expect: expected = 'result < 0.5', config } = asking;
  const given = { namespace: 'apps', name: 'shop', metrics: { query, empty }, expect: expected };
  const site = { config: config ?? { prometheus: { url: address } }, folder };
  return measureMetrics(site, given, asking.signal ?? new AbortController().signal);
}
