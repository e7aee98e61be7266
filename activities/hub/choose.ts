// Gathers from the caches what a choice rests on, and lets the pure parts choose a site, or look whether the present one should be left.
import type { Capp } from '../../crds/capp.ts';
import { review } from '../../workflows/decide/review.ts';
import { select, type Field } from '../../workflows/decide/select.ts';
import type { Ask, Choice, FoundWork, Hub } from '../../workflows/ports.ts';
import type { CappRef } from '../../workflows/state.ts';
import { cappIndexKey } from './caches.ts';
import { caughtUp } from './caught-up.ts';
import { fieldFor, type ChooseOptions } from './field.ts';
import { pending, type Pending } from './pending.ts';
import { memoryOf, priorityOf, requestOf, rulesOf } from './standing.ts';

export function hubChoose(options: ChooseOptions): Pick<Hub, 'choose'> {
  const waiting = pending();
  return { choose: (ref, ask) => choose(options, waiting, ref, ask) };
}

async function choose(options: ChooseOptions, waiting: Pending, ref: CappRef, ask: Ask): Promise<Choice> {
  const { caches } = options;
  if (!(await caughtUp(caches, ask.marks))) return { outcome: 'Behind' };
  const capp = caches.capps.get({ namespace: ref.namespace, name: ref.name });
  if (capp === undefined || capp.metadata.deletionTimestamp !== undefined) return { outcome: 'Absent' };
  const key = cappIndexKey(ref.namespace, ref.name);
  const field = fieldFor(options, waiting, { capp, works: caches.works.by('capp', key), ask });
  const now = Date.now();
  const choice =
    ask.standing === null || ask.present === null
      ? place(field, capp, now)
      : look({ ...field, present: ask.present }, ask.standing, capp, now);
  const cluster = choice.outcome === 'Chosen' ? choice.cluster : choice.outcome === 'Leaves' ? choice.to : null;
  if (cluster !== null) waiting.note(key, cluster, now);
  return choice;
}

/** The first site of a Capp, or the one where its work is found. */
function place(field: Field, capp: Capp, now: number): Choice {
  const works: FoundWork[] = Object.entries(field.works).map(([cluster, { leaving }]) => ({ cluster, leaving }));
  const { generation = 0 } = capp.metadata;
  const selection = select(field, now);
  const { message, record } = selection;
  if (selection.cluster === null) return { outcome: 'None', reason: selection.reason, message, generation, record, works };
  const { cluster, pinned } = selection;
  const memory = field.works[cluster] === undefined ? null : memoryOf(capp);
  return { outcome: 'Chosen', cluster, pinned, message, generation, record, works, site: field.site, memory };
}

function look(field: Field & { readonly present: string }, standing: NonNullable<Ask['standing']>, capp: Capp, now: number): Choice {
  const request = standing.request ?? requestOf(capp, standing.annotated);
  const reviewed = review(field, { ...standing, request }, rulesOf(capp.spec.migration), now);
  const { generation = 0 } = capp.metadata;
  const known = { generation, site: field.site, handled: reviewed.handled, troubled: troubledOf(field) };
  if (!reviewed.goes) return { outcome: 'Stays', reason: reviewed.reason, message: reviewed.message, ...known };
  const { reason, message, to, pinned, record, terms } = reviewed;
  return { outcome: 'Leaves', reason, message, to, pinned, record, terms, request: reviewed.request, priority: priorityOf(capp), ...known };
}

/** Where the Capp has a work and nothing can be expected of it. */
function troubledOf({ works, clusters, present }: Field): string[] {
  const names = new Set([...Object.keys(works), ...(present === null ? [] : [present])]);
  return [...names].filter((name) => clusters[name]?.deleting !== false || !clusters[name].reachable).toSorted();
}
