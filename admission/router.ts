// Which rules answer at which path, on a hub and on a site. The paths of Capps are the Go operators'.
import type { HubKnowledge, SiteKnown } from './known.ts';
import { grownTooLong, tooLong, withoutLong } from './longest.ts';
import { applied } from './patch.ts';
import type { RuleResult, AdmissionRule } from './rule.ts';
import { isTerminating, type AdmissionRequest } from './request.ts';
import { bundle } from './rules/bundle.ts';
import { defaultResources } from './rules/spec/default-resources.ts';
import { clearText } from './rules/spec/clear-text.ts';
import { clusterFacts } from './rules/cluster-facts.ts';
import { detach } from './rules/detach.ts';
import { forgedDrainWhileDeleting, forgedWhileDeleting } from './rules/metadata/forged.ts';
import { cappSet } from './rules/set/cappset.ts';
import { SET_AUTHORS } from './rules/set/authors.ts';
import { setRequests } from './rules/set/requests.ts';
import { drain } from './rules/drain.ts';
import { drainAuthors } from './rules/metadata/drain-authors.ts';
import { drainEnds } from './rules/metadata/drain-ends.ts';
import { finalizer } from './rules/metadata/finalizer.ts';
import { hostname, hostnameWhileDeleting } from './rules/spec/hostname.ts';
import { limits } from './rules/on-site/limits.ts';
import { siteHostname } from './rules/on-site/hostname.ts';
import { kafkaSources } from './rules/on-site/sources.ts';
import { ignoredFields } from './rules/spec/ignored-fields.ts';
import { lastUpdatedBy } from './rules/metadata/last-updated-by.ts';
import { hubNotes } from './rules/metadata/hub-notes.ts';
import { queries } from './rules/spec/queries.ts';
import { priority } from './rules/metadata/priority.ts';
import { rcsConfig } from './rules/rcs-config.ts';
import { references } from './rules/spec/references.ts';
import { requestedBy } from './rules/metadata/requested-by.ts';
import { requests } from './rules/metadata/requests.ts';
import { rollback } from './rules/metadata/rollback.ts';
import { reservedNamespace } from './rules/reserved-namespace.ts';
import { sipCluster } from './rules/sip-cluster.ts';
import { site } from './rules/spec/site.ts';
import { WORKLOAD } from './rules/spec/workload.ts';

export const PATHS = {
  mutateBundle: '/mutate-bundle',
  mutateCapp: '/mutate-capp',
  mutateCappRequest: '/mutate-capp-request',
  mutateCappSet: '/mutate-cappset',
  mutateDrain: '/mutate-drain',
  validateBundle: '/validate-bundle',
  validateCapp: '/validate-capp',
  validateCappSet: '/validate-cappset',
  validateDrain: '/validate-drain',
  validateRcsConfig: '/validate-rcsconfig',
  validateSipCluster: '/validate-sipcluster',
  validateManagedCluster: '/validate-managedcluster',
  validateClusterFacts: '/validate-cluster-facts',
} as const;

const RULES: ReadonlyMap<string, readonly AdmissionRule[]> = new Map<string, readonly AdmissionRule[]>([
  [PATHS.mutateCapp, [defaultResources, lastUpdatedBy, requestedBy, finalizer, rollback, hubNotes]],
  [PATHS.mutateCappRequest, [requestedBy]],
  [
    PATHS.validateCapp,
    [
      reservedNamespace,
      site,
      hostname,
      ...WORKLOAD,
      references,
      queries,
      requests,
      priority,
      ignoredFields,
      clearText,
    ],
  ],
  [PATHS.mutateBundle, SET_AUTHORS],
  [PATHS.validateBundle, [bundle, setRequests]],
  [PATHS.mutateCappSet, SET_AUTHORS],
  [PATHS.validateCappSet, [reservedNamespace, cappSet, setRequests]],
  [PATHS.mutateDrain, [drainAuthors, drainEnds]],
  [PATHS.validateDrain, [drain]],
  [PATHS.validateRcsConfig, [rcsConfig]],
  [PATHS.validateManagedCluster, [detach]],
  [PATHS.validateSipCluster, [sipCluster]],
  [PATHS.validateClusterFacts, [clusterFacts]],
]);

/**
 * The rules for an object that is being deleted: it may still be abandoned, and may not take another
 * hostname. No site changes its labels.
 */
const RULES_WHILE_DELETING: ReadonlyMap<string, readonly AdmissionRule[]> = new Map<
  string,
  readonly AdmissionRule[]
>([
  [PATHS.mutateCappRequest, [requestedBy]],
  [PATHS.mutateBundle, SET_AUTHORS],
  [PATHS.mutateCappSet, SET_AUTHORS],
  [PATHS.validateCapp, [hostnameWhileDeleting, forgedWhileDeleting]],
  [PATHS.validateDrain, [forgedDrainWhileDeleting]],
  [PATHS.validateClusterFacts, [clusterFacts]],
]);

/** What has no sense without a hub is missing: sites, placements, moves. */
const SITE_RULES: ReadonlyMap<string, readonly AdmissionRule<SiteKnown>[]> = new Map<
  string,
  readonly AdmissionRule<SiteKnown>[]
>([
  [PATHS.mutateCapp, [defaultResources, lastUpdatedBy, rollback]],
  [
    PATHS.validateCapp,
    [reservedNamespace, siteHostname, ...WORKLOAD, limits, kafkaSources, ignoredFields, clearText],
  ],
]);

/** The paths that the webhook of a site serves. */
export const SITE_PATHS: readonly string[] = [...SITE_RULES.keys()];

/** On a hub: the results of all rules of the path, or null if there is no such path. */
export function applyRules(
  path: string,
  request: AdmissionRequest,
  known: HubKnowledge,
): Required<RuleResult> | null {
  const rules = RULES.get(path);
  if (rules === undefined) return null;
  if (!isTerminating(request)) return results(rules, request, known);
  const grown = grownTooLong(request);
  if (grown !== null) return { problems: [grown], patches: [], warnings: [] };
  return inTurn(RULES_WHILE_DELETING.get(path) ?? [], request, known);
}

/** The same on a site. Nothing is asked of a Capp that is being deleted. */
export function applySiteRules(
  path: string,
  request: AdmissionRequest,
  known: SiteKnown,
): Required<RuleResult> | null {
  const rules = SITE_RULES.get(path);
  if (rules === undefined) return null;
  return isTerminating(request) ? inTurn([], request, known) : results(rules, request, known);
}

function results<K>(
  rules: readonly AdmissionRule<K>[],
  request: AdmissionRequest,
  known: K,
): Required<RuleResult> {
  const long = tooLong(request);
  if (long !== null) return { problems: [long], patches: [], warnings: [] };
  return inTurn(rules, withoutLong(request), known);
}

/**
 * Each rule sees what those before it have patched: two of them may add to what is not there yet, such as the
 * annotations of an object without any.
 */
function inTurn<K>(
  rules: readonly AdmissionRule<K>[],
  request: AdmissionRequest,
  known: K,
): Required<RuleResult> {
  const found: RuleResult[] = [];
  let { object } = request;
  for (const rule of rules) {
    const result = rule({ ...request, object }, known);
    found.push(result);
    object = applied(object, result.patches ?? []);
  }
  return {
    problems: found.flatMap(({ problems = [] }) => problems),
    patches: found.flatMap(({ patches = [] }) => patches),
    warnings: found.flatMap(({ warnings = [] }) => warnings),
  };
}
