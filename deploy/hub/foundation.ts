// What a hub stands on: its directory, its authorities, its ports, and the checks before anything is written.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Foundation } from '../local/kubernetes/cluster.ts';
import { openPki } from '../local/kubernetes/pki.ts';
import { layoutOf, type Layout } from '../local/layout.ts';
import { openPorts } from '../local/supervise/ports.ts';
import { stackProcesses } from '../local/supervise/stack-processes.ts';
import { restoredIn, type RestoredHub } from './admit/restored.ts';
import { checkAuthority, checkForeignAuthority, checkOwnAuthority, fingerprintOf } from './authority.ts';
import type { HubConfig } from './config/config.ts';
import { named } from './config/fields.ts';
import { checkDirectory, remember, type HubOrigin } from './data-directory.ts';
import { rememberConfig } from './backup/configured.ts';
import { checkDoors, checkEtcd, externalHostOf, withDoors } from './doors.ts';
import { rememberStart } from './hubs/known.ts';
import { checkOwnKeys } from './own-keys.ts';
import { checkRoom } from './room.ts';
import { claimForHub, storeOfHub } from './store/claim.ts';
import { workedIn } from './temporal/worked.ts';
import { HUB_COMMAND_TIMES } from './times.ts';

export interface CheckedFoundation {
  readonly layout: Layout;
  /** Null: the directory holds no hub yet. */
  readonly made: HubOrigin | null;
  /** The hub was restored, and nobody may come in until a person admits them. */
  readonly shut: RestoredHub | null;
  /** By which an etcd of somebody else's knows the hub; null if it does not yet. */
  readonly storeId: string | null;
  readonly warnings: readonly string[];
}

/** Writes nothing. Throws ConfigRefused. */
export async function check(config: HubConfig): Promise<CheckedFoundation> {
  if (config.reader !== null)
    await checkForeignAuthority(named('reader.userServerCaFile'), config.reader.authority);
  if (config.argo !== null)
    await checkForeignAuthority(named('argocd.userServerCaFile'), config.argo.authority);
  const layout = layoutOf(config.dataDirectory);
  const { authority } = config.apiServer;
  const warnings = authority === null ? [] : [...(await checkAuthority(authority, Date.now()))];
  const own = join(certificatesOf(layout), 'ca.crt');
  const cert = authority?.cert ?? (existsSync(own) ? own : null);
  if (cert === own) await checkOwnAuthority(own, Date.now());
  const { mode, prefix } = config.etcd;
  const made = await checkDirectory(layout.dir, {
    etcd: { mode, prefix },
    authority: cert === null ? null : await fingerprintOf(cert),
  });
  checkOwnKeys(certificatesOf(layout), config, (made?.authority ?? null) !== null);
  // Those of a hub whose command was killed go on under the next one.
  if ((await stackProcesses(layout.dir)).length === 0) await checkDoors(config, portsFileOf(layout));
  await checkEtcd(config);
  warnings.push(...(await checkRoom(layout.dir, made === null)));
  const store = await storeOfHub(config, made);
  warnings.push(...store.warnings);
  const shut = (await restoredIn(layout.dir)) ?? store.shut;
  const all = [...warnings, ...(await temporalWarnings(config, shut))];
  return { layout, made, shut, storeId: store.id, warnings: all };
}

/** Behind shut doors nothing works with Temporal. */
async function temporalWarnings(
  { temporal, dataDirectory }: HubConfig,
  shut: RestoredHub | null,
): Promise<readonly string[]> {
  if (temporal.mode === 'embed' || shut !== null) return [];
  const before = await workedIn(dataDirectory);
  // Temporal's client is large, and a hub with a Temporal of its own needs none here.
  const { checkTemporal } = await import('./temporal/check.ts');
  return checkTemporal(temporal, before);
}

export interface HubFoundation extends Foundation {
  readonly id: string;
  /** Of the authority, as clusters that join know it. */
  readonly fingerprint: string;
}

/** Makes what is missing, and remembers whose directory it is. Safe to repeat. */
export async function layFoundation(
  config: HubConfig,
  { layout, made, shut, storeId }: CheckedFoundation,
): Promise<HubFoundation> {
  const { mode, prefix } = config.etcd;
  const facts = { version: 1, etcd: { mode, prefix } } as const;
  // First of all, so that a start that is interrupted can be repeated.
  const id = made?.id ?? storeId ?? randomUUID();
  if (made?.id === undefined) remember(layout.dir, { ...facts, id, authority: made?.authority ?? null });
  const pki = await openPki(certificatesOf(layout), {
    name: 'cappstan-hub',
    authority: config.apiServer.authority,
    lifetimeMs: HUB_COMMAND_TIMES.certificate.ms,
  });
  const fingerprint = await fingerprintOf(pki.authority.cert);
  await claimForHub(config, { id, authority: fingerprint }, shut);
  rememberConfig(config, externalHostOf(config));
  rememberStart(layout.dir);
  // Nobody listens yet on those that somebody decided.
  const ports = await openPorts(portsFileOf(layout), {}, [config.apiServer.port, config.gateway.port]);
  return { layout, pki, id, fingerprint, ports: shut === null ? withDoors(ports, config) : ports };
}

/** The hub has stored something: from now on its authority and its key must be there. */
export function rememberStored(config: HubConfig, { layout, id, fingerprint }: HubFoundation): void {
  const { mode, prefix } = config.etcd;
  remember(layout.dir, { version: 1, etcd: { mode, prefix }, id, authority: fingerprint });
}

export function certificatesOf({ dir }: Layout): string {
  return join(dir, 'cert');
}

export function portsFileOf({ state }: Layout): string {
  return join(state, 'ports.json');
}
