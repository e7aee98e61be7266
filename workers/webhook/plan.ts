// Answers what would change if a CappSet or a Bundle were written, in a dry run that asks so: the API server has
// authorised it, and nothing is stored.
import { textAt } from '../../admission/fields.ts';
import { annotate, applied } from '../../admission/patch.ts';
import type { Request } from '../../admission/request.ts';
import type { RuleResult } from '../../admission/rule.ts';
import { PATHS } from '../../admission/router.ts';
import { WEBHOOK_TIMES } from '../../admission/times.ts';
import { PLAN } from '../../crds/labels.ts';
import type { RolloutPlan } from '../../crds/rollout/plan.ts';
import { previewBundle } from './plan-bundle.ts';
import { previewSet } from './plan-set.ts';
import type { Asking } from './spread.ts';

const PREVIEWS: ReadonlyMap<string, (asking: Asking, request: Request) => Promise<RolloutPlan | null>> =
  new Map([
    [PATHS.mutateCappSet, previewSet],
    [PATHS.mutateBundle, previewBundle],
  ]);

/** Puts the answer into the annotation; what asks for no plan is left alone. */
export function withPlan(
  result: Required<RuleResult>,
  { object }: Request,
  plan: string | null,
): Required<RuleResult> {
  if (plan === null) return result;
  const { patches } = result;
  return { ...result, patches: [...patches, ...annotate(applied(object, patches), PLAN, plan)] };
}

/** As JSON; null for all requests that ask for no plan. Never throws: then there is no answer in its place. */
export async function planFor(
  kube: Asking['kube'],
  config: Asking['config'],
  path: string,
  request: Request,
): Promise<string | null> {
  const { object, dryRun } = request;
  const preview = PREVIEWS.get(path);
  if (preview === undefined || !dryRun || textAt(object, 'metadata', 'annotations', PLAN) === '') return null;
  try {
    const signal = AbortSignal.timeout(WEBHOOK_TIMES.plan.ms);
    const plan = await preview({ kube, config, signal }, request);
    return plan === null ? null : JSON.stringify(plan);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return JSON.stringify({ failed: why });
  }
}
