// What people see of the rollout of a CappSet or a Bundle.
import { shownRevision } from '../../../crds/rollout/revision.ts';
import type { RolloutFields } from '../../../crds/rollout/status.ts';
import type { Steered } from '../../hub/steered.ts';
import { printable } from '../../show/printable.ts';
import { table } from '../../show/table.ts';

export interface RolloutView {
  /** Empty before the hub has looked at it. */
  readonly revision: string;
  /** The last revision that every site had that could be reached; empty before the first. */
  readonly settled: string;
  /** The one that was settled before that; empty if there is none. */
  readonly before: string;
  readonly ready: string;
  readonly reason: string;
  readonly message: string;
  readonly stages: NonNullable<RolloutFields['stages']>;
  readonly failing: readonly FailingPlace[];
}

export interface FailingPlace {
  readonly site: string;
  /** The Capp, or the object on the site; empty where it is the site as a whole. */
  readonly what: string;
  readonly reason: string;
  readonly message: string;
}

export function rolloutView(steered: Steered): RolloutView {
  const { rollout, conditions = [], stages = [] } = steered.object.status ?? {};
  const { reason = 'NotObserved', message = 'The hub has not looked at it yet.' } =
    conditions.find(({ type }) => type === 'Progressing') ?? {};
  const { revision = '', settled = '', before = '' } = rollout ?? {};
  return { revision, settled, before, reason, message, stages, ...sitesIn(steered) };
}

function sitesIn(steered: Steered): Pick<RolloutView, 'ready' | 'failing'> {
  if (steered.is === 'CappSet') {
    const { readySites = '', failing = [] } = steered.object.status ?? {};
    return { ready: readySites, failing: failing.map(({ capp, ...rest }) => ({ ...rest, what: capp })) };
  }
  const { readyOfSites = '', failing = [] } = steered.object.status ?? {};
  const places = failing.map(({ cluster, kind, name, reason, message }) => ({
    site: cluster,
    what: `${kind} ${name}`.trim(),
    reason,
    message,
  }));
  return { ready: readyOfSites, failing: places };
}

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
