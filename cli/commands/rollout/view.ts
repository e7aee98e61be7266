// How far a rollout is, in words and lines.
import { shownRevision } from '../../../crds/rollout/revision.ts';
import type { RolloutView } from '../../explain/set/rollout.ts';
import { printable } from '../../show/printable.ts';
import { table } from '../../show/table.ts';

export function rolloutText({
  revision,
  settled,
  ready,
  reason,
  message,
  stages,
  failing,
}: RolloutView): string {
  const from = settled === '' || settled === revision ? '' : `, from ${shownRevision(settled)}`;
  const head = `Revision ${revision === '' ? 'unknown' : shownRevision(revision)}${from}: ${ready === '' ? '0/0' : ready} sites Ready. ${reason}: ${message}`;
  const rows = stages.map(({ name, state, sites, ...counts }) => [
    name,
    state,
    ...[sites, counts.ready, counts.underWay, counts.failed, counts.offline].map(String),
  ]);
  const parts = [printable(head)];
  if (rows.length > 0)
    parts.push(table(['STAGE', 'STATE', 'SITES', 'READY', 'UNDER WAY', 'FAILED', 'OFFLINE'], rows));
  if (failing.length > 0)
    parts.push(
      table(
        ['SITE', 'WHAT', 'REASON', 'MESSAGE'],
        failing.map(({ site, what, reason: why, message: says }) => [site, what, why, says]),
      ),
    );
  return parts.join('\n\n');
}
