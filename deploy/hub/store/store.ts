// An etcd of somebody else: whose objects are below a prefix, and how far it is.
import { json } from 'node:stream/consumers';
import type { EtcdConfig } from '../config/etcd.ts';
import { HUB_COMMAND_TIMES } from '../times.ts';
import { askEtcd } from './ask.ts';

export type ExternalEtcd = Extract<EtcdConfig, { mode: 'external' }>;

/**
 * How far it was. A running API server renews a Lease every ten seconds at least, so what has not the newest
 * of them is an earlier state. One that stops in order takes its Lease away, so what the hub says of itself
 * there is written again whenever it looks. The revision of etcd itself says less: who restores one is
 * advised to raise it.
 */
export interface StoreMoment {
  /** The revision at which a Lease, or what the hub says of itself, was written last; 0: there is none. */
  readonly newestLease: number;
}

/** What a hub has written of itself below its prefix. */
export interface StoreOwner {
  readonly id: string;
  /** The fingerprint of its authority. */
  readonly authority: string;
}

export interface HubStore extends StoreMoment {
  /** The hub whose objects are there; null: no hub has said so. */
  readonly hub: StoreOwner | null;
  readonly isEmpty: boolean;
}

interface Answer {
  readonly kvs?: readonly { readonly value?: string; readonly mod_revision?: string }[];
  readonly succeeded?: boolean;
  readonly header?: { readonly revision?: string };
  readonly count?: string;
}

const coded = (text: string): string => Buffer.from(text).toString('base64');

/** Beside what the API server keeps there, none of whose keys begins so. */
function markOf({ prefix }: ExternalEtcd): string {
  return `${prefix}/cappstan/hub`;
}

/**
 * Throws when no server answers: it may have no JSON API, or want a user's name, which goes by gRPC alone.
 */
export async function storeIn(etcd: ExternalEtcd): Promise<HubStore> {
  const marked = await asked(etcd, 'range', { key: coded(markOf(etcd)) });
  const counted = await asked(etcd, 'range', { ...below(etcd.prefix), count_only: true });
  const newest = { sort_order: 'DESCEND', sort_target: 'MOD', limit: '1', keys_only: true };
  const leases = await asked(etcd, 'range', { ...below(`${etcd.prefix}/leases`), ...newest });
  const [mark] = marked.kvs ?? [];
  return {
    newestLease: Math.max(Number(leases.kvs?.[0]?.mod_revision ?? 0), Number(mark?.mod_revision ?? 0)),
    hub: mark === undefined ? null : ownerIn(Buffer.from(mark.value ?? '', 'base64').toString()),
    isEmpty: Number(counted.count ?? 0) === 0,
  };
}

/** What cannot be read is nobody's that we know. */
function ownerIn(text: string): StoreOwner {
  try {
    const { id = '', authority = '' } = JSON.parse(text) as Partial<StoreOwner>;
    return { id, authority };
  } catch {
    return { id: '', authority: '' };
  }
}

/** All keys that begin with this and a slash, which is the character before "0". */
function below(start: string): { readonly key: string; readonly range_end: string } {
  return { key: coded(`${start}/`), range_end: coded(`${start}0`) };
}

/** Says whose it is, unless somebody has: then nothing is written. Safe to repeat. */
export async function claimStore(etcd: ExternalEtcd, owner: StoreOwner): Promise<void> {
  await markedIf(etcd, owner, () => ({ target: 'CREATE', create_revision: '0' }));
}

/**
 * Writes once more whose it is, where it says so still, and gives the revision of that; 0 where it does not.
 */
export async function renewStore(etcd: ExternalEtcd, owner: StoreOwner): Promise<number> {
  const { succeeded, header } = await markedIf(etcd, owner, (value) => ({ target: 'VALUE', value }));
  return succeeded === true ? Number(header?.revision ?? 0) : 0;
}

/** Writes the mark where what is there compares as told, in one transaction. */
function markedIf(
  etcd: ExternalEtcd,
  { id, authority }: StoreOwner,
  comparing: (value: string) => object,
): Promise<Answer> {
  const [key, value] = [coded(markOf(etcd)), coded(JSON.stringify({ id, authority }))];
  return asked(etcd, 'txn', {
    compare: [{ key, ...comparing(value) }],
    success: [{ request_put: { key, value } }],
  });
}

/** The first server that answers, as etcd's own clients have it. */
async function asked({ servers, tls }: ExternalEtcd, what: 'range' | 'txn', body: object): Promise<Answer> {
  let reason: unknown = null;
  for (const server of servers)
    try {
      const quietMs = HUB_COMMAND_TIMES.serverAnswers.ms;
      return (await json(await askEtcd({ server, tls }, `/v3/kv/${what}`, { body, quietMs }))) as Answer;
    } catch (error) {
      reason = error;
    }
  const said = reason instanceof Error ? reason.message : String(reason);
  throw new Error(`etcd gives no answer: ${said}`, { cause: reason });
}
