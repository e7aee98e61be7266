// Faults of a bundle of certificates that the API server trusts, and of their ends. Pure.
import { certificatesIn } from './certificates.ts';
import type { Fault } from './facts.ts';

/**
 * A certificate that our processes make has a successor thirty days before its end: where it has none by now,
 * nobody renews it.
 */
export const SOON_MS = 14 * 86_400_000;

export interface Trusting {
  readonly about: string;
  /** What has the bundle, as the subject of a sentence. */
  readonly who: string;
  /** In base64. */
  readonly bundle: string;
  readonly remedy: string;
}

/** The last certificate of the bundle counts. `now` in milliseconds since the epoch. */
export function trustFaults({ about, who, bundle, remedy }: Trusting, now: number): Fault[] {
  const fault = (problem: string): Fault[] => [{ about, problem, remedy }];
  if (bundle === '') return fault(`${who} trusts no certificate: caBundle is empty.`);
  const certificates = certificatesIn(Buffer.from(bundle, 'base64').toString());
  if (certificates === null) return fault(`${who} has a caBundle that cannot be read.`);
  const last = Math.max(...certificates.map(({ validTo }) => Date.parse(validTo)));
  if (last <= now) return fault(`${who} trusts only certificates that have expired.`);
  if (last > now + SOON_MS) return [];
  return fault(`${who} trusts only certificates that end by ${new Date(last).toISOString()}.`);
}
