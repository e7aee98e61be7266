// Temporal's own door, with mutual TLS as docs/gateway.md says: the gateway gets in with the hub's
// certificate, and a site neither with what it has nor without. It is the production server, on SQLite.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { toolPath } from '../../../deploy/local/programs/tools.ts';
import type { PairFiles } from '../../../deploy/local/kubernetes/pki.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { connectClient } from '../../../workers/process/temporal.ts';
import { codesOfActs } from '../../support/servers/network/temporal-ui.ts';
import { startTlsTemporal, type TlsTemporal } from '../../support/servers/network/tls-temporal.ts';
import { startGateway, type GatewayForTests } from '../../support/testbeds/door/gateway.ts';
import { ask, complete, outcomeOf, poll, taskOf } from '../../support/testbeds/door/gateway-calls.ts';

const run = promisify(execFile);
const log = { info: () => undefined, warn: () => undefined };

let temporal: TlsTemporal;
let own: PairFiles;
let stage: GatewayForTests;
beforeAll(async () => {
  temporal = await startTlsTemporal({ 'activity.enableStandalone': true });
  own = await temporal.hub.issue('gateway', { name: 'cappstan' });
  const connect = async () => {
    const { connection } = await connectClient(
      {
        TEMPORAL_ADDRESS: temporal.address,
        TEMPORAL_NAMESPACE: 'default',
        TEMPORAL_TLS_CA: temporal.authority,
        TEMPORAL_TLS_CERT: own.cert,
        TEMPORAL_TLS_KEY: own.key,
      },
      { log },
    );
    return connection;
  };
  stage = await startGateway(['site-1'], undefined, { temporal: { ...temporal, connect } });
}, 300_000);
afterAll(async () => {
  await (stage ?? temporal)?.stop();
});

interface Attempt {
  readonly address?: string;
  readonly token?: string;
}

/** How an attempt to speak to Temporal past the gateway ends: with an answer, or with nothing. */
async function past(pair: PairFiles | null, { address = temporal.address, token }: Attempt = {}) {
  const direct = Connection.lazy({
    address,
    tls: {
      serverNameOverride: 'localhost',
      serverRootCACertificate: readFileSync(temporal.authority),
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
  } catch (error) {
    // A service behind the front door answers whom it lets in, though it does not know this call.
    return (error as { code?: number }).code === UNIMPLEMENTED ? 'in' : 'out';
  } finally {
    await direct.close();
  }
}

const UNIMPLEMENTED = 12;

test('the gateway gets in with the hub’s certificate, and an agent’s answers reach Temporal through it', async () => {
  const agent = await stage.as(await stage.token('site-1'));
  const id = await ask(stage.hub, 'site-1');
  await complete(agent, await taskOf(agent, 'site-1'));
  await eventually(() => outcomeOf(stage.hub, id));
});

test('a site does not get in past the gateway: with a certificate of its own, with none, or with its token', async () => {
  expect(await past(own)).toBe('in');
  const site = await temporal.sites.issue('site-1', { name: 'system:open-cluster-management:site-1' });
  expect(await past(site)).toBe('out');
  expect(await past(null)).toBe('out');
  expect(await past(null, { token: await stage.token('site-1') })).toBe('out');
  expect(await past(site, { token: await stage.token('site-1') })).toBe('out');
});

test('an authority that is taken from the door lets nobody in any more, without a restart', async () => {
  const agent = await temporal.sites.issue('agent', { name: 'cappstan-agent' });
  const becomes = (wanted: string) =>
    eventually(async () => ((await past(agent)) === wanted ? true : undefined));
  temporal.admitSites(true);
  await becomes('in');
  temporal.admitSites(false);
  await becomes('out');
  expect(await past(own)).toBe('in');
});

test('the services behind the door answer each other alone: neither a site nor the gateway', async () => {
  const address = temporal.history;
  expect(await past(temporal.inside.internal, { address })).toBe('in');
  for (const pair of [own, temporal.inside.own, await temporal.sites.issue('other', { name: 'a' }), null])
    expect(await past(pair, { address })).toBe('out');
});

test('nor does who speaks no TLS at all', async () => {
  const plain = Connection.lazy({ address: temporal.address, interceptors: [] });
  await expect(poll(plain, 'hub')).rejects.toThrow();
  await plain.close();
});

test('a person comes in with the hub’s certificate by `temporal`, and sees the workflows in the web interface', async () => {
  const flags = ['--tls-ca-path', temporal.authority, '--tls-cert-path', own.cert, '--tls-key-path', own.key];
  const list = (...more: string[]) =>
    run(toolPath('temporal'), ['workflow', 'count', '--address', temporal.address, ...more]);
  expect((await list(...flags)).stdout).toMatch(/Total: \d+/);
  await expect(list(...flags.slice(0, 2))).rejects.toThrow();
  const shown = await fetch(`${temporal.ui}/api/v1/namespaces/default/search-attributes`);
  expect(await shown.text()).toContain('CappSite');
  expect((await fetch(temporal.ui)).status).toBe(200);
  expect(await codesOfActs(temporal.ui, 'capp/team/shop')).toEqual([405, 405, 405, 405]);
});
