// One request by GET: bounded in time and bytes, and no redirect is followed.
import { request as plain, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as overTls } from 'node:https';
import type { AnsweredCheck } from '../../../crds/verification/expect.ts';
import { AGENT_TIMES } from '../times.ts';

/** Of a body. */
const MOST_BYTES = 64 * 1024;

export interface OnceOptions extends Pick<RequestOptions, 'host' | 'port' | 'path'> {
  readonly headers: Readonly<Record<string, string>>;
  readonly isTls: boolean;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
  /** PEM: one of the chain is enough, such as an intermediate authority alone. */
  readonly ca?: string;
}

/** Rejects when nothing is answered in time, and with the signal's reason. */
export function askedOnce({ isTls, ...given }: OnceOptions, signal: AbortSignal): Promise<AnsweredCheck> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(AGENT_TIMES.verifyRequest.ms)]);
  const headers = { ...given.headers, 'user-agent': 'cappstan-verify', connection: 'close' };
  const options = {
    ...given,
    // As the other clients of this program, and as clients in Go, hold it.
    allowPartialTrustChain: true,
    method: 'GET',
    headers,
    agent: false,
    signal: within,
  } as const;
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    const asking = (isTls ? overTls : plain)(options, (answer) => {
      isAnswered = true;
      beginningOf(answer)
        .then(resolve, reject)
        .finally(() => asking.destroy());
    });
    asking.on('error', reject);
    // An answer that changes the protocol (101) closes the connection without an answer and without an error.
    asking.on('close', () => {
      if (!isAnswered) reject(new Error('the connection was closed without an answer'));
    });
    asking.end();
  });
}

async function beginningOf(answer: IncomingMessage): Promise<AnsweredCheck> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > MOST_BYTES) break;
  }
  const body = Buffer.concat(chunks).subarray(0, MOST_BYTES).toString('utf8');
  return { status: answer.statusCode ?? 0, body, isCut: size > MOST_BYTES };
}

/** Of what was not answered. The code alone: a message may name addresses of the site. */
export function unansweredBy(who: string, error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  if (name === 'TimeoutError' || name === 'AbortError') return 'no answer in time';
  const said = typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) ? ` (${code})` : '';
  return `${who} did not answer${said}`;
}
