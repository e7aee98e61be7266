// What would change if a Bundle were written. What its ConfigMaps, Secrets and ManifestWorks hold is not read
// for that.
import type { AdmissionRequest } from '../../admission/request.ts';
import { previewOf } from '../../activities/hub/bundle/preview.ts';
import { keptPattern } from '../../activities/hub/bundle/revisions.ts';
import type { Bundle, BundlePattern } from '../../crds/bundle/bundle.ts';
import type { RolloutPlan } from '../../crds/rollout/plan.ts';
import { hubUidFor, readSpread, readsOf, type Asking } from './spread.ts';

/**
 * Null for a Bundle that cannot be read. Throws ApiError, and an Error where the status does not tell enough.
 */
export async function previewBundle(asking: Asking, request: AdmissionRequest): Promise<RolloutPlan | null> {
  const { object, oldObject } = request;
  const before = oldObject as Bundle | null;
  const bundle = { ...(object as Bundle), status: before?.status ?? {} };
  const [caches, hubUid, patterns] = await Promise.all([
    readSpread(asking),
    hubUidFor(asking),
    patternsOf(asking, bundle),
  ]);
  const rules = { caches, config: asking.config, hubUid };
  return previewOf(rules, { bundle, before, patterns }, Date.now());
}

/** Of the revisions that sites have or had: the newest first. */
async function patternsOf(asking: Asking, bundle: Bundle): Promise<Map<string, BundlePattern>> {
  const { rollout, revisions = [] } = bundle.status ?? {};
  const named = [
    rollout?.revision,
    rollout?.settled,
    ...(rollout?.halfway ?? []),
    ...revisions.map(({ revision }) => revision),
  ];
  const needed = new Set(named.filter((one): one is string => one !== undefined && one !== ''));
  const found = await Promise.all(
    [...needed].map(async (revision) => {
      const kept = await keptPattern(readsOf(asking), bundle, revision);
      return kept === null ? [] : [[revision, kept] as const];
    }),
  );
  return new Map(found.flat());
}
