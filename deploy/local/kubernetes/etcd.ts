// The etcd of a stack. All API servers share it, each with its own key prefix.
import { Wave, type ProcessSpec } from '../supervise/process-spec.ts';

export interface Etcd {
  readonly spec: ProcessSpec;
  /** The value of an API server's --etcd-servers. */
  readonly endpoint: string;
}

export interface EtcdOptions {
  readonly binary: string;
  readonly dataDir: string;
  readonly clientPort: number;
  readonly peerPort: number;
}

export function etcd({ binary, dataDir, clientPort, peerPort }: EtcdOptions): Etcd {
  const endpoint = `http://127.0.0.1:${clientPort}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  return {
    endpoint,
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
        '--auto-compaction-retention=10m',
        '--quota-backend-bytes=4294967296',
        // As kind does. Only a crash of the machine can lose data; a killed process loses none.
        '--unsafe-no-fsync',
        '--log-level=warn',
      ],
      ready: { http: `${endpoint}/readyz` },
      wave: Wave.store,
      ports: [clientPort, peerPort],
    },
  };
}
