// What the planner of hosts knows: the hosts of a hub as one read shows them, and what one SIPCluster asks
// for.
import type { HostTrouble } from '../../../crds/metal/bare-metal-host.ts';
import { matcherOf, type LabelSelector } from '../../../crds/kubernetes/label-selector.ts';

export interface SeenHost {
  /** "namespace/name". */
  readonly key: string;
  readonly labels: Readonly<Record<string, string>>;
  /** `mine`: this SIPCluster has it, for that role. */
  readonly owner: 'nobody' | 'another' | { readonly mine: string };
  readonly trouble: HostTrouble | null;
  /**
   * Of a host of this SIPCluster that has failed: since when that is known, in milliseconds since the epoch.
   */
  readonly failedSince: number | null;
  /** Of the same: what Metal³ could not do the last time. */
  readonly failure?: string;
  /**
   * This SIPCluster has had it, and it had failed since then, in milliseconds since the epoch: it looks well
   * now, and is the last to be taken.
   */
  readonly passedOver?: number;
  /** Roles for which it is left out: what serves the role could not lead there. */
  readonly unfitFor?: ReadonlySet<string>;
}

export interface RoleAsk {
  readonly role: string;
  readonly selector: LabelSelector;
  /** Null: the hosts of the role may be anywhere. */
  readonly topologyKey: string | null;
  /** How many hosts the role is to have, standby included. */
  readonly wanted: number;
}

/** The value that no two hosts of the role may share; null for a host that shares none. */
export function domainOf({ labels }: Pick<SeenHost, 'labels'>, key: RoleAsk['topologyKey']): string | null {
  if (key === null || !Object.hasOwn(labels, key)) return null;
  const value = labels[key] ?? '';
  return value === '' ? null : value;
}

type Labels = SeenHost['labels'];

/**
 * By the selector and the labels that one look has read. A look asks several times, and whoever writes a
 * SIPCluster decides how long each answer takes.
 */
const known = new WeakMap<
  LabelSelector,
  { of: (labels: Labels) => boolean; found: WeakMap<Labels, boolean> }
>();

/** Whether the selector of a role takes a host, by its labels. */
export function selectedBy({
  selector,
}: Pick<RoleAsk, 'selector'>): (host: Pick<SeenHost, 'labels'>) => boolean {
  const matcher = known.get(selector) ?? { of: matcherOf(selector), found: new WeakMap<Labels, boolean>() };
  known.set(selector, matcher);
  return ({ labels }) => {
    const isMatch = matcher.found.get(labels) ?? matcher.of(labels);
    matcher.found.set(labels, isMatch);
    return isMatch;
  };
}

/** By code units, so that every machine has one order. */
export function inOrder<T>(things: readonly T[], textOf: (thing: T) => string): T[] {
  return things.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : textOf(a) > textOf(b) ? 1 : 0));
}
