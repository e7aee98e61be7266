// A hub by `cappstan hub`, a cluster without one by `make site`, and between them a proxy with TLS that asks
// for credentials.
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MANAGED_CLUSTER, type ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import { stopStack } from '../../../../deploy/local/down.ts';
import { openPorts } from '../../../../deploy/local/supervise/ports.ts';
import { connect, type Kube } from '../../../../kube/client.ts';
import { API_TIMEOUT_MS } from '../../../../testbed/eventually.ts';
import { hubCommand, type HubCommand } from '../hub-command/hub-command.ts';
import { forPeople, joinCommand, siteCommand, type Running } from './join-command.ts';
import { startProxy, type ProxyForTests } from '../network/proxy.ts';

/** Of the proxy. */
const CREDENTIALS = 'shop-7:canaryoftheproxy';

/** Whether a text has the credentials of the proxy. */
export const isSecret = (text: string): boolean =>
  [CREDENTIALS, 'canaryoftheproxy', Buffer.from(CREDENTIALS).toString('base64')].some((secret) =>
    text.includes(secret),
  );

export interface JoinStage {
  readonly folder: string;
  readonly doors: { readonly api: number; readonly gateway: number };
  readonly hub: HubCommand;
  readonly onHub: Kube;
  readonly kubeconfig: string;
  readonly site: Kube;
  /** Between the site and the hub. */
  readonly proxy: ProxyForTests;
}

/**
 * Starts it for the tests of a file, and gives it away. The sites that have joined in `dirOf` a, b and m end
 * with it. Call it once, at the top.
 */
export function joinStage(use: (stage: JoinStage) => void) {
  let folder: string;
  let hub: HubCommand;
  let onHub: Kube;
  let cluster: Running;
  let kubeconfig: string;
  let site: Kube;
  let proxy: ProxyForTests;

  const dirOf = (name: string): string => join(folder, name);
  const people = (...args: string[]) => forPeople([...args, '--kubeconfig', hub.kubeconfig]);
  const onSite = (dir: string): string[] => ['--kubeconfig', kubeconfig, '--data-dir', dirOf(dir)];
  const clusterOf = (name: string): Promise<ManagedCluster | null> =>
    onHub.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name });
  const through = (): string[] => [
    '--proxy',
    proxy.url,
    '--proxy-ca',
    dirOf('proxy-ca'),
    '--proxy-credentials',
    dirOf('proxy-credentials'),
  ];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'join-command-'));
    // Another path to each directory: link/a.
    symlinkSync(folder, join(folder, 'link'));
    const ports = await openPorts(join(folder, 'ports.json'));
    const doors = { api: await ports.of('api'), gateway: await ports.of('gateway') };
    hub = hubCommand(doors).with(['--metal-namespaces', 'metal']);
    cluster = siteCommand(dirOf('cluster'));
    kubeconfig = join(dirOf('cluster'), 'site-1.kubeconfig');
    await Promise.all([hub.start(), cluster.says('has no hub yet')]);
    onHub = connect({ kubeconfig: hub.kubeconfig, deadlineMs: API_TIMEOUT_MS });
    site = connect({ kubeconfig, deadlineMs: API_TIMEOUT_MS });
    proxy = await startProxy({ hasTls: true, credentials: CREDENTIALS });
    writeFileSync(join(folder, 'proxy-ca'), proxy.ca ?? '');
    writeFileSync(join(folder, 'proxy-credentials'), `${CREDENTIALS}\n`);
    use({ folder, doors, hub, onHub, kubeconfig, site, proxy });
  }, 600_000);
  afterAll(async () => {
    for (const name of ['a', 'b', 'm']) await stopStack(dirOf(name));
    await onHub?.close();
    await site?.close();
    await hub?.remove();
    await cluster?.stop();
    await proxy?.stop();
    await rm(folder, { recursive: true, force: true });
  }, 120_000);
  return { dirOf, people, onSite, clusterOf, through };
}

/** What it says when it refuses, which it has to. */
export async function refused(args: readonly string[]): Promise<string> {
  const { code, output } = await joinCommand(args).ended;
  expect(code).toBe(1);
  return output;
}

/** Runs it to its end, which is a good one. */
export async function ended(run: Running): Promise<string> {
  const { code, output } = await run.ended;
  expect({ code, output }).toMatchObject({ code: 0 });
  return output;
}
