// One request to an app: bounded in time and bytes, and no redirect is followed. It carries no credentials,
// and what is answered is kept nowhere.
import { request as plain, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as overTls } from 'node:https';
import type { AnsweredCheck } from '../../../crds/verification/expect.ts';
import { AGENT_TIMES } from '../times.ts';
import type { VerifyTarget } from './target.ts';

/** Of a body. */
const MOST_BYTES = 64 * 1024;

/**
 * Rejects when nothing is answered in time, and with the signal's reason. The ingress is known by its
 * address, which the site's admin has set, so its certificate is not judged: the condition CertificateReady
 * does that.
 */
export function ask(
  { address, host, isTls }: VerifyTarget,
  path: string,
  signal: AbortSignal,
): Promise<AnsweredCheck> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(AGENT_TIMES.verifyRequest.ms)]);
  const options: RequestOptions & { readonly servername?: string; readonly rejectUnauthorized?: boolean } = {
    host: address.host,
    port: address.port,
    path,
    method: 'GET',
    headers: { host, 'user-agent': 'cappstan-verify', accept: '*/*', connection: 'close' },
    agent: false,
    signal: within,
    ...(isTls ? { servername: host, rejectUnauthorized: false } : {}),
  };
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
