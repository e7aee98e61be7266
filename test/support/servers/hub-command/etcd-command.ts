// `cappstan etcd` as a person starts it, in a directory of its own, on loopback.
import { randomInt } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { askEtcd } from '../../../../deploy/hub/store/ask.ts';
import { isFree } from '../../../../deploy/local/supervise/ports.ts';
import { begin, pidIn, removed, saysOf, stopped, type Begun, type Ended, type HubProgram } from './begun.ts';

const MAIN = resolve(import.meta.dirname, '../../../../deploy/etcd/main.ts');
const BESIDE: HubProgram = { command: [process.execPath, MAIN] };
const MEMBERS = [0, 1, 2] as const;

/** Of etcd's JSON. */
export interface MemberSeen {
  readonly ID: string;
  /** Empty, or not there, for one that has never started. */
  readonly name?: string;
}

export interface EtcdCommandStarted {
  readonly dir: string;
  readonly args: readonly string[];
  /** The flags of a hub that keeps its objects in it. */
  readonly flags: readonly string[];
  readonly port: number;
  /** Resolves with what it has said when it runs. */
  start(): Promise<string>;
  stop(): Promise<Ended>;
  pidOf(process: string): Promise<number>;
  members(): Promise<readonly MemberSeen[]>;
  /** The name of the member that the others follow. */
  leader(): Promise<string>;
  /** How many keys this member has by itself, without asking the others. */
  keysOf(member: string): Promise<number>;
  /** Ends what is left, and deletes the directory. */
  remove(): Promise<void>;
}

export function runEtcdCommand(args: readonly string[]): Promise<Ended> {
  return begin('etcd', args, BESIDE).ended;
}

export async function etcdCommand(): Promise<EtcdCommandStarted> {
  const dir = join(mkdtempSync(join(tmpdir(), 'etcd-command-')), 'etcd');
  const port = await sixFree();
  const args = ['--data-dir', dir, '--port', String(port)];
  const at = (file: string): string => join(dir, 'cert-etcd', file);
  const tls = { ca: at('ca.pem'), pair: { cert: at('client.pem'), key: at('client-key.pem') } };
  const servers = MEMBERS.map((number) => `https://127.0.0.1:${port + 2 * number}`);
  const ask = async <T>(path: string, body: object, some = servers): Promise<T> => {
    let reason: unknown;
    for (const server of some)
      try {
        return (await json(await askEtcd({ server, tls }, path, { body, quietMs: 5_000 }))) as T;
      } catch (error) {
        reason = error;
      }
    throw reason;
  };
  const members = async (): Promise<readonly MemberSeen[]> =>
    (await ask<{ members: readonly MemberSeen[] }>('/v3/cluster/member/list', {})).members;
  let running: Begun | null = null;
  return {
    dir,
    args,
    port,
    flags: [
      '--etcd-mode=external',
      `--etcd-servers=${servers.join(',')}`,
      `--etcd-ca-file=${tls.ca}`,
      `--etcd-cert-file=${tls.pair.cert}`,
      `--etcd-key-file=${tls.pair.key}`,
    ],
    start: async () => {
      running = begin('etcd', args, BESIDE);
      await saysOf(running, 'The etcd is running');
      return running.output();
    },
    stop: () => stopped(running, dir),
    pidOf: (name) => pidIn(dir, name),
    members,
    leader: async () => {
      const { leader } = await ask<{ leader: string }>('/v3/maintenance/status', {});
      return (await members()).find(({ ID }) => ID === leader)?.name ?? '';
    },
    keysOf: async (name) => {
      const own = servers.filter((_, number) => name === `etcd-${number}`);
      const all = {
        key: Buffer.from('/').toString('base64'),
        range_end: Buffer.from('0').toString('base64'),
      };
      const body = { ...all, serializable: true, count_only: true };
      return Number((await ask<{ count?: string }>('/v3/kv/range', body, own)).count ?? 0);
    },
    remove: () => removed(running, dir),
  };
}

/** The first of six ports in a row at which nobody listens. */
async function sixFree(): Promise<number> {
  for (;;) {
    const first = randomInt(20_000, 31_000);
    const free = await Promise.all(Array.from({ length: 6 }, (_, index) => isFree(first + index)));
    if (free.every(Boolean)) return first;
  }
}
