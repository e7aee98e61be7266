// One part of the data plane, such as the activator: a program in a sandbox of its own, and the Services by
// which others find it.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { applyObjects } from '../../kubernetes/apply.ts';
import { keepRunning } from '../keep-running.ts';
import type { SandboxProgram, Sandbox } from '../network/sandbox.ts';

export interface DataplanePart {
  /** Also the name of its log, behind the site's. */
  readonly name: string;
  /** It is ready when this port takes connections. */
  readonly port: number;
  readonly services: readonly PartService[];
  program(ip: string): Omit<SandboxProgram, 'log'>;
}

export interface PartService {
  readonly namespace: string;
  readonly name: string;
  readonly ports: readonly { readonly name: string; readonly port: number; readonly targetPort: number }[];
}

const READY_EVERY_MS = 50;

export interface PartContext {
  readonly kube: Kube;
  readonly sandbox: Sandbox;
  readonly log: string;
  readonly onEnd: (how: string) => void;
}

/** Starts it, keeps it running, and resolves when it takes connections and its Services lead to it. */
export async function startPart(
  part: DataplanePart,
  { kube, sandbox, log, onEnd }: PartContext,
): Promise<void> {
  keepRunning(() => sandbox.start({ ...part.program(sandbox.ip), log }), { onEnd });
  await applyObjects(
    kube,
    part.services.flatMap((service) => objectsOf(service, sandbox.ip)),
  );
  while (!(await takesConnections(sandbox.ip, part.port))) await sleep(READY_EVERY_MS);
}

/** A Service without a selector, and its endpoint, as a controller would write it for a Pod. */
export function objectsOf({ namespace, name, ports }: PartService, ip: string): KubeObject[] {
  const metadata = { namespace, name };
  const service = { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports } };
  const subset = {
    addresses: [{ ip }],
    ports: ports.map((port) => ({ name: port.name, port: port.targetPort })),
  };
  const endpoints = { apiVersion: 'v1', kind: 'Endpoints', metadata, subsets: [subset] };
  return [service, endpoints];
}

function takesConnections(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1000 });
    const end = (taken: boolean): void => {
      socket.destroy();
      resolve(taken);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false)).once('error', () => end(false));
  });
}
