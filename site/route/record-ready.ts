// The condition of the DNS record that the site makes for a Capp. It never blocks a rollout.
import { conditionOf } from '../../crds/kubernetes/core.ts';
import type { CappFault } from '../objects/fault.ts';
import type { ReadyPart } from '../status/ready.ts';
import type { NamedRecord } from '../../crds/dns-record.ts';

export interface SiteRecord {
  /** The site makes one for the Capp. */
  readonly isAsked: boolean;
  readonly record: NamedRecord | null;
  /** Why it could not be written, or null. */
  readonly fault: CappFault | null;
}

/** Characters of the DNS provider's words that a message repeats. */
const LONGEST = 200;

/** Null for a Capp for which the site makes no record. */
export function recordReady({ isAsked, record, fault }: SiteRecord): ReadyPart | null {
  if (!isAsked) return null;
  if (fault !== null) return part('False', fault.reason, fault.message);
  const bad = ['Synced', 'Ready']
    .map((type) => conditionOf(record?.status?.conditions, type))
    .find((one) => one !== undefined && one.status !== 'True');
  if (bad !== undefined)
    return part(
      bad.status === 'False' ? 'False' : 'Unknown',
      'RecordPending',
      `DNS does not have the record yet: ${wordsOf(bad)}.`,
    );
  return record !== null && isSynced(record)
    ? part('True', 'RecordSynced', `DNS leads ${record.metadata.name} to this site.`)
    : part('Unknown', 'RecordPending', 'The provider has not brought the record to DNS yet.');
}

function isSynced({ spec, status }: NamedRecord): boolean {
  const { cname } = spec?.forProvider ?? {};
  const isSaid = conditionOf(status?.conditions, 'Ready') !== undefined;
  return isSaid && (status?.atProvider?.cname ?? cname) === cname;
}

function wordsOf({ reason = 'Unknown', message = '' }: { reason?: string; message?: string }): string {
  const said = message.slice(0, LONGEST).replace(/\.$/, '');
  return said === '' ? reason : said;
}

function part(status: ReadyPart['status'], reason: ReadyPart['reason'], message: string): ReadyPart {
  return { type: 'RecordReady', status, reason, message };
}
