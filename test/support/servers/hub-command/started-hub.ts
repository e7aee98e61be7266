// A hub that `cappstan hub` has started at free ports, with a client of its administrator.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPorts } from '../../../../deploy/local/supervise/ports.ts';
import { connect, type Kube } from '../../../../kube/client.ts';
import { API_TIMEOUT_MS } from '../../../../testbed/eventually.ts';
import type { HubProgram } from './begun.ts';
import { hubCommand, type HubCommand } from './hub-command.ts';
import type { HubDoors } from './hub-doors.ts';

export interface HubStarted extends HubCommand, HubDoors {
  readonly gateway: number;
  readonly kube: Kube;
}

export async function startHub(program?: HubProgram, flags: readonly string[] = []): Promise<HubStarted> {
  const ports = await openPorts(join(mkdtempSync(join(tmpdir(), 'hub-ports-')), 'ports.json'));
  const [api, gateway] = [await ports.of('api'), await ports.of('gateway')];
  const command = hubCommand({ api, gateway }, program).with(flags);
  await command.start();
  const kube = connect({ kubeconfig: command.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  return { ...command, api, gateway, kube };
}

/** A token of its hub worker. */
export async function tokenOf({ kube }: HubStarted): Promise<string> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const path = '/api/v1/namespaces/cappstan-system/serviceaccounts/cappstan-hub/token';
  return ((await kube.raw('POST', path, { body })) as { status: { token: string } }).status.token;
}
