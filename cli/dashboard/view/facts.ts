// What the views are made of: what the hub's watches show, and what the person may do.
import type { Bundle } from '../../../crds/bundle/bundle.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import type { Drain } from '../../../crds/drain/drain.ts';
import type { CappSet } from '../../../crds/set/cappset.ts';
import type { ShownSiteFacts } from '../../explain/sites.ts';

export interface DashboardFacts extends ShownSiteFacts {
  /** Of these sites nothing but the name is known: the person may not read ManagedClusters. */
  readonly hidesSites: boolean;
  readonly capps: readonly Capp[];
  readonly sets: readonly CappSet[];
  readonly bundles: readonly Bundle[];
  readonly drains: readonly Drain[];
  /** Kinds that the person may not read. */
  readonly unread: readonly string[];
  readonly may: May;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export type Verb = 'create' | 'patch' | 'update' | 'delete' | 'list' | 'get';
/** Of which kinds the rights are asked; what stands behind a slash is a part of the kind before it. */
export type Plural =
  | 'capps'
  | 'capps/log'
  | 'cappsets'
  | 'bundles'
  | 'drains'
  | 'rcsconfigs'
  | 'managedclusters'
  | 'placements'
  | 'placementdecisions';

/** Whether the API server would let the person do this; false while that is not known. */
export type May = (verb: Verb, plural: Plural, namespace: string | null) => boolean;
