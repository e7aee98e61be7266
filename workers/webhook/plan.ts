// Answers what would change if a CappSet or a Bundle were written, in a dry run that asks so: the API server
// has authorised it, and nothing is stored.
import { textAt } from '../../admission/fields.ts';
import { annotate, applied } from '../../admission/patch.ts';
import type { AdmissionRequest } from '../../admission/request.ts';
import type { RuleResult } from '../../admission/rule.ts';
import { isDnsLabel } from '../../admission/rules/spec/pod/names.ts';
import { PATHS } from '../../admission/router.ts';
import { WEBHOOK_TIMES } from '../../admission/times.ts';
import { PLAN } from '../../crds/labels.ts';
import type { RolloutPlan } from '../../crds/rollout/plan.ts';
import { previewBundle } from './plan-bundle.ts';
import { previewSet } from './plan-set.ts';
import type { Asking } from './spread.ts';

const PREVIEWS: ReadonlyMap<
  string,
  (asking: Asking, request: AdmissionRequest) => Promise<RolloutPlan | null>
> = new Map([
  [PATHS.mutateCappSet, previewSet],
  [PATHS.mutateBundle, previewBundle],
]);

/** Puts the answer into the annotation; what asks for no plan is left alone. */
export function withPlan(
  result: Required<RuleResult>,
  { object }: AdmissionRequest,
  plan: string | null,
): Required<RuleResult> {
  if (plan === null) return result;
  const { patches } = result;
  return { ...result, patches: [...patches, ...annotate(applied(object, patches), PLAN, plan)] };
}

/** Others that may wait for the plan which is being made. */
const MOST_WAITING = 4;

export type Planner = (path: string, request: AdmissionRequest) => Promise<string | null>;

/**
 * The plan as JSON; null for all requests that ask for no plan. One is made at a time, since each lists what
 * a namespace has and whoever reaches the port may ask. Never throws: then there is no answer in its place.
 */
export function planner(kube: Asking['kube'], config: Asking['config']): Planner {
  let last: Promise<unknown> = Promise.resolve();
  let asked = 0;
  return async (path, request) => {
    const preview = PREVIEWS.get(path);
    if (preview === undefined || !asksForPlan(request)) return null;
    if (asked > MOST_WAITING)
      return failed('Others ask for plans at this moment. Ask again in a few seconds.');
    asked += 1;
    const signal = AbortSignal.timeout(WEBHOOK_TIMES.plan.ms);
    try {
      const making = last.then(() => {
        signal.throwIfAborted();
        return preview({ kube, config, signal }, request);
      });
      last = making.catch(() => undefined);
      const plan = await making;
      return plan === null ? null : JSON.stringify(plan);
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error));
    } finally {
      asked -= 1;
    }
  };
}

/**
 * The API server names the namespace of each of these kinds: without one, or with a text that is no
 * namespace's name and might lead a list elsewhere, nobody is asked but this port.
 */
function asksForPlan({ object, dryRun, namespace }: AdmissionRequest): boolean {
  return dryRun && isDnsLabel(namespace) && textAt(object, 'metadata', 'annotations', PLAN) !== '';
}

function failed(why: string): string {
  return JSON.stringify({ failed: why });
}
