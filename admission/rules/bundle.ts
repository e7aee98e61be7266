// A Bundle holds whole manifests, each once and not too many bytes of them; its rules are about manifests
// that it has; and only some namespaces may use the work agent's own rights, or send to any site.
import { checkedManifests } from '../../crds/bundle/manifests.ts';
import type { HubKnowledge } from '../known.ts';
import { at, listAt, textAt } from '../fields.ts';
import { placementWarnings } from './set/placements.ts';
import { strategyProblems } from './set/strategy.ts';
import { listed, type Problem, type Rule } from '../rule.ts';
import { hasChanged, type Request } from '../request.ts';

export const bundle: Rule = (request, known) => ({
  problems: [
    ...(hasChanged(request, 'spec', 'manifests') ? manifests(request) : []),
    ...(hasChanged(request, 'spec', 'executor') ? executor(request, known) : []),
    ...(hasChanged(request, 'spec', 'sites') ? sites(request, known) : []),
    ...(hasChanged(request, 'spec', 'strategy') ? strategyProblems(request) : []),
  ],
  warnings: hasChanged(request, 'spec')
    ? [
        ...warningsFor(request),
        ...placementWarnings(textAt(request.object, 'spec', 'placement'), request, known),
      ]
    : [],
});

function manifests({ object }: Request): Problem[] {
  const given = listAt(object, 'spec', 'manifests').map((value, index) => ({
    value,
    where: `spec.manifests[${index}]`,
  }));
  const checked = checkedManifests(given);
  if (!('reason' in checked)) return [];
  const { where, message } = checked;
  const reason = message.includes('leave one of them out') ? 'FieldValueDuplicate' : 'FieldValueInvalid';
  return [{ field: where ?? 'spec.manifests', reason, message, fromCache: false }];
}

function isUnrestricted({ namespace }: Request, { config }: HubKnowledge): boolean {
  return config?.bundles?.unrestricted?.includes(namespace) === true;
}

function executor(request: Request, known: HubKnowledge): Problem[] {
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

/** Only sites that the change adds are looked at, so that a Bundle with a site that is gone can be edited. */
function sites(request: Request, known: HubKnowledge): Problem[] {
  const before = listAt(request.oldObject, 'spec', 'sites', 'clusters');
  const all = known.sites();
  const isFree = isUnrestricted(request, known);
  const { configKey } = known;
  return listAt(request.object, 'spec', 'sites', 'clusters').flatMap((name, index): Problem[] => {
    if (before.includes(name)) return [];
    const site = all.find((one) => one.name === name);
    const field = `spec.sites.clusters[${index}]`;
    if (site === undefined) {
      const message = `"${String(name)}" is no site: name a managed cluster. Sites: ${listed(all.filter(({ isHub }) => !isHub).map((one) => one.name))}`;
      return [{ field, reason: 'FieldValueNotFound', message, fromCache: true }];
    }
    if (isFree || (site.mayPin && !site.isHub)) return [];
    const where = `RCSConfig ${configKey.namespace}/${configKey.name}`;
    const message = site.isHub
      ? `${site.name} is the hub itself: name a site, or have ${request.namespace} listed in spec.bundles.unrestricted of ${where}`
      : `${site.name} is not for Bundles of namespace ${request.namespace}: name a site in a clusterset of the placements of ${where}, or have an administrator of the hub allow all sites with pinning: Any there`;
    return [{ field, reason: 'FieldValueForbidden', message, fromCache: true }];
  });
}

/** A rule about a manifest that comes from a ConfigMap or a Secret cannot be checked here. */
function warningsFor({ object }: Request): string[] {
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
