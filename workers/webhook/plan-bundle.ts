// What would change if a Bundle were written. What its ConfigMaps, Secrets and ManifestWorks hold is not read for that.
import type { Request } from '../../admission/request.ts';
import { previewOf } from '../../activities/hub/bundle/preview.ts';
import type { Bundle, BundlePattern } from '../../crds/bundle/bundle.ts';
import {
  BUNDLE_REVISION_KIND,
  bundleRevisionNames,
  type BundleRevision,
} from '../../crds/bundle/bundle-revision.ts';
import type { RolloutPlan } from '../../crds/rollout/plan.ts';
import { hubUidFor, readSpread, type Asking } from './spread.ts';

/** Null for a Bundle that cannot be read. Throws ApiError, and an Error where the status does not tell enough. */
export async function previewBundle(asking: Asking, request: Request): Promise<RolloutPlan | null> {
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
async function patternsOf(
  { kube, signal }: Asking,
  { metadata: { namespace = '', name, uid }, status }: Bundle,
): Promise<Map<string, BundlePattern>> {
  const { rollout, revisions = [] } = status ?? {};
  const named = [
    rollout?.revision,
    rollout?.settled,
    ...(rollout?.halfway ?? []),
    ...revisions.map(({ revision }) => revision),
  ];
  const needed = new Set(named.filter((one): one is string => one !== undefined && one !== ''));
  const found = await Promise.all(
    [...needed].map(async (revision) => {
      for (const one of new Set(bundleRevisionNames(name, revision))) {
        const kept = await kube.get<BundleRevision>(
          BUNDLE_REVISION_KIND,
          { namespace, name: one },
          { signal },
        );
        const isOwn = kept?.metadata.ownerReferences?.some((owner) => owner.uid === uid) === true;
        if (kept !== null && isOwn) return [[revision, kept.spec.pattern] as const];
      }
      return [];
    }),
  );
  return new Map(found.flat());
}
