// One request to an app, as its users reach it, and what it says of the app. It carries no credentials, and
// what is answered is kept nowhere.
import type { Capp } from '../../../crds/capp/capp.ts';
import { isMet, type AnsweredCheck } from '../../../crds/verification/expect.ts';
import type { Check, Measurement } from '../../../workflows/types/verification.ts';
import { askedOnce, unansweredBy } from './once.ts';
import { targetOf, type Ingress, type VerifyTarget } from './target.ts';

/** Rejects with the signal's reason alone. */
export async function measureApp(
  capp: Capp,
  ingress: Ingress,
  { path = '/', expect }: Pick<Check, 'path' | 'expect'>,
  signal: AbortSignal,
): Promise<Omit<Measurement, 'at'>> {
  const target = targetOf(capp, ingress);
  if (typeof target === 'string') return { is: 'Error', says: target };
  try {
    const answered = await ask(target, path, signal);
    const isAsExpected = isMet(expect, answered);
    const is = isAsExpected === null ? 'Inconclusive' : isAsExpected ? 'Successful' : 'Failed';
    const cut = isAsExpected === null ? ', and the body is longer than 64 KiB' : '';
    return { is, says: `status ${answered.status}${cut}` };
  } catch (error) {
    signal.throwIfAborted();
    return { is: 'Error', says: unansweredBy('the ingress', error) };
  }
}

/**
 * The ingress is known by its address, which the site's admin has set, so its certificate is not judged: the
 * condition CertificateReady does that.
 */
function ask(
  { address, host, isTls }: VerifyTarget,
  path: string,
  signal: AbortSignal,
): Promise<AnsweredCheck> {
  const tls = isTls ? { servername: host, rejectUnauthorized: false } : {};
  const headers = { host, accept: '*/*' };
  return askedOnce({ host: address.host, port: address.port, path, headers, isTls, ...tls }, signal);
}
