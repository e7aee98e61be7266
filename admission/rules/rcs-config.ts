// An RCSConfig has valid patterns and networks, and defaults that do not contradict each other.
import type { HubKnowledge } from '../known.ts';
import { at, listAt, textAt, amount } from '../fields.ts';
import type { Problem, AdmissionRule } from '../rule.ts';
import { faultIn, pattern } from '../patterns.ts';
import { hasChanged, type AdmissionRequest } from '../request.ts';
import { LONGEST_PATTERN, MOST_PATTERNS } from '../../crds/hub/rcs-config.ts';
import { isNetwork } from '../../crds/notify/network.ts';

const PATTERNS = ['spec', 'invalidHostnamePatterns'] as const;
const DEFAULTS = ['spec', 'defaultResources'] as const;
const HOSTS = ['spec', 'notifications', 'hosts'] as const;
/** Finding where a pattern is wrong takes time, so only the first few are named. */
const SHOWN = 5;

export const rcsConfig: AdmissionRule = (request, known) => ({
  problems: [
    ...(hasChanged(request, ...PATTERNS) ? unreadable(request.object) : []),
    ...(hasChanged(request, ...DEFAULTS) ? contradicting(request.object) : []),
    ...(hasChanged(request, ...HOSTS) ? unopened(request.object) : []),
  ],
  warnings: hasChanged(request, 'spec') ? warningsFor(request, known) : [],
});

function unreadable(object: unknown): Problem[] {
  const texts = listAt(object, ...PATTERNS);
  const field = PATTERNS.join('.');
  // The schema says so as well, and whoever reaches this port has not come by it.
  if (texts.length > MOST_PATTERNS || texts.some((text) => String(text).length > LONGEST_PATTERN)) {
    const message = `may have ${MOST_PATTERNS} patterns of ${LONGEST_PATTERN} characters at most: write fewer or shorter ones`;
    return [{ field, reason: 'FieldValueInvalid', message, fromCache: false }];
  }
  const problems: Problem[] = [];
  for (const [index, text] of texts.entries()) {
    const read = pattern(String(text));
    if (!('error' in read)) continue;
    const message = `${faultIn(read)} of "${read.text}": it must be a regular expression in Go's syntax (RE2)`;
    problems.push({
      field: `${field}[${index}]`,
      reason: 'FieldValueInvalid',
      message,
      fromCache: false,
    });
    if (problems.length === SHOWN) break;
  }
  return problems;
}

function contradicting(object: unknown): Problem[] {
  return ['cpu', 'memory'].flatMap((name) => {
    const request = at(object, ...DEFAULTS, 'requests', name);
    const limit = at(object, ...DEFAULTS, 'limits', name);
    if (!(amount(request) > amount(limit))) return [];
    const field = `${DEFAULTS.join('.')}.requests.${name}`;
    const message = `${String(request)} is above the limit of ${String(limit)}, so no container can start: lower it, or raise the limit`;
    return [{ field, reason: 'FieldValueInvalid' as const, message, fromCache: false }];
  });
}

/** A network that cannot be read would open nothing, and nobody would know why. */
function unopened(object: unknown): Problem[] {
  return listAt(object, ...HOSTS).flatMap((host, index) =>
    listAt(host, 'privateAddresses').flatMap((network, position) => {
      if (isNetwork(String(network))) return [];
      const field = `${HOSTS.join('.')}[${index}].privateAddresses[${position}]`;
      const message = `"${String(network)}" is no network: write an address, a slash and the number of its bits, such as 10.20.0.0/16 or 10.20.3.4/32`;
      return [{ field, reason: 'FieldValueInvalid' as const, message, fromCache: false }];
    }),
  );
}

function warningsFor(
  { object, namespace, name }: AdmissionRequest,
  { configKey, hasPlacement }: HubKnowledge,
): string[] {
  const isRead = namespace === configKey.namespace && name === configKey.name;
  if (!isRead)
    return [`Only RCSConfig ${configKey.namespace}/${configKey.name} is read: this one has no effect.`];
  const where = textAt(object, 'spec', 'placementsNamespace');
  const isEscaped =
    listAt(object, 'spec', 'domains').length > 0 && textAt(object, 'spec', 'dns', 'zone') === '';
  const unseen = listAt(object, 'spec', 'placements')
    .map(String)
    .filter((placement) => !hasPlacement(where, placement))
    .map(
      (placement) =>
        `There is no Placement ${where}/${placement} yet: no Capp is placed by it until it exists.`,
    );
  return isEscaped ? [...unseen, ESCAPED] : unseen;
}

const ESCAPED =
  'spec.domains compares hostnames as they are written while spec.dns.zone is not set: one that is written without its zone escapes them. Set spec.dns.zone.';
