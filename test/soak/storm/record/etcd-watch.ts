// Watches every key of an etcd without TLS, through its JSON gateway, and misses no revision.
//
// An API server forgets what it has told when it is killed. Its etcd does not, and numbers what happened on
// all clusters of the stack in one order.
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

export interface EtcdEvent {
  readonly revision: number;
  readonly key: string;
  /** JSON or protobuf, as the API server stores it; null when the key is gone. */
  readonly value: () => Buffer | null;
}

export interface EtcdWatch {
  /** What it could not read: then the record is not whole. */
  readonly problems: readonly string[];
  /** The newest revision that was told. */
  revision(): number;
  stop(): Promise<void>;
}

interface Answer {
  readonly result?: {
    readonly header?: { readonly revision?: string };
    readonly canceled?: boolean;
    readonly cancel_reason?: string;
    readonly compact_revision?: string;
    readonly events?: readonly {
      readonly type?: 'DELETE';
      readonly kv: { readonly key: string; readonly mod_revision: string; readonly value?: string };
    }[];
  };
  readonly error?: { readonly message?: string };
}

const AGAIN_MS = 200;
const FIRST_KEY = Buffer.from([0]).toString('base64');

/** Tells everything from now on. While etcd does not answer it waits, and goes on where it was. */
export function watchEtcd(endpoint: string, tell: (event: EtcdEvent) => void): EtcdWatch {
  const over = new AbortController();
  const problems: string[] = [];
  let last = 0;
  const take = ({ result }: Answer): void => {
    if (result?.canceled === true)
      problems.push(
        `etcd ended the watch at ${last}: ${result.cancel_reason ?? result.compact_revision ?? ''}`,
      );
    for (const { type, kv } of result?.events ?? []) {
      last = Number(kv.mod_revision);
      const { key, value = '' } = kv;
      tell({
        revision: last,
        key: Buffer.from(key, 'base64').toString(),
        value: () => (type === 'DELETE' ? null : Buffer.from(value, 'base64')),
      });
    }
    if (last === 0) last = Number(result?.header?.revision ?? 0);
  };
  const watching = (async () => {
    while (!over.signal.aborted) {
      await once(endpoint, last === 0 ? 0 : last + 1, { take, signal: over.signal }).catch(() => undefined);
      await pause(AGAIN_MS, undefined, { signal: over.signal }).catch(() => undefined);
    }
  })();
  return {
    problems,
    revision: () => last,
    stop: async () => {
      over.abort();
      await watching;
    },
  };
}

/** Until the connection ends. */
function once(
  endpoint: string,
  from: number,
  { take, signal }: { take: (answer: Answer) => void; signal: AbortSignal },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request(`${endpoint}/v3/watch`, { method: 'POST', signal, agent: false });
    call.once('error', reject);
    call.once('response', (response) => {
      response.once('error', reject).once('close', resolve);
      const lines = createInterface({ input: response });
      // It emits the response's failure once more.
      lines.on('error', reject).on('line', (line) => {
        if (line !== '') take(JSON.parse(line) as Answer);
      });
    });
    call.end(
      JSON.stringify({
        create_request: {
          key: FIRST_KEY,
          range_end: FIRST_KEY,
          ...(from === 0 ? {} : { start_revision: from }),
        },
      }),
    );
  });
}
