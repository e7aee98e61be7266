// The three members of an etcd on one machine: where each listens, and how it is started. Pure.
import { join } from 'node:path';
import type { PairFiles } from '../local/kubernetes/pki.ts';
import { UPKEEP } from '../local/kubernetes/etcd.ts';
import { Wave, type ProcessSpec } from '../local/supervise/process-spec.ts';

/** Two are a majority: one may be lost. */
const NUMBERS = [0, 1, 2] as const;
/** What an etcd calls itself to its peers. */
export const PEER = 'etcd-member';

/** Where an etcd is reached. */
export interface Place {
  /** The IPv4 address on which its members listen for clients. */
  readonly bind: string;
  /** The name or address at which clients reach them. */
  readonly host: string;
  /** Of the first member. The others have the next ones: each has one for clients and one for its peers. */
  readonly port: number;
}

export interface Member {
  readonly name: string;
  readonly clientPort: number;
  readonly peerPort: number;
  /** For others. */
  readonly url: string;
  /** On this machine. */
  readonly near: string;
  readonly peerUrl: string;
}

/** As the seed's StatefulSet calls them: etcd-0, etcd-1 and etcd-2. */
export function membersOf({ bind, host, port }: Place): readonly Member[] {
  const here = bind === '0.0.0.0' ? '127.0.0.1' : bind;
  return NUMBERS.map((number) => {
    const [clientPort, peerPort] = [port + 2 * number, port + 2 * number + 1];
    return {
      name: `etcd-${number}`,
      clientPort,
      peerPort,
      url: `https://${host}:${clientPort}`,
      near: `https://${here}:${clientPort}`,
      peerUrl: `https://127.0.0.1:${peerPort}`,
    };
  });
}

/**
 * Starts etcd where it has data. Where it has none, it may begin once, as the file says: `new` with the
 * others, or `existing` as one that they have just let in. Otherwise it would come back with the name of a
 * member whose promises it has forgotten. Its data may go after this has looked: so one with data is told of
 * no others, of whom it asks nothing while it has that, and without whom it cannot begin.
 */
const GUARD = `data="$1" leave="$2" all="$3" alone="$4"; shift 4
how=existing cluster="$alone"
if ! ls "$data"/member/wal/*.wal > /dev/null 2>&1; then
  how=$(cat "$leave") || { echo "It has lost its data, and waits until the others let it in again." >&2; exit 1; }
  rm -f "$leave"
  cluster="$all"
fi
exec "$@" "--initial-cluster-state=$how" "--initial-cluster=$cluster"`;

export interface MemberFiles {
  readonly binary: string;
  readonly dataDir: string;
  /** Where it may begin without data, this says how. */
  readonly leave: string;
  readonly healthPort: number;
  readonly authority: string;
  readonly serving: PairFiles;
}

export function memberSpec(
  member: Member,
  { all, bind }: { readonly all: readonly Member[]; readonly bind: string },
  files: MemberFiles,
): ProcessSpec {
  const { name, clientPort, peerPort, url, peerUrl } = member;
  const { binary, dataDir, leave, healthPort, authority, serving } = files;
  const trust = (prefix: string): string[] => [
    `--${prefix}cert-file=${serving.cert}`,
    `--${prefix}key-file=${serving.key}`,
    `--${prefix}trusted-ca-file=${authority}`,
    `--${prefix}client-cert-auth`,
  ];
  const health = `http://127.0.0.1:${healthPort}`;
  return {
    name,
    command: '/bin/sh',
    args: [
      '-c',
      GUARD,
      name,
      dataDir,
      leave,
      all.map(asInitial).join(','),
      asInitial(member),
      binary,
      `--name=${name}`,
      `--data-dir=${dataDir}`,
      `--listen-client-urls=https://${bind}:${clientPort}`,
      `--advertise-client-urls=${url}`,
      `--listen-peer-urls=${peerUrl}`,
      `--initial-advertise-peer-urls=${peerUrl}`,
      ...UPKEEP,
      ...trust(''),
      ...trust('peer-'),
      // Whoever has a client's certificate is no peer.
      `--peer-cert-allowed-cn=${PEER}`,
      `--listen-metrics-urls=${health}`,
      '--log-level=warn',
    ],
    ready: { http: `${health}/readyz` },
    wave: Wave.store,
    ports: [peerPort, healthPort],
    addresses: [{ host: bind, port: clientPort }],
  };
}

const asInitial = ({ name, peerUrl }: Member): string => `${name}=${peerUrl}`;

/** Where the file is that says how a member may begin. */
export function leaveOf(state: string, { name }: Pick<Member, 'name'>): string {
  return join(state, `${name}.begins`);
}
