// The stamp that ties a verdict to exactly what was shipped.
import { createHmac } from 'node:crypto';

export interface Stamp {
  readonly uid: string;
  readonly generation: number;
  readonly hash: string;
  readonly incarnation: string;
}

/** The value of annotation `ROLLOUT` on a shipped Capp. */
export function stampText({ uid, generation, hash, incarnation }: Stamp): string {
  return `${uid}/${generation}/${hash}/${incarnation}`;
}

/**
 * Twenty hex digits over a value's JSON with sorted keys. The salt stands only where the content itself may be read (on the work), so
 * the hash tells nothing about a Secret that is part of it.
 */
export function saltedHash(value: unknown, salt: string): string {
  return createHmac('sha256', salt).update(canonical(value)).digest('hex').slice(0, 20);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).toSorted(byKey)) : inner,
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
