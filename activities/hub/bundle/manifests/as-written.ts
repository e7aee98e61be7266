// Whether a work is still as it was written, and what makes it so again. Pure.
import { isDeepStrictEqual } from 'node:util';
import { BUNDLE_REVISION } from '../../../../crds/labels.ts';
import type { ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { isSameRevision } from '../../../../crds/rollout/revision.ts';
import { readWritten, writtenAs, type Written } from '../../../../crds/written.ts';
import { containsAll } from '../../../../kube/resource.ts';
import { isAhead } from '../../rollout/ahead.ts';
import { rulesOf } from './work-rules.ts';

/**
 * With the time at which the same was written, if it was, and not if that is yet to come. An earlier version
 * noted no rules, and that alone is no reason to write.
 */
export function asWrittenBefore(live: ManifestWork, wanted: ManifestWork): ManifestWork {
  const before = live.metadata.annotations?.[BUNDLE_REVISION];
  const [was, is] = [live, wanted].map(writtenIn) as [Written | null, Written | null];
  const isSame = was !== null && is !== null && isSameRevision(was.revision, is.revision);
  if (before === undefined || !isSame || was.content !== is.content) return wanted;
  if (isAhead(was.at, is.at)) return wanted;
  const kept = withNote(wanted, before);
  if (was.rules === is.rules || (was.rules === undefined && isAsWanted(live, kept))) return kept;
  const { rules = '' } = is;
  return withNote(wanted, writtenAs({ ...was, rules }));
}

export function writtenIn({ metadata }: ManifestWork): Written | null {
  return readWritten(metadata.annotations?.[BUNDLE_REVISION]);
}

function withNote(work: ManifestWork, note: string): ManifestWork {
  const annotations = { ...work.metadata.annotations, [BUNDLE_REVISION]: note };
  return { ...work, metadata: { ...work.metadata, annotations } };
}

/**
 * The work has the rules that it notes: with others somebody has changed it. An earlier version noted none,
 * and then nobody knows.
 */
export function isAsNoted(live: ManifestWork): boolean {
  const { rules = null } = writtenIn(live) ?? {};
  return rules === null || rules === rulesOf(live);
}

/** The work has all that is wanted, whatever it has beside: a server adds defaults, but not to manifests. */
export function isAsWanted(live: ManifestWork, wanted: ManifestWork): boolean {
  const { labels, annotations } = wanted.metadata;
  const { workload, manifestConfigs, deleteOption, executor } = wanted.spec ?? {};
  return (
    containsAll(live.metadata.labels, labels) &&
    containsAll(live.metadata.annotations, annotations) &&
    isDeepStrictEqual(live.spec?.workload, plain(workload)) &&
    containsAll(live.spec?.manifestConfigs, plain(manifestConfigs)) &&
    containsAll(live.spec?.deleteOption, plain(deleteOption)) &&
    (executor === undefined ? live.spec?.executor === undefined : containsAll(live.spec?.executor, executor))
  );
}

/**
 * A merge patch (RFC 7396) that turns one into the other: what only the first has is null in it, at every
 * depth.
 */
export function replacing(live: unknown, wanted: unknown): unknown {
  const [is, to] = [live, plain(wanted)];
  if (!isMap(is) || !isMap(to)) return to;
  const gone = Object.keys(is).filter((key) => !(key in to));
  const kept = Object.entries(to).map(([key, value]) => [key, replacing(is[key], value)] as const);
  return { ...Object.fromEntries(gone.map((key) => [key, null])), ...Object.fromEntries(kept) };
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}
