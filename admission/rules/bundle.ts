// A Bundle holds whole manifests, each once and not too many bytes of them; its rules are about manifests
// that it has; and only some namespaces may use the work agent's own rights, send to any site, or have
// Secrets in it where those are sealed.
import { MOST_CLUSTERS } from '../../crds/bundle/bundle.ts';
import { checkedManifests, inlineGiven } from '../../crds/bundle/manifests.ts';
import type { HubKnowledge, KnownSite } from '../known.ts';
import { at, listAt, textAt } from '../fields.ts';
import { checksTooLarge } from './bundle-checks.ts';
import { heldBackWarnings, newSecrets } from './bundle-secrets.ts';
import { addedSites, placementWarnings } from './set/placements.ts';
import { strategyProblems } from './set/strategy.ts';
import { listed, type Problem, type AdmissionRule } from '../rule.ts';
import { hasChanged, type AdmissionRequest } from '../request.ts';

/** The first of them are enough to see what is wrong. */
const MOST_PROBLEMS = 5;
const CLUSTERS = 'spec.sites.clusters';

export const bundle: AdmissionRule = (request, known) => ({
  problems: [
    ...(hasChanged(request, 'spec', 'manifests') ? manifests(request) : []),
    ...(hasChanged(request, 'spec') ? newSecrets(request, known).slice(0, MOST_PROBLEMS) : []),
    ...(hasChanged(request, 'spec', 'executor') ? executor(request, known) : []),
    ...(hasChanged(request, 'spec', 'sites') ? sites(request, known) : []),
    ...(hasChanged(request, 'spec', 'strategy')
      ? [...strategyProblems(request), ...checksTooLarge(request).slice(0, MOST_PROBLEMS)]
      : []),
  ],
  warnings: hasChanged(request, 'spec')
    ? [
        ...warningsFor(request),
        ...heldBackWarnings(request, known),
        ...placementWarnings(textAt(request.object, 'spec', 'placement'), request, known),
      ]
    : [],
});

function manifests({ object }: AdmissionRequest): Problem[] {
  const checked = checkedManifests(inlineGiven(listAt(object, 'spec', 'manifests')));
  if (!('reason' in checked)) return [];
  const { where, message, isDuplicate = false } = checked;
  const reason = isDuplicate ? 'FieldValueDuplicate' : 'FieldValueInvalid';
  return [{ field: where ?? 'spec.manifests', reason, message, fromCache: false }];
}

function isUnrestricted({ namespace }: AdmissionRequest, { config }: HubKnowledge): boolean {
  return config?.bundles?.unrestricted?.includes(namespace) === true;
}

function executor(request: AdmissionRequest, known: HubKnowledge): Problem[] {
  if (textAt(request.object, 'spec', 'executor') !== 'WorkAgent' || isUnrestricted(request, known)) return [];
  const { namespace, name } = known.configKey;
  return [
    {
      field: 'spec.executor',
      reason: 'FieldValueForbidden',
      message: `WorkAgent is not for namespace ${request.namespace}: leave the field out, or have ${request.namespace} listed in spec.bundles.unrestricted of RCSConfig ${namespace}/${name}`,
      fromCache: true,
    },
  ];
}

function sites(request: AdmissionRequest, known: HubKnowledge): Problem[] {
  const wanted = listAt(request.object, 'spec', 'sites', 'clusters');
  // The schema says so as well, and whoever reaches this port has not come by it.
  if (wanted.length > MOST_CLUSTERS) return [tooMany(wanted.length)];
  const all = new Map<unknown, KnownSite>(known.sites().map((site) => [site.name, site]));
  const problems: Problem[] = [];
  for (const { name, field } of addedSites(request)) {
    if (problems.length === MOST_PROBLEMS) break;
    const found = ofSite(name, all, request, known);
    if (found !== null) problems.push({ field, ...found, fromCache: true });
  }
  return problems;
}

function tooMany(count: number): Problem {
  const message = `names ${count} sites, more than the ${MOST_CLUSTERS} that a Bundle may have: make several Bundles, or let a Placement select them`;
  return { field: CLUSTERS, reason: 'FieldValueInvalid', message, fromCache: false };
}

function ofSite(
  name: unknown,
  all: ReadonlyMap<unknown, KnownSite>,
  request: AdmissionRequest,
  known: HubKnowledge,
): Pick<Problem, 'reason' | 'message'> | null {
  const site = all.get(name);
  if (site === undefined) {
    const names = [...all.values()].flatMap((one) => (one.isHub ? [] : [one.name]));
    const message = `"${String(name)}" is no site: name a managed cluster. Sites: ${listed(names)}`;
    return { reason: 'FieldValueNotFound', message };
  }
  if (isUnrestricted(request, known) || (site.mayPin && !site.isHub)) return null;
  const where = `RCSConfig ${known.configKey.namespace}/${known.configKey.name}`;
  const message = site.isHub
    ? `${site.name} is the hub itself: name a site, or have ${request.namespace} listed in spec.bundles.unrestricted of ${where}`
    : `${site.name} is not for Bundles of namespace ${request.namespace}: name a site in a clusterset of the placements of ${where}, or have an administrator of the hub allow all sites with pinning: Any there`;
  return { reason: 'FieldValueForbidden', message };
}

/** A rule about a manifest that comes from a ConfigMap or a Secret cannot be checked here. */
function warningsFor({ object }: AdmissionRequest): string[] {
  if (listAt(object, 'spec', 'manifestsFrom').length > 0) return [];
  const texts = new Set(
    listAt(object, 'spec', 'manifests').map((one) =>
      [textAt(one, 'kind'), textAt(one, 'metadata', 'namespace'), textAt(one, 'metadata', 'name')].join('/'),
    ),
  );
  return listAt(object, 'spec', 'ready').flatMap((rule, index) => {
    const [kind, namespace, name] = [textAt(rule, 'kind'), textAt(rule, 'namespace'), textAt(rule, 'name')];
    if (at(rule, 'when') === undefined || texts.has([kind, namespace, name].join('/'))) return [];
    return [
      `spec.ready[${index}] is about ${kind} ${namespace === '' ? name : `${namespace}/${name}`}, which the Bundle does not have, so it has no effect: correct its kind, name or namespace.`,
    ];
  });
}
