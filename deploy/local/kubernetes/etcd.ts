// The etcd of a stack, which all API servers share, each with its own key prefix; or that of a hub.
import type { Issuer, PairFiles } from './pki.ts';
import { Wave, type ProcessSpec } from '../supervise/process-spec.ts';

/** How an API server reaches its etcd. */
export interface EtcdAccess {
  /** URLs. */
  readonly servers: readonly string[];
  /** Before all its keys. */
  readonly prefix: string;
  /** Paths. Without `ca` the machine's authorities count. */
  readonly tls?: { readonly ca?: string; readonly pair?: PairFiles };
}

export interface Etcd {
  readonly spec: ProcessSpec;
  /** Its URL. */
  readonly endpoint: string;
  /** For API servers. */
  access(prefix: string): EtcdAccess;
}

export interface EtcdOptions {
  readonly binary: string;
  readonly dataDir: string;
  readonly clientPort: number;
  readonly peerPort: number;
}

/** What an API server's etcd needs to stay small, and to say in time when it does not. */
export const UPKEEP = ['--auto-compaction-retention=10m', '--quota-backend-bytes=4294967296'] as const;

/** Who an etcd is, and whom it lets in. */
export interface EtcdGuard {
  readonly clients: PairFiles;
  readonly serving: PairFiles;
  /** Whose certificates it accepts. */
  readonly authority: string;
  /** Where it answers, without TLS, whether it is ready, and nothing else. */
  readonly healthPort: number;
}

/** Issues the certificates of an etcd by an authority that must be of its own. Safe to repeat. */
export async function etcdGuard(issuer: Issuer, healthPort: number): Promise<EtcdGuard> {
  return {
    serving: await issuer.issue('etcd-server', { name: 'etcd', hosts: ['127.0.0.1'], asks: true }),
    clients: await issuer.issue('etcd-client', { name: 'kube-apiserver' }),
    authority: issuer.authority.cert,
    healthPort,
  };
}

/** For a stack: without TLS. Only a crash of the machine can lose data, as with kind. */
export function etcd(options: EtcdOptions): Etcd {
  return etcdAt('http', options, {
    flags: ['--unsafe-no-fsync'],
    ready: `http://127.0.0.1:${options.clientPort}/readyz`,
    ports: [],
  });
}

/** For a hub: whoever has no certificate for it is refused, and what it has confirmed is on the disk. */
export function guardedEtcd(options: EtcdOptions, guard: EtcdGuard): Etcd {
  const { serving, clients, authority, healthPort } = guard;
  const health = `http://127.0.0.1:${healthPort}`;
  const trust = (prefix: string): string[] => [
    `--${prefix}cert-file=${serving.cert}`,
    `--${prefix}key-file=${serving.key}`,
    `--${prefix}trusted-ca-file=${authority}`,
    `--${prefix}client-cert-auth`,
  ];
  return etcdAt('https', options, {
    flags: [...trust(''), ...trust('peer-'), `--listen-metrics-urls=${health}`],
    ready: `${health}/readyz`,
    ports: [healthPort],
    tls: { ca: authority, pair: clients },
  });
}

interface How {
  readonly flags: readonly string[];
  readonly ready: string;
  readonly ports: readonly number[];
  readonly tls?: NonNullable<EtcdAccess['tls']>;
}

function etcdAt(scheme: 'http' | 'https', options: EtcdOptions, { flags, ready, ports, tls }: How): Etcd {
  const { binary, dataDir, clientPort, peerPort } = options;
  const endpoint = `${scheme}://127.0.0.1:${clientPort}`;
  const peer = `${scheme}://127.0.0.1:${peerPort}`;
  return {
    endpoint,
    access: (prefix) => ({ servers: [endpoint], prefix, ...(tls === undefined ? {} : { tls }) }),
    spec: {
      name: 'etcd',
      command: binary,
      args: [
        '--name=local',
        `--data-dir=${dataDir}`,
        `--listen-client-urls=${endpoint}`,
        `--advertise-client-urls=${endpoint}`,
        `--listen-peer-urls=${peer}`,
        `--initial-advertise-peer-urls=${peer}`,
        `--initial-cluster=local=${peer}`,
        ...UPKEEP,
        ...flags,
        '--log-level=warn',
      ],
      ready: { http: ready },
      wave: Wave.store,
      ports: [clientPort, peerPort, ...ports],
    },
  };
}
