// A Drain is named as the site that it empties.
import type { HubKnowledge } from '../known.ts';
import { at } from '../fields.ts';
import { listed, type Problem, type AdmissionRule } from '../rule.ts';
import { hasChanged, isControlPlane, type AdmissionRequest } from '../request.ts';

export const drain: AdmissionRule = (request, known) => {
  const misnamed = request.operation === 'CREATE' ? named(request, known) : [];
  const isExempt = misnamed.length > 0 || isControlPlane(request, known.namespace);
  const last = isExempt ? [] : lastOpen(request, known);
  return {
    problems: [...misnamed, ...(closesSite(request) ? last : [])],
    warnings: hasChanged(request, 'spec') ? [...warningsFor(request), ...refusedLater(request, last)] : [],
  };
};

/** From this request on nothing new is placed on the site. */
export function closesSite({ object, oldObject }: Pick<AdmissionRequest, 'object' | 'oldObject'>): boolean {
  const isClosed = (drain: unknown): boolean => drain !== null && at(drain, 'spec', 'dryRun') !== true;
  return isClosed(object) && !isClosed(oldObject);
}

/**
 * A site that is the only one of its hub may be drained: its Capps stay, and whoever has one site knows that
 * there is no other. The hub worker may always: a SIPCluster whose hosts are wiped leaves no site to keep
 * open.
 */
function lastOpen({ name }: AdmissionRequest, known: HubKnowledge): Problem[] {
  const others = known.sites().filter((site) => !site.isHub && site.isGoing !== true && site.name !== name);
  const draining = new Map(known.draining().map((one) => [one.site, one]));
  const closed = others.flatMap((site) => draining.get(site.name) ?? []);
  if (others.length === 0 || closed.length < others.length) return [];
  const message = `every other site is being drained (${listed(closed.map(({ site }) => site))}), so no Capp could leave "${name}" and no new one would find a site: delete one of these Drains first (kubectl delete drain ${closed[0]?.site ?? ''}), or only look, with spec.dryRun: true`;
  const isPassing = closed.some((one) => one.isPending === true) ? ({ isPassing: true } as const) : {};
  return [{ field: 'spec.dryRun', reason: 'FieldValueForbidden', message, fromCache: true, ...isPassing }];
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

/** Whoever only looks learns that the drain itself would be refused. */
function refusedLater({ object }: AdmissionRequest, last: readonly Problem[]): string[] {
  if (at(object, 'spec', 'dryRun') !== true) return [];
  return last.map(({ message }) => `Without spec.dryRun this Drain is refused at present: ${message}.`);
}

function warningsFor({ object }: AdmissionRequest): string[] {
  const [width, perTarget] = ['width', 'perTarget'].map((name) => at(object, 'spec', name));
  if (typeof width !== 'number' || typeof perTarget !== 'number' || perTarget <= width) return [];
  return [
    `spec.perTarget ${perTarget} has no effect above spec.width ${width}: lower it, or raise spec.width.`,
  ];
}
