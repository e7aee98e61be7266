// Where a hub is reached: its name if nobody gives one, and whether its two ports are free.
import { networkInterfaces } from 'node:os';
import { connect } from 'node:net';
import type { HubConfig } from './config/config.ts';
import { named } from './config/fields.ts';
import { checkTlsFiles } from './tls-files.ts';
import { ConfigRefused } from './config/refused.ts';
import { readJson } from '../local/supervise/json-file.ts';
import { whyNotFree, type Ports } from '../local/supervise/ports.ts';
import type { Address } from '../local/supervise/process-spec.ts';
import { HUB_COMMAND_TIMES } from './times.ts';
import { bareHost } from '../../kube/http/bare-host.ts';

/** The name that is given, else the address on which it listens, else the first one of this machine. */
export function externalHostOf({ apiServer, bindAddress }: HubConfig): string {
  if (apiServer.externalHostname !== null) return apiServer.externalHostname;
  if (bindAddress !== '0.0.0.0') return bindAddress;
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}

/** Where people and sites reach its API server. */
export function urlOf(config: HubConfig): string {
  const { port, externalPort } = config.apiServer;
  return `https://${externalHostOf(config)}:${externalPort ?? port}`;
}

/** host:port at which agents reach its gateway. */
export function gatewayOf(config: HubConfig): string {
  const { port, externalHostname, externalPort } = config.gateway;
  return `${externalHostname ?? externalHostOf(config)}:${externalPort ?? port}`;
}

/** Names of the ports that somebody decides. */
const DOORS: ReadonlySet<string> = new Set(['hub-api-server', 'gateway-door']);

/** The ports that somebody decided, and for all else those of the file. */
export function withDoors(ports: Ports, { apiServer, gateway }: HubConfig): Ports {
  const decided: Readonly<Record<string, number>> = {
    'hub-api-server': apiServer.port,
    'gateway-door': gateway.port,
  };
  return {
    of: (name, hosts) => {
      const port = decided[name];
      return port === undefined ? ports.of(name, hosts) : Promise.resolve(port);
    },
    all: () => ({ ...ports.all(), ...decided }),
  };
}

/** Throws ConfigRefused for each port on which this hub could not listen. */
export async function checkDoors(config: HubConfig, portsFile: string): Promise<void> {
  const doors = [config.apiServer.port, config.gateway.port].map((port) => ({
    host: config.bindAddress,
    port,
  }));
  const stored = Object.entries((await readJson<Record<string, number>>(portsFile)) ?? {});
  // Behind shut doors these two are elsewhere, and stored as well.
  const inside = stored.filter(([name]) => !DOORS.has(name));
  const remedy = remedyFor(config, portsFile);
  const refusals: string[] = [];
  for (const door of doors) {
    const own = inside.find(([, port]) => port === door.port)?.[0];
    const why =
      own === undefined
        ? await whyClosed(door, { field: named('bindAddress'), remedy })
        : `Port ${door.port} is that of ${own}, a part of this hub (${portsFile}). Give another in ${fieldOf(config, door.port) ?? ''}.`;
    if (why !== null) refusals.push(why);
  }
  if (refusals.length > 0) throw new ConfigRefused([...new Set(refusals)]);
}

interface Closed {
  /** The field of the address. */
  readonly field: string;
  readonly remedy: (taken: Address) => string;
}

/** A sentence with what helps; null: we could listen there. */
export async function whyClosed(door: Address, closed: Closed): Promise<string | null> {
  const why = await whyNotFree(door.port, door.host);
  return why === null ? null : closedBecause(why, door, closed);
}

export function closedBecause(
  why: NonNullable<Awaited<ReturnType<typeof whyNotFree>>>,
  door: Address,
  { field, remedy }: Closed,
): string {
  const { host, port } = door;
  if (why === 'taken') return `Port ${port} on ${host} is taken by another program. ${remedy(door)}`;
  if (why === 'no address')
    return `${field}: this machine has no address ${host}. Give one that it has (ip addr shows them), or 0.0.0.0 for all.`;
  return `You may not listen on port ${port}, as on the others below 1024. Give a higher one, or have systemd allow it (AmbientCapabilities=CAP_NET_BIND_SERVICE).`;
}

/** What to do about a port that is taken. */
export function remedyFor(config: HubConfig, portsFile: string): (taken: Address) => string {
  return ({ port }) => {
    const field = fieldOf(config, port);
    const other =
      field === null ? `delete ${portsFile}, and the hub takes others` : `give another in ${field}`;
    return `Stop that program (ss -ltnp shows it), or ${other}.`;
  };
}

/** Null: nobody decided that port. */
function fieldOf({ apiServer, gateway }: HubConfig, port: number): string | null {
  if (port === apiServer.port) return named('apiserver.port');
  return port === gateway.port ? named('gateway.port') : null;
}

/** Throws ConfigRefused when no server of an external etcd lets us connect, and for files that are no use. */
export async function checkEtcd({ etcd }: HubConfig): Promise<void> {
  if (etcd.mode === 'embed') return;
  if (etcd.tls !== null) await checkTlsFiles('etcd', etcd.tls);
  const answers = await Promise.all(etcd.servers.map(whyNot));
  if (answers.includes(null)) return;
  const said = etcd.servers.map((server, index) => `${server}: ${answers[index] ?? ''}`).join('; ');
  throw new ConfigRefused([
    `${named('etcd.servers')}: none can be reached (${said}). Start etcd, or give others.`,
  ]);
}

function whyNot(server: string): Promise<string | null> {
  const { hostname, port, protocol } = new URL(server);
  // A port that is usual a URL leaves out.
  const usual = protocol === 'https:' ? 443 : 80;
  const host = bareHost(hostname);
  return whyNoAnswer({ host, port: port === '' ? usual : Number(port) });
}

/** Null: it lets us connect. */
export function whyNoAnswer(place: Address): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ ...place, timeout: HUB_COMMAND_TIMES.serverAnswers.ms });
    const end = (why: string | null): void => {
      socket.destroy();
      resolve(why);
    };
    socket.once('connect', () => end(null)).once('timeout', () => end('no answer'));
    socket.once('error', ({ message }) => end(message));
  });
}
