// What has happened to a CappSet or a Bundle, newest first, from its revisions, its status and its events.
// Pure.
import type { Bundle } from '../../../crds/bundle/bundle.ts';
import type { BundleRevision } from '../../../crds/bundle/bundle-revision.ts';
import { bundleDifferences } from '../../../crds/bundle/differences.ts';
import { LAST_UPDATED_BY } from '../../../crds/labels.ts';
import { isSameRevision, shownRevision } from '../../../crds/rollout/revision.ts';
import type { RolloutFields } from '../../../crds/rollout/status.ts';
import type { CappSet } from '../../../crds/set/cappset.ts';
import type { SetRevision } from '../../../crds/set/set-revision.ts';
import { changesBetween, inWords } from '../changes.ts';
import { fromEvent, type ShownEvent, type PastHappening } from '../capp/history.ts';

/** `revisions` newest first. */
export function setHistoryOf(
  set: CappSet,
  events: readonly ShownEvent[],
  revisions: readonly SetRevision[],
): PastHappening[] {
  const changes = (before: SetRevision, after: SetRevision): string[] =>
    changesBetween(patternOf(before), patternOf(after));
  return historyOf({ is: 'CappSet', object: set, events }, stepsOf(revisions, changes));
}

/** `revisions` newest first. No value of a manifest is told. */
export function bundleHistoryOf(
  bundle: Bundle,
  events: readonly ShownEvent[],
  revisions: readonly BundleRevision[],
): PastHappening[] {
  const changes = (before: BundleRevision, after: BundleRevision): string[] =>
    bundleDifferences(before.spec.pattern, after.spec.pattern).map(withoutValue);
  return historyOf({ is: 'Bundle', object: bundle, events }, stepsOf(revisions, changes));
}

/** `a.b: 1 → 2` and `a.b: changed` are a.b; what was added or taken out is called so. */
function withoutValue(line: string): string {
  const [, path = line, how = ''] = /^(.+?): (.*)$/.exec(line) ?? [];
  return how === 'added' || how === 'taken out' ? `${path} ${how}` : path;
}

interface Past {
  readonly is: 'CappSet' | 'Bundle';
  readonly object: CappSet | Bundle;
  readonly events: readonly ShownEvent[];
}

/** A revision that was begun. */
interface Step {
  readonly metadata: SetRevision['metadata'];
  readonly revision: string;
  /** In words; empty for the first. */
  readonly changes: string;
}

function stepsOf<T extends SetRevision | BundleRevision>(
  revisions: readonly T[],
  changes: (before: T, after: T) => string[],
): Step[] {
  return revisions.map((one, index) => {
    const before = revisions[index + 1];
    const { metadata, spec } = one;
    const said = before === undefined ? '' : inWords(changes(before, one));
    return { metadata, revision: spec.revision, changes: said };
  });
}

function historyOf({ is, object, events }: Past, steps: readonly Step[]): PastHappening[] {
  const { creationTimestamp: made } = object.metadata;
  const all = [
    ...steps.flatMap((step) => fromStep(object.status, step)),
    ...requests(object.status),
    ...events.flatMap(fromEvent),
    ...(made === undefined
      ? []
      : [{ at: made, what: 'created', reason: '', text: `Somebody created the ${is}` } as const]),
  ];
  return all.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

function fromStep(status: RolloutFields | undefined, { metadata, revision, changes }: Step): PastHappening[] {
  const { creationTimestamp: at, annotations = {} } = metadata;
  if (at === undefined) return [];
  const by = annotations[LAST_UPDATED_BY];
  const who = by === undefined ? '' : `, written by ${by}`;
  const { rollout } = status ?? {};
  const place = isSameRevision(revision, rollout?.settled ?? '')
    ? ' It is settled.'
    : isSameRevision(revision, rollout?.revision ?? '')
      ? ' It is under way.'
      : '';
  const text = `Revision ${shownRevision(revision)} was begun${who}${changes === '' ? '' : `: ${changes}`}.${place}`;
  return [{ at, what: 'revision', reason: revision, text }];
}

function patternOf({ spec: { template, overrides } }: SetRevision): object {
  return { template, overrides };
}

const WHAT: Readonly<Record<string, string>> = {
  approve: 'approved a stage',
  abort: 'aborted the rollout',
  retry: 'asked for a retry',
  removal: 'allowed removals',
};

/** Requests that counted. Those of a hub of an earlier version have no time. */
function requests(status: RolloutFields | undefined): PastHappening[] {
  return (status?.asked ?? []).flatMap(({ what, request, by = 'Somebody', at }): PastHappening[] =>
    at === undefined
      ? []
      : [{ at, what: 'request', reason: what, text: `${by} ${WHAT[what] ?? `asked: ${what}`} (${request})` }],
  );
}
