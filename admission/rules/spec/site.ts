// `spec.site` names a site or a placement that exists.
import type { HubKnowledge } from '../../known.ts';
import { textAt } from '../../fields.ts';
import { listed, type RuleResult, type Problem, type AdmissionRule } from '../../rule.ts';
import { hasChanged } from '../../request.ts';

export const site: AdmissionRule = (request, known) => {
  if (request.operation !== 'CREATE' && !hasChanged(request, 'spec', 'site')) return {};
  const wanted = textAt(request.object, 'spec', 'site');
  if (wanted === '')
    return known.config === null
      ? { warnings: [`${noConfig(known)}: the Capp waits until there is one.`] }
      : {};
  const placements = known.config?.placements ?? [];
  if (placements.includes(wanted)) return placementWarning(known, wanted);
  return refusal(known, wanted);
};

function placementWarning(known: HubKnowledge, placement: string): RuleResult {
  const namespace = known.config?.placementsNamespace ?? '';
  if (known.hasPlacement(namespace, placement)) return {};
  return {
    warnings: [`There is no Placement ${namespace}/${placement} yet: the Capp waits until it exists.`],
  };
}

function refusal(known: HubKnowledge, wanted: string): RuleResult {
  const sites = known.sites();
  const found = sites.find(({ name }) => name === wanted);
  if (found?.isHub === false && found.mayPin) return {};
  if (found?.isHub === false && !found.mayPin)
    return { problems: [{ field: 'spec.site', ...pinRefused(known, wanted), fromCache: true }] };
  const names = listed(sites.filter(({ isHub }) => !isHub).map(({ name }) => name));
  const placements =
    known.config === null
      ? `${noConfig(known)}, so no placement either`
      : `placements: ${listed(known.config.placements)}`;
  const message =
    found === undefined
      ? `"${wanted}" is neither a site nor a placement. Name one of them, or leave it empty for the best site. Sites: ${names}; ${placements}`
      : `"${wanted}" is the hub itself, where a Capp would be its own copy. Name a site (${names}), or leave it empty for the best one`;
  return { problems: [{ field: 'spec.site', reason: 'FieldValueNotFound', message, fromCache: true }] };
}

/** The problem with a site that exists and to which no Capp may be pinned. */
export function pinRefused(known: HubKnowledge, site: string): Pick<Problem, 'reason' | 'message'> {
  if (known.config === null)
    return {
      reason: 'FieldValueForbidden',
      message: `${noConfig(known)}, which says to which sites Capps may be pinned: ask an administrator of the hub for one, or leave the site out`,
    };
  const { namespace, name } = known.configKey;
  const open = known.sites().filter(({ isHub, mayPin }) => mayPin && !isHub);
  const remedy = `name a site that is (${listed(open.map((one) => one.name))}), or let a placement choose`;
  const message = `"${site}" is in no clusterset of the placements, so a Capp cannot be pinned to it: ${remedy}; an administrator of the hub may allow all sites with pinning: Any in RCSConfig ${namespace}/${name}`;
  return { reason: 'FieldValueForbidden', message };
}

function noConfig({ configKey }: HubKnowledge): string {
  return `There is no RCSConfig ${configKey.namespace}/${configKey.name}`;
}
