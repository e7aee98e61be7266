// The state of a Bundle's workflow. It is the workflow's only argument, so continue-as-new is a checkpoint.
// All but the rollout is read again in each turn.
import { fieldsOf, isName, isNamespace } from '../parse/fields.ts';
import { readMemory } from '../parse/memory.ts';
import { readRing } from '../parse/ring.ts';
import type { RolloutMemory } from '../stages/memory.ts';
import type { BundleTurn } from './port.ts';

/** What the last turn found, without what it remembers. */
type Found<T> = T extends { readonly outcome: 'Turned' }
  ? Omit<T, 'memory' | 'minimumVersions'>
  : T extends { readonly outcome: 'Behind' | 'Gone' }
    ? never
    : T;

export interface BundleState {
  readonly version: 1;
  readonly namespace: string;
  readonly name: string;
  /** Null: what the Bundle's status says. */
  readonly memory: RolloutMemory | null;
  /** Kind → the resourceVersion that caches must have reached. */
  readonly minimumVersions: Readonly<Record<string, string>>;
  /** Turns in a row whose caches had not reached it. */
  readonly behind: number;
  /** For people; null before the first turn. */
  readonly last: Found<BundleTurn> | null;
}

export interface BundleStart {
  readonly namespace: string;
  readonly name: string;
}

/** Throws an Error that says what the input should be. */
export function readBundleState(given: unknown): BundleState {
  const { namespace, name, memory, minimumVersions } = fieldsOf(given) ?? {};
  if (!isNamespace(namespace) || !isName(name))
    throw new Error('the input must name a Bundle: {"namespace":"platform","name":"edge-base"}');
  return {
    version: 1,
    namespace,
    name,
    memory: readMemory(memory),
    minimumVersions: readRing({ causes: ['resync'], minimumVersions })?.minimumVersions ?? {},
    behind: 0,
    last: null,
  };
}
