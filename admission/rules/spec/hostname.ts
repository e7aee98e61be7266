// A hostname is fully qualified, outside of the clusters' own domain, not forbidden, and not taken. DNS is
// not asked.
import { canonicalHostname, isFullyQualified } from '../../../crds/capp/hostname.ts';
import { targetOver } from '../../../crds/hub/dns-targets.ts';
import { closedDomain, closedMessage } from '../../../crds/hub/domains.ts';
import { comparedName } from '../../../crds/capp/route-name.ts';
import type { Common, HubKnowledge } from '../../known.ts';
import { textAt } from '../../fields.ts';
import { setOfObject } from '../../set-of.ts';
import { listed, type Problem, type AdmissionRule } from '../../rule.ts';
import { faultIn, patternsOf, type HostnamePattern } from '../../patterns.ts';
import { hasChanged, type AdmissionRequest } from '../../request.ts';

const PATH = ['spec', 'routeSpec', 'hostname'] as const;

export const hostname: AdmissionRule = (request, known) => {
  const wanted = textAt(request.object, ...PATH);
  if (wanted === '' || !hasChanged(request, ...PATH)) return {};
  const patterns = patternsOf(known.config?.invalidHostnamePatterns ?? []);
  const whole = comparedName(wanted, known.config?.dns?.zone);
  const spellings = [...new Set([whole, canonicalHostname(wanted)])];
  return {
    problems: [
      ...spelled(wanted),
      ...first(spellings, (name) => inside(name, known)),
      ...first(spellings, (name) => reserved(name, known)),
      ...infrastructure(whole, known),
      ...closed(whole, request, known),
      ...first([wanted, ...spellings], (name) => forbidden(name, patterns, known)),
      ...heldByAnother(whole, request, known),
    ],
    warnings: patterns.flatMap((pattern) => unreadable(pattern, known)),
  };
};

/** The problems of the first spelling that has any: all of them lead to one name. */
function first(spellings: readonly string[], problemsOf: (name: string) => Problem[]): Problem[] {
  return spellings.map(problemsOf).find((found) => found.length > 0) ?? [];
}

/** A Capp that is being deleted takes no new hostname, however long its deletion lasts. */
export const hostnameWhileDeleting: AdmissionRule<Common> = (request) => {
  const wanted = textAt(request.object, ...PATH);
  if (wanted === '' || !hasChanged(request, ...PATH)) return {};
  const message = `the Capp is being deleted, so its hostname cannot change: leave it as it was, or create another Capp once this one is gone`;
  return { problems: [problem('FieldValueForbidden', message, false)] };
};

export function problem(reason: Problem['reason'], message: string, fromCache: boolean): Problem {
  return { field: PATH.join('.'), reason, message, fromCache };
}

function spelled(wanted: string): Problem[] {
  if (isFullyQualified(wanted)) return [];
  const remedy =
    'use at least two labels of at most 63 lower-case letters, digits and "-", such as app.example.com';
  const message = `"${wanted}" is not a fully qualified domain name: ${remedy}`;
  return [problem('FieldValueInvalid', message, false)];
}

/** Takes a hostname in its canonical spelling. */
export function inside(name: string, { clusterDomain }: Common): Problem[] {
  if (!name.endsWith(`.${clusterDomain}`)) return [];
  const message = `"${name}" is in ${clusterDomain}, the clusters' own domain: use another hostname`;
  return [problem('FieldValueInvalid', message, false)];
}

/** Sites give every Capp a name there, so a chosen one could be another Capp's. */
function reserved(name: string, { config, configKey }: HubKnowledge): Problem[] {
  const domain = config?.reservedDomains?.find((one) => name === one || name.endsWith(`.${one}`));
  if (domain === undefined) return [];
  const where = `RCSConfig ${configKey.namespace}/${configKey.name} reserves for the sites' own names`;
  return [problem('FieldValueForbidden', `"${name}" is in ${domain}, which ${where}: use another`, true)];
}

/** Another tenant's domain. */
function closed(
  name: string,
  { namespace }: AdmissionRequest,
  { config, configKey }: HubKnowledge,
): Problem[] {
  const domain = closedDomain(namespace, name, config?.domains);
  if (domain === undefined) return [];
  return [
    problem('FieldValueForbidden', closedMessage({ name, domain, namespace, config: configKey }), true),
  ];
}

/** A record there would take the name of what the sites themselves answer by. */
function infrastructure(name: string, { config, configKey }: HubKnowledge): Problem[] {
  const dns = config?.dns;
  const target = dns === undefined ? undefined : targetOver(name, dns);
  if (target === undefined) return [];
  const where = `RCSConfig ${configKey.namespace}/${configKey.name}`;
  const message = `"${name}" is ${target}, to which records lead by dns.allowedTargets of ${where}: use another`;
  return [problem('FieldValueForbidden', message, true)];
}

function forbidden(
  wanted: string,
  patterns: readonly HostnamePattern[],
  { configKey }: HubKnowledge,
): Problem[] {
  const hits = patterns
    .filter((pattern) => 'matches' in pattern && pattern.matches(wanted))
    .map(({ text }) => text);
  if (hits.length === 0) return [];
  const message = `"${wanted}" matches ${listed(hits)}, which RCSConfig ${configKey.namespace}/${configKey.name} forbids: use another`;
  return [problem('FieldValueInvalid', message, true)];
}

/**
 * Takes a hostname as `Common.holders` knows them: first those that a cache shows. Capps of one set may share
 * a hostname.
 */
export function heldByAnother(wanted: string, request: AdmissionRequest, known: Common): Problem[] {
  const { namespace, name, object } = request;
  const set = setOfObject(namespace, object);
  const other = known
    .holders(wanted)
    .find(
      (holder) =>
        (holder.namespace !== namespace || holder.name !== name) && (set === null || holder.set !== set),
    );
  if (other === undefined) return [];
  const remedy = other.deleting
    ? 'which is being deleted: retry once it is gone'
    : 'use another, or remove it from that Capp first';
  const message = `"${wanted}" is taken by Capp ${other.namespace}/${other.name}: ${remedy}`;
  const found = problem('FieldValueDuplicate', message, true);
  return [other.isPending === true ? { ...found, isPassing: true } : found];
}

/** It was stored while no webhook ran. Refusing every hostname until it is corrected would be worse. */
function unreadable(pattern: HostnamePattern, { configKey }: HubKnowledge): string[] {
  if (!('error' in pattern)) return [];
  const where = `RCSConfig ${configKey.namespace}/${configKey.name}`;
  return [`${where} has an invalid hostname pattern, which is ignored: ${faultIn(pattern)}.`];
}
