// The condition of the DNS record that the site makes for a Capp. It never blocks a rollout.
import { conditionOf } from '../../crds/kubernetes/core.ts';
import type { Fault } from '../objects/fault.ts';
import type { Part } from '../ready.ts';
import type { NamedRecord } from '../../crds/dns-record.ts';

export interface SeenRecord {
  /** The site makes one for the Capp. */
  readonly isAsked: boolean;
  readonly record: NamedRecord | null;
  /** Why it could not be written, or null. */
  readonly fault: Fault | null;
}

/** Of what the provider says. */
const LONGEST = 200;

/** Null for a Capp for which the site makes no record. */
export function recordReady({ isAsked, record, fault }: SeenRecord): Part | null {
  if (!isAsked) return null;
  if (fault !== null) return part('False', fault.reason, fault.message);
  const { conditions, atProvider } = record?.status ?? {};
  const { cname = '' } = record?.spec?.forProvider ?? {};
  const bad = ['Synced', 'Ready']
    .map((type) => conditionOf(conditions, type))
    .find((one) => one !== undefined && one.status !== 'True');
  if (bad !== undefined) {
    const said = (bad.message ?? '').slice(0, LONGEST).replace(/\.$/, '');
    const why = said === '' ? (bad.reason ?? 'Unknown') : said;
    return part(
      bad.status === 'False' ? 'False' : 'Unknown',
      'RecordPending',
      `DNS does not have the record yet: ${why}.`,
    );
  }
  const isSynced = conditionOf(conditions, 'Ready') !== undefined && (atProvider?.cname ?? cname) === cname;
  return record !== null && isSynced
    ? part('True', 'RecordSynced', `DNS leads ${record.metadata.name} to ${cname}`)
    : part('Unknown', 'RecordPending', 'The provider has not brought the record to DNS yet.');
}

function part(status: Part['status'], reason: Part['reason'], message: string): Part {
  return { type: 'RecordReady', status, reason, message };
}
