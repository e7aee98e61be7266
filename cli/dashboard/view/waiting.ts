// What waits for a person who may decide it.
import type { Capp } from '../../../crds/capp/capp.ts';
import { MIGRATE, SET } from '../../../crds/labels.ts';
import type { DashboardFacts } from './facts.ts';
import { appLineOf } from './apps.ts';
import { conditionIn } from '../../explain/capp/phase.ts';
import { fleetObjects } from './rollout/rollouts.ts';
import { rolloutView, type ExplainedFleet } from '../../explain/set/rollout.ts';

export interface WaitingLine {
  /** The address of what it is about, within the page. */
  readonly href: string;
  readonly name: string;
  readonly what: string;
  readonly says: string;
}

/** So many are named. */
const MOST = 50;

const WAITS: Readonly<Record<string, string>> = {
  AwaitsApproval: 'awaits approval',
  VerificationInconclusive: 'has checks without a verdict',
  SitesFailed: 'has stopped: sites failed',
  RemovalHeld: 'holds a removal',
  RolledBack: 'went back',
};

const REASONS: ReadonlySet<string> = new Set(['AwaitsConfirmation', 'MoveRefused']);

export function waitingFor(facts: DashboardFacts): WaitingLine[] {
  const rollouts = fleetObjects(facts).flatMap((one): WaitingLine[] => {
    const { namespace = '', name } = one.object.metadata;
    if (!facts.may('patch', one.is === 'CappSet' ? 'cappsets' : 'bundles', namespace)) return [];
    const href = `/rollouts/${one.is}/${namespace}/${name}`;
    return heldIn(one).map(({ what, says }) => ({ href, name: `${namespace}/${name}`, what, says }));
  });
  const apps = facts.capps.flatMap((capp): WaitingLine[] => {
    const moving = conditionIn(capp, 'Migrating');
    if (moving === undefined || !REASONS.has(moving.reason)) return [];
    if (moving.reason === 'MoveRefused' && !isAskedByPerson(capp)) return [];
    const { namespace, name } = appLineOf(capp);
    if (!facts.may('patch', 'capps', namespace)) return [];
    const what = moving.reason === 'MoveRefused' ? 'was not moved' : 'asks you to confirm';
    return [{ href: `/apps/${namespace}/${name}`, name: `${namespace}/${name}`, what, says: moving.message }];
  });
  return [...rollouts, ...apps].slice(0, MOST);
}

/** A drain that could not move a Capp tells of that itself, and a set keeps its Capps where they are. */
function isAskedByPerson({ metadata: { annotations, labels } }: Capp): boolean {
  return annotations?.[MIGRATE] !== undefined && labels?.[SET] === undefined;
}

/** Both an approval and a removal may wait; the condition has the words of one of them. */
function heldIn(one: ExplainedFleet): Pick<WaitingLine, 'what' | 'says'>[] {
  const { reason, message } = rolloutView(one);
  const { heldRemoval } = one.object.status ?? {};
  const said = WAITS[reason];
  const first = said === undefined ? [] : [{ what: said, says: message }];
  if (heldRemoval === undefined || reason === 'RemovalHeld') return first;
  const says = `${heldRemoval.count} copies on sites that are no longer selected wait for a person.`;
  return [...first, { what: 'holds a removal', says }];
}
