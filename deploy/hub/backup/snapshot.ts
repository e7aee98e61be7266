// What an etcd holds at one moment, by its own API for this, while it serves on.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { askEtcd, type EtcdDoor } from '../store/ask.ts';
import { HUB_COMMAND_TIMES } from '../times.ts';

export interface Snapshot {
  /** In bytes. */
  readonly size: number;
  /** As `etcdutl snapshot restore` takes it. It fails unless all of it has come as etcd has sent it. */
  readonly content: Readable;
}

/** One message of etcdserverpb.Maintenance.Snapshot, in etcd's JSON. */
interface Message {
  readonly result?: { readonly remaining_bytes?: string; readonly blob?: string };
  readonly error?: { readonly message?: string };
}

/** At the end, behind what is counted in `remaining_bytes`: SHA-256 of what came before it. */
const DIGEST_BYTES = 32;

/** Changes nothing. Throws what keeps etcd from answering. */
export async function snapshotOf(door: EtcdDoor): Promise<Snapshot> {
  const quietMs = HUB_COMMAND_TIMES.snapshotGoesOn.ms;
  const messages = messagesOf(await askEtcd(door, '/v3/maintenance/snapshot', { body: {}, quietMs }));
  const first = await messages.next();
  if (first.done === true) throw new Error('etcd has sent nothing.');
  const { blob, left } = first.value;
  const size = blob.length + left + DIGEST_BYTES;
  return { size, content: Readable.from(checked(size, blob, messages), { objectMode: false }) };
}

async function* checked(
  size: number,
  first: Buffer,
  rest: AsyncIterable<{ readonly blob: Buffer }>,
): AsyncIterable<Buffer> {
  const hash = createHash('sha256');
  let [count, digest] = [0, Buffer.alloc(0)];
  const counted = (blob: Buffer): Buffer => {
    const ofContent = Math.max(0, Math.min(blob.length, size - DIGEST_BYTES - count));
    hash.update(blob.subarray(0, ofContent));
    digest = Buffer.concat([digest, blob.subarray(ofContent)]);
    count += blob.length;
    return blob;
  };
  yield counted(first);
  for await (const { blob } of rest) yield counted(blob);
  if (count !== size || !hash.digest().equals(digest))
    throw new Error('etcd has ended before all of its data was sent.');
}

async function* messagesOf(answer: IncomingMessage): AsyncGenerator<{ blob: Buffer; left: number }> {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (text + chunk).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield messageOf(line);
  }
  if (text.trim() !== '') yield messageOf(text);
}

function messageOf(line: string): { blob: Buffer; left: number } {
  const { result, error } = JSON.parse(line) as Message;
  if (result === undefined) throw new Error(`etcd says: ${error?.message ?? 'no reason'}.`);
  return { blob: Buffer.from(result.blob ?? '', 'base64'), left: Number(result.remaining_bytes ?? 0) };
}
