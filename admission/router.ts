// Which rules answer at which path. The first two paths are the Go operator's.
import type { Known } from './known.ts';
import type { RuleResult, Rule } from './rule.ts';
import { isTerminating, type Request } from './request.ts';
import { defaultResources } from './rules/spec/default-resources.ts';
import { detach } from './rules/detach.ts';
import { drain } from './rules/drain.ts';
import { drainAuthors } from './rules/metadata/drain-authors.ts';
import { finalizer } from './rules/metadata/finalizer.ts';
import { hostname, hostnameWhileDeleting } from './rules/spec/hostname.ts';
import { ignoredFields } from './rules/spec/ignored-fields.ts';
import { lastUpdatedBy } from './rules/metadata/last-updated-by.ts';
import { priority } from './rules/metadata/priority.ts';
import { rcsConfig } from './rules/rcs-config.ts';
import { references } from './rules/spec/references.ts';
import { requestedBy } from './rules/metadata/requested-by.ts';
import { requests } from './rules/metadata/requests.ts';
import { rollback } from './rules/metadata/rollback.ts';
import { reservedNamespace } from './rules/reserved-namespace.ts';
import { resources } from './rules/spec/resources.ts';
import { site } from './rules/spec/site.ts';

export const PATHS = {
  mutateCapp: '/mutate-capp',
  mutateCappRequest: '/mutate-capp-request',
  mutateDrain: '/mutate-drain',
  validateCapp: '/validate-capp',
  validateDrain: '/validate-drain',
  validateRcsConfig: '/validate-rcsconfig',
  validateManagedCluster: '/validate-managedcluster',
} as const;

const RULES: ReadonlyMap<string, readonly Rule[]> = new Map<string, readonly Rule[]>([
  [PATHS.mutateCapp, [defaultResources, lastUpdatedBy, requestedBy, finalizer, rollback]],
  [PATHS.mutateCappRequest, [requestedBy]],
  [
    PATHS.validateCapp,
    [reservedNamespace, site, hostname, resources, references, requests, priority, ignoredFields],
  ],
  [PATHS.mutateDrain, [drainAuthors]],
  [PATHS.validateDrain, [drain]],
  [PATHS.validateRcsConfig, [rcsConfig]],
  [PATHS.validateManagedCluster, [detach]],
]);

/**
 * The rules for an object that is being deleted: it may still be abandoned, and may not take another
 * hostname.
 */
const RULES_WHILE_DELETING: ReadonlyMap<string, readonly Rule[]> = new Map<string, readonly Rule[]>([
  [PATHS.mutateCappRequest, [requestedBy]],
  [PATHS.validateCapp, [hostnameWhileDeleting]],
]);

/** The results of all rules of the path, or null if there is no such path. */
export function applyRules(path: string, request: Request, known: Known): Required<RuleResult> | null {
  const rules = RULES.get(path);
  if (rules === undefined) return null;
  const asked = isTerminating(request) ? (RULES_WHILE_DELETING.get(path) ?? []) : rules;
  const results = asked.map((rule) => rule(request, known));
  return {
    problems: results.flatMap(({ problems = [] }) => problems),
    patches: results.flatMap(({ patches = [] }) => patches),
    warnings: results.flatMap(({ warnings = [] }) => warnings),
  };
}
