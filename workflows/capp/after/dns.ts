// The state after the DNS record that the hub keeps for a Capp was written, or has to be written again. Pure.
import type { Pointed } from '../../ports/hub.ts';
import type { DnsRecord, State } from '../state.ts';

/** The first wait for the provider, in milliseconds, doubled after each look up to the longest. */
const FIRST_MS = 1_000;
const LONGEST_MS = 300_000;
/** The longest where there is no record: whatever keeps it from being made, somebody must change it. */
const LONGEST_WITHOUT_MS = 3_600_000;
/** How long a record may take to lead users to the new site of a move, in milliseconds. */
const LEADING_MS = 300_000;

const NEW: DnsRecord = {
  cluster: null,
  isDue: true,
  // Until the hub has looked, users may be led by it.
  isThere: true,
  syncedAt: null,
  ttlMs: 0,
  said: { reason: 'RecordPending', message: 'The DNS record is made when the Capp serves.' },
  retryAt: 0,
  tries: 0,
};

/** The Capp was shipped to the serving site: the record may be another one now. */
export function recordDue(state: State, cluster: string, isAsked: boolean): State {
  const { dns } = state;
  if (dns === undefined) return isAsked ? { ...state, dns: NEW } : state;
  return cluster === state.serving ? { ...state, dns: { ...dns, isDue: true } } : state;
}

/** Users were sent to another site: the record gets its time to follow. */
export function leading(state: State, now: number): State {
  const { dns, move } = state;
  if (dns === undefined || move === null) return state;
  return { ...state, move: { ...move, deadline: Math.max(move.deadline, now + LEADING_MS) } };
}

/** `answer` is a text if the activity failed: why. */
export function afterPoint(state: State, cluster: string, answer: Pointed | string, now: number): State {
  const { dns: before = NEW, ...others } = state;
  if (typeof answer === 'string') return { ...state, dns: again(before, cluster, refused(answer), now) };
  if (answer.outcome === 'None') return others;
  const { message } = answer;
  if (answer.outcome === 'Pending') {
    const { reason, isThere = before.isThere } = answer;
    return { ...state, dns: again({ ...before, isThere }, cluster, { reason, message }, now) };
  }
  const since = before.cluster === cluster ? before.syncedAt : null;
  const dns: DnsRecord = {
    cluster,
    isDue: false,
    isThere: true,
    syncedAt: since ?? now,
    ttlMs: answer.ttlSeconds * 1000,
    said: { reason: 'RecordSynced', message },
    retryAt: 0,
    tries: 0,
  };
  return { ...state, dns };
}

function refused(message: string): DnsRecord['said'] {
  return { reason: 'Refused', message: `The hub refused the DNS record: ${message}` };
}

function again(before: DnsRecord, cluster: string, said: DnsRecord['said'], now: number): DnsRecord {
  const tries = before.cluster === cluster ? before.tries : 0;
  const longest = before.isThere ? LONGEST_MS : LONGEST_WITHOUT_MS;
  const wait = Math.min(longest, FIRST_MS * 2 ** Math.min(tries, 16));
  return { ...before, cluster, isDue: false, syncedAt: null, said, tries: tries + 1, retryAt: now + wait };
}
