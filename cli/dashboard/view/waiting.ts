// What waits for a person who may decide it.
import type { DashboardFacts } from './facts.ts';
import { appLineOf } from './apps.ts';
import { conditionIn } from '../../explain/capp/phase.ts';
import { fleetObjects } from './rollouts.ts';
import { rolloutView } from '../../explain/set/rollout.ts';

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
  SitesFailed: 'has stopped: sites failed',
  RemovalHeld: 'holds a removal',
  RolledBack: 'went back',
};

const REASONS: ReadonlySet<string> = new Set(['AwaitsConfirmation', 'MoveRefused']);

export function waitingFor(facts: DashboardFacts): WaitingLine[] {
  const rollouts = fleetObjects(facts).flatMap((one): WaitingLine[] => {
    const { namespace = '', name } = one.object.metadata;
    const { reason, message } = rolloutView(one);
    const stalled = one.object.status?.heldRemoval === undefined ? reason : 'RemovalHeld';
    const what = WAITS[stalled];
    if (what === undefined || !facts.may('patch', one.is === 'CappSet' ? 'cappsets' : 'bundles', namespace))
      return [];
    return [
      { href: `/rollouts/${one.is}/${namespace}/${name}`, name: `${namespace}/${name}`, what, says: message },
    ];
  });
  const apps = facts.capps.flatMap((capp): WaitingLine[] => {
    const moving = conditionIn(capp, 'Migrating');
    if (moving === undefined || !REASONS.has(moving.reason)) return [];
    const { namespace, name } = appLineOf(capp);
    if (!facts.may('patch', 'capps', namespace)) return [];
    const what = moving.reason === 'MoveRefused' ? 'was not moved' : 'asks you to confirm';
    return [{ href: `/apps/${namespace}/${name}`, name: `${namespace}/${name}`, what, says: moving.message }];
  });
  return [...rollouts, ...apps].slice(0, MOST);
}
