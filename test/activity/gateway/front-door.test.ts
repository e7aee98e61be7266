// Temporal's own door, with mutual TLS as docs/gateway.md says: the gateway gets in with the hub's
// certificate, and a site neither with what it has nor without. The development server has no TLS, so a
// stand-in ends it before the real Temporal (decision 69).
import { mkdtemp, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { openPki, type Pair, type Pki } from '../../../deploy/local/kubernetes/pki.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { connectClient } from '../../../workers/process/temporal.ts';
import { startTlsFront, type TlsFront } from '../../support/servers/tls-front.ts';
import { startGateway, type GatewayForTests } from '../../support/testbeds/gateway.ts';
import { ask, complete, outcomeOf, poll, taskOf } from '../../support/testbeds/gateway-calls.ts';

const log = { info: () => undefined, warn: () => undefined };

let folder: string;
let hub: Pki;
let front: TlsFront;
let stage: GatewayForTests;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cappstan-door-'));
  hub = await openPki(join(folder, 'hub'));
  const own = await hub.issue('gateway', { name: 'cappstan' });
  stage = await startGateway(['site-1'], undefined, {
    connectTo: async (temporal) => {
      front = await startTlsFront(temporal, hub);
      front.admit(own);
      const { connection } = await connectClient(
        {
          TEMPORAL_ADDRESS: front.address,
          TEMPORAL_NAMESPACE: 'default',
          TEMPORAL_TLS_CA: hub.authority.cert,
          TEMPORAL_TLS_CERT: own.cert,
          TEMPORAL_TLS_KEY: own.key,
        },
        { log },
      );
      return connection;
    },
  });
}, 300_000);
afterAll(async () => {
  await stage?.stop();
  await front?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** How an attempt to speak to Temporal past the gateway ends: with an answer, or with nothing. */
async function past(pair: Pair | null, token?: string): Promise<'in' | 'out'> {
  const direct = Connection.lazy({
    address: front.address,
    tls: {
      serverRootCACertificate: readFileSync(hub.authority.cert),
      ...(pair === null
        ? {}
        : { clientCertPair: { crt: readFileSync(pair.cert), key: readFileSync(pair.key) } }),
    },
    ...(token === undefined ? {} : { apiKey: token }),
    interceptors: [],
  });
  try {
    await direct.withDeadline(Date.now() + 10_000, () => direct.workflowService.getSystemInfo({}));
    return 'in';
  } catch {
    return 'out';
  } finally {
    await direct.close();
  }
}

test('the gateway gets in with the hub’s certificate, and an agent’s answers reach Temporal through it', async () => {
  const agent = await stage.as(await stage.token('site-1'));
  const id = await ask(stage.hub, 'site-1');
  await complete(agent, await taskOf(agent, 'site-1'));
  await eventually(() => outcomeOf(stage.hub, id));
});

test('a site does not get in past the gateway: with a certificate of its own, with none, or with its token', async () => {
  const sites = await openPki(join(folder, 'site'));
  const own = await sites.issue('site-1', { name: 'system:open-cluster-management:site-1' });
  expect(await past(own)).toBe('out');
  expect(await past(null)).toBe('out');
  expect(await past(null, await stage.token('site-1'))).toBe('out');
  // A certificate that was let in before, and was taken from the door.
  expect(await past(await hub.issue('former', { name: 'cappstan-agent' }))).toBe('out');
});

test('nor does who speaks no TLS at all', async () => {
  const plain = Connection.lazy({ address: front.address, interceptors: [] });
  await expect(poll(plain, 'hub')).rejects.toThrow();
  await plain.close();
});
