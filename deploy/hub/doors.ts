// Where a hub is reached: its name if nobody gives one, and whether its two ports are free.
import { networkInterfaces } from 'node:os';
import { connect } from 'node:net';
import type { HubConfig } from './config/config.ts';
import { named } from './config/fields.ts';
import { ConfigRefused } from './config/refused.ts';
import { isFree, type Ports } from '../local/supervise/ports.ts';
import type { Address } from '../local/supervise/process-spec.ts';
import { HUB_COMMAND_TIMES } from './times.ts';

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

/** Throws ConfigRefused for each port at which somebody listens. */
export async function checkDoors(config: HubConfig, portsFile: string): Promise<void> {
  const doors = [config.apiServer.port, config.gateway.port].map((port) => ({
    host: config.bindAddress,
    port,
  }));
  const taken: string[] = [];
  for (const door of doors)
    if (!(await isFree(door.port, door.host)))
      taken.push(
        `Port ${door.port} on ${door.host} is taken by another program. ${remedyFor(config, portsFile)(door)}`,
      );
  if (taken.length > 0) throw new ConfigRefused(taken);
}

/** What to do about a port that is taken. */
export function remedyFor({ apiServer, gateway }: HubConfig, portsFile: string): (taken: Address) => string {
  const fields = new Map([
    [apiServer.port, 'apiserver.port'],
    [gateway.port, 'gateway.port'],
  ]);
  return ({ port }) => {
    const field = fields.get(port);
    const other =
      field === undefined
        ? `delete ${portsFile}, and the hub takes others`
        : `give another in ${named(field)}`;
    return `Stop that program (ss -ltnp shows it), or ${other}.`;
  };
}

/** Throws ConfigRefused when no server of an external etcd lets us connect. */
export async function checkEtcd({ etcd }: HubConfig): Promise<void> {
  if (etcd.mode === 'embed') return;
  const answers = await Promise.all(etcd.servers.map(whyNot));
  if (answers.includes(null)) return;
  const said = etcd.servers.map((server, index) => `${server}: ${answers[index] ?? ''}`).join('; ');
  throw new ConfigRefused([
    `${named('etcd.servers')}: none can be reached (${said}). Start etcd, or give others.`,
  ]);
}

function whyNot(server: string): Promise<string | null> {
  const { hostname: host, port } = new URL(server);
  return whyNoAnswer({ host, port: Number(port) });
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
