// How far a CappSet or a Bundle is with its newest revision, from what its status says. Pure.
import type { Bundle } from '../../../crds/bundle/bundle.ts';
import type { RolloutFields } from '../../../crds/rollout/status.ts';
import type { CappSet } from '../../../crds/set/cappset.ts';

/** An object of a fleet kind. */
export type ExplainedFleet =
  | { readonly is: 'CappSet'; readonly object: CappSet }
  | { readonly is: 'Bundle'; readonly object: Bundle };

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

export function rolloutView(steered: ExplainedFleet): RolloutView {
  const { rollout, conditions = [], stages = [] } = steered.object.status ?? {};
  const { reason = 'NotObserved', message = 'The hub has not looked at it yet.' } =
    conditions.find(({ type }) => type === 'Progressing') ?? {};
  const { revision = '', settled = '', before = '' } = rollout ?? {};
  return { revision, settled, before, reason, message, stages, ...sitesIn(steered) };
}

function sitesIn(steered: ExplainedFleet): Pick<RolloutView, 'ready' | 'failing'> {
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
