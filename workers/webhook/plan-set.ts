// What would change if a CappSet were written.
import { at } from '../../admission/fields.ts';
import type { AdmissionRequest } from '../../admission/request.ts';
import { previewOf } from '../../activities/hub/set/preview.ts';
import { patternOf } from '../../activities/hub/set/revisions.ts';
import { CAPP, type Capp } from '../../crds/capp/capp.ts';
import { DRAIN } from '../../crds/drain/drain.ts';
import type { RolloutPlan } from '../../crds/rollout/plan.ts';
import { CappSetSpec, type CappSet } from '../../crds/set/cappset.ts';
import { forRevision } from '../../crds/rollout/revision.ts';
import { bySet, setOf, writtenOf } from '../../crds/set/child.ts';
import { revisionOf, type RevisionContent } from '../../crds/set/render.ts';
import { listed } from '../../kube/watch/listed.ts';
import { hubUidFor, listAll, readSpread, readsOf, type Asking } from './spread.ts';

/** Null for a set that cannot be read. Throws ApiError. */
export async function previewSet(asking: Asking, request: AdmissionRequest): Promise<RolloutPlan | null> {
  const { namespace, object, oldObject } = request;
  const set = { ...(object as CappSet), status: (oldObject as CappSet | null)?.status ?? {} };
  const [spread, capps, drains, hubUid] = await Promise.all([
    readSpread(asking),
    listAll<Capp>(asking, CAPP, namespace),
    listAll(asking, DRAIN),
    hubUidFor(asking),
  ]);
  const key = `${namespace}/${set.metadata.uid ?? ''}`;
  const children = capps.filter((capp) => setOf(capp) === key);
  const patterns = await patternsOf(asking, { set, before: at(oldObject, 'spec'), children });
  const caches = { ...spread, capps: listed(capps, { set: bySet }), drains: listed(drains as never[]) };
  const options = { caches, config: asking.config, hubUid };
  return previewOf(options, { set, children, patterns, signal: asking.signal }, Date.now());
}

/** The templates of the revisions that Capps have: the one that is being replaced is at hand. */
async function patternsOf(
  asking: Asking,
  {
    set,
    before,
    children,
  }: { readonly set: CappSet; readonly before: unknown; readonly children: readonly Capp[] },
): Promise<Map<string, RevisionContent>> {
  const parsed = [set.spec, before].flatMap((spec) => CappSetSpec.safeParse(spec).data ?? []);
  const known = new Map<string, RevisionContent>(parsed.map((spec) => [revisionOf(spec), spec]));
  const settled = set.status?.rollout?.settled ?? '';
  const needed = new Set([...children.map(({ metadata }) => writtenOf(metadata)?.revision ?? ''), settled]);
  for (const revision of needed) {
    if (revision === '' || forRevision(known, revision) !== undefined) continue;
    const kept = await patternOf(readsOf(asking), set, revision);
    if (kept !== null) known.set(revisionOf(kept), kept);
  }
  return known;
}
