// What users are told of a Bundle after a turn: its status, events, and a line in the Temporal UI. Pure.
import type { Condition } from '../../../../crds/capp/conditions.ts';
import type { Bundle } from '../../../../crds/bundle/bundle.ts';
import type { BundleConditionType, BundleStatus } from '../../../../crds/bundle/status.ts';
import type { Happening } from '../../../../crds/kubernetes/event.ts';
import type { RolloutRefusal, FleetNews } from '../../rollout/kind.ts';
import { QUIET } from '../../rollout/telling/said.ts';
import { judgedBy, type BundleOutcome } from './judged.ts';
import { leavingStatus, refusedStatus, statusOf, unshippableStatus, type Left } from './status.ts';

export function toldOf(bundle: Bundle, outcome: BundleOutcome, now: number): FleetNews {
  return saying(bundle, statusOf(bundle, judgedBy(outcome, now), now));
}

export function refusedOf(bundle: Bundle, refusal: RolloutRefusal, now: number): FleetNews {
  return saying(bundle, refusedStatus(bundle, refusal, now));
}

/** Of a Bundle that is on sites and cannot be shipped as it is now. */
export function unshippableTold(
  bundle: Bundle,
  outcome: BundleOutcome,
  refusal: RolloutRefusal,
  now: number,
): FleetNews {
  return saying(bundle, unshippableStatus(bundle, judgedBy(outcome, now), refusal, now));
}

export function leavingOf(bundle: Bundle, left: Left, now: number): FleetNews {
  const { namespace = '', name } = bundle.metadata;
  const says = `**${namespace}/${name}** is being deleted, and ${left.clusters.length} sites have still to clean up. ${see(bundle)}`;
  return { ...saying(bundle, leavingStatus(bundle, left, now)), says };
}

function saying(bundle: Bundle, status: BundleStatus): FleetNews {
  const { namespace = '', name } = bundle.metadata;
  const { ready = 0, sites = 0, failed = 0, shortRevision = '' } = status;
  const reason = conditionOf(status, 'Ready')?.reason ?? '';
  const says = `**${namespace}/${name}** is Ready on ${ready} of ${sites} sites at revision ${shortRevision}, and ${failed} fail (${reason}). ${see(bundle)}`;
  return { status, happening: happeningOf(bundle, status), says };
}

function see({ metadata: { namespace = '', name } }: Bundle): string {
  return `\`kubectl describe bundle ${name} -n ${namespace}\` says what fails and what helps.`;
}

function conditionOf(status: BundleStatus | undefined, type: BundleConditionType): Condition | undefined {
  return status?.conditions?.find((one) => one.type === type);
}

/** What users should hear of a change: that it is Ready, stalled or waits; null if that is as it was. */
export function happeningOf({ metadata, status: before }: Bundle, status: BundleStatus): Happening | null {
  const isOther = (type: BundleConditionType): boolean =>
    conditionOf(before, type)?.reason !== conditionOf(status, type)?.reason ||
    before?.revision !== status.revision;
  const occasionOf = ({ lastTransitionTime }: Condition): string =>
    `${status.revision ?? ''}/${metadata.generation ?? 0}/${lastTransitionTime}`;
  const [is, going] = [conditionOf(status, 'Ready'), conditionOf(status, 'Progressing')];
  const isStalled = conditionOf(status, 'Stalled')?.status === 'True';
  if (is !== undefined && isOther('Ready') && (is.status === 'True' || isStalled))
    return {
      type: isStalled ? 'Warning' : 'Normal',
      reason: `Bundle${is.reason}`,
      note: is.message,
      occasion: occasionOf(is),
    };
  if (going === undefined || !isOther('Progressing') || UNSAID.has(going.reason)) return null;
  const type = isStalled ? 'Warning' : 'Normal';
  return { type, reason: going.reason, note: going.message, occasion: occasionOf(going) };
}

/** What condition Ready says, or what comes and goes. */
const UNSAID: ReadonlySet<string> = new Set([...QUIET, 'Done']);
