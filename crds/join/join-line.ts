// The one line that a person takes from the hub to a site:
// `J2<hash>::<cluster>:<id>.<secret>:<end>@<host>:<port>`, after k3s' tokens. The hash is of the public key
// of the hub's authority (SHA-256), as kubeadm has it, so that the site knows the hub before it shows the
// token. The end is in seconds since the epoch, to the base of 36. Lines that begin with J1 have none.
import type { TokenText } from './bootstrap-token.ts';

export interface JoinLine {
  /** `sha256:…` of the authority's public key. */
  readonly fingerprint: string;
  /** Null: the token is for any cluster. */
  readonly cluster: string | null;
  readonly token: TokenText;
  /** When the token ends, in milliseconds since the epoch; null: the line does not say. */
  readonly endsAt: number | null;
  /** Of the hub's API server. */
  readonly host: string;
  readonly port: number;
}

/** Names of ManagedClusters: each is the name of a Namespace on the hub. */
const CLUSTER = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const LINE =
  /^J(?<form>[12])(?<hash>[0-9a-f]{64})::(?<cluster>[-a-z0-9]*):(?<id>[a-z0-9]{6})\.(?<secret>[a-z0-9]{16})(?::(?<end>[a-z0-9]{1,9}))?@(?<host>[A-Za-z0-9.-]+):(?<port>[0-9]{1,5})$/;

export function isClusterName(text: string): boolean {
  return CLUSTER.test(text);
}

export function joinLine({ fingerprint, cluster, token, endsAt, host, port }: JoinLine): string {
  const hash = fingerprint.replace(/^sha256:/, '');
  const [form, end] = endsAt === null ? ['J1', ''] : ['J2', `:${Math.floor(endsAt / 1_000).toString(36)}`];
  return `${form}${hash}::${cluster ?? ''}:${token.id}.${token.secret}${end}@${host}:${port}`;
}

/** A terminal breaks long lines, and people quote them. Neither character is in one. */
const AROUND = /[\s'"`]/g;

/** How many lines begin in a text: people paste one twice, or a file that has several. */
export function linesBegunIn(text: string): number {
  return text.match(/J[12][0-9a-f]{64}::/g)?.length ?? 0;
}

/** Null if the line is no such line. What is wrong is not said: it may be half a token. */
export function parseJoinLine(text: string): JoinLine | null {
  const bare = text.replaceAll(AROUND, '');
  const { form, hash, cluster = '', id, secret, end, host, port } = LINE.exec(bare)?.groups ?? {};
  if (hash === undefined || id === undefined || secret === undefined || host === undefined) return null;
  if (cluster !== '' && !isClusterName(cluster)) return null;
  if ((form === '2') !== (end !== undefined)) return null;
  const number = Number(port);
  if (number < 1 || number > 65_535) return null;
  return {
    fingerprint: `sha256:${hash}`,
    cluster: cluster === '' ? null : cluster,
    token: { id, secret },
    endsAt: end === undefined ? null : Number.parseInt(end, 36) * 1_000,
    host,
    port: number,
  };
}
