// A Drain is named as the site that it empties.
import type { Draining, HubKnowledge } from '../known.ts';
import { at } from '../fields.ts';
import { listed, type Problem, type AdmissionRule } from '../rule.ts';
import { hasChanged, isControlPlane, type AdmissionRequest } from '../request.ts';

export const drain: AdmissionRule = (request, known) => {
  const misnamed = request.operation === 'CREATE' ? named(request, known) : [];
  const isExempt = misnamed.length > 0 || isControlPlane(request, known.namespace);
  const closed = isExempt ? [] : closedBeside(request, known);
  const isRefused = closesSite(request) && closed.length > 0;
  return {
    problems: [...misnamed, ...(isRefused ? [lastOpen(request, closed)] : [])],
    warnings: hasChanged(request, 'spec') ? [...warningsFor(request), ...refusedLater(request, closed)] : [],
  };
};

/** From this request on nothing new is placed on the site. */
export function closesSite({ object, oldObject }: Pick<AdmissionRequest, 'object' | 'oldObject'>): boolean {
  const isClosed = (drain: unknown): boolean => drain !== null && at(drain, 'spec', 'dryRun') !== true;
  return isClosed(object) && !isClosed(oldObject);
}

/**
 * All other sites, if each of them is being drained; none otherwise. A site that is the only one of its hub
 * may be drained: its Capps stay, and whoever has one site knows that there is no other. The hub worker may
 * always: a SIPCluster whose hosts are wiped leaves no site to keep open.
 */
function closedBeside({ name }: AdmissionRequest, known: HubKnowledge): readonly Draining[] {
  const others = known.sites().filter((site) => !site.isHub && site.isGoing !== true && site.name !== name);
  const draining = new Map(known.draining().map((one) => [one.site, one]));
  const closed = others.flatMap((site) => draining.get(site.name) ?? []);
  return closed.length < others.length ? [] : closed;
}

function lastOpen({ name }: AdmissionRequest, closed: readonly Draining[]): Problem {
  const message = `${drainedBeside(closed)}, so no Capp could leave "${name}" and no new one would find a site: delete one of these Drains first (kubectl delete drain ${closed[0]?.site ?? ''}), or only look, with spec.dryRun: true`;
  const isPassing = closed.some((one) => one.isPending === true) ? ({ isPassing: true } as const) : {};
  return { field: 'spec.dryRun', reason: 'FieldValueForbidden', message, fromCache: true, ...isPassing };
}

function drainedBeside(closed: readonly Draining[]): string {
  return `every other site is being drained (${listed(closed.map(({ site }) => site))})`;
}

function named({ name }: AdmissionRequest, known: HubKnowledge): Problem[] {
  const sites = known.sites();
  const found = sites.find((site) => site.name === name);
  if (found?.isHub === false) return [];
  const names = listed(sites.filter(({ isHub }) => !isHub).map((site) => site.name));
  const what = found === undefined ? 'is no site' : 'is the hub itself, which runs no Capps';
  const message = `"${name}" ${what}: name the Drain as the site that it empties. Sites: ${names}`;
  return [{ field: 'metadata.name', reason: 'FieldValueNotFound', message, fromCache: true }];
}

/** Whoever only looks learns that the drain itself would be refused. An API server cuts longer warnings. */
function refusedLater({ object }: AdmissionRequest, closed: readonly Draining[]): string[] {
  if (at(object, 'spec', 'dryRun') !== true || closed.length === 0) return [];
  return [
    `Without spec.dryRun this Drain is refused at present: ${drainedBeside(closed)}. Delete one of these Drains first.`,
  ];
}

function warningsFor({ object }: AdmissionRequest): string[] {
  const [width, perTarget] = ['width', 'perTarget'].map((name) => at(object, 'spec', name));
  if (typeof width !== 'number' || typeof perTarget !== 'number' || perTarget <= width) return [];
  return [
    `spec.perTarget ${perTarget} has no effect above spec.width ${width}: lower it, or raise spec.width.`,
  ];
}
