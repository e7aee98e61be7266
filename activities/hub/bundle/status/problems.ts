// What one manifest of a Bundle's work lacks: the site does not take it, or it is not ready. Pure. Only
// conditions of the work's present generation count.
import type { BundleReason, FailingResource } from '../../../../crds/bundle/status.ts';
import { LONGEST_MESSAGE } from '../../../../crds/bundle/status.ts';
import { withoutOutput } from '../../../../crds/container-output.ts';
import { conditionOf, type ForeignCondition } from '../../../../crds/kubernetes/core.ts';
import type { ManifestConfig, ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { textOf } from '../../../../workflows/parse/fields.ts';
import { FAILED, RULE_CONDITION, WAITS } from '../ready/ready-rules.ts';
import { misnamed, refusalOf } from './refusals.ts';

export type BundleProblem = Omit<FailingResource, 'cluster' | 'reason'> & { readonly reason: BundleReason };

type Status = NonNullable<
  NonNullable<NonNullable<ManifestWork['status']>['resourceStatus']>['manifests']
>[number];

/** A condition of the work's present generation. */
export function present(
  conditions: readonly ForeignCondition[] | undefined,
  type: string,
  generation: number | undefined,
): ForeignCondition | undefined {
  const found = conditionOf(conditions, type);
  return found?.observedGeneration === generation ? found : undefined;
}

/** Why the site does not take a manifest; null if it does, or if that is not known yet. */
export function failureOf(
  one: Status,
  { metadata: { generation }, spec }: ManifestWork,
  configFor: Configs,
): BundleProblem | null {
  const applied = present(one.conditions, 'Applied', generation);
  if (applied === undefined) return null;
  if (applied.status === 'True') {
    if (configFor(one) !== undefined) return null;
    const { reason, message } = misnamed(one.resourceMeta, spec?.manifestConfigs);
    return problemOf(one, 'Applied', reason, message);
  }
  const { reason, message } = refusalOf(one.resourceMeta, applied.message ?? '');
  return problemOf(one, 'Applied', reason, message);
}

/** What is missing for a manifest that is applied to be ready; null if nothing is. */
export function lackOf(
  one: Status,
  { metadata: { generation } }: ManifestWork,
  configFor: Configs,
): BundleProblem | null {
  const rules = configFor(one)?.conditionRules ?? [];
  const available = conditionOf(one.conditions, 'Available');
  if (available?.status !== 'True') {
    const message = available?.message ?? 'The object is not on the site yet.';
    return problemOf(one, 'Available', 'NotReady', message);
  }
  const rule = present(one.conditions, RULE_CONDITION, generation);
  return rules.length === 0 || rule?.status === 'True' ? null : unmet(one, rule);
}

/**
 * OCM's words for a rule that cannot be evaluated (ocm: pkg/work/spoke/conditions/reader.go) are not
 * repeated: CEL quotes in them what it read, which may be a value of a Secret (`no such key: <value>`).
 */
function unmet(one: Status, { reason = '', message = '' }: Partial<ForeignCondition> = {}): BundleProblem {
  if (reason !== 'ConditionRuleExpressionError') return saidBy(one, message);
  const [, line, column] = /^ERROR: <input>:(\d{1,6}):(\d{1,6}): /.exec(message) ?? [];
  const place = line === undefined ? '' : ` (line ${line}, column ${column})`;
  const isBad = /^ERROR: <input>|expected bool/.test(message);
  return isBad
    ? problemOf(
        one,
        RULE_CONDITION,
        'BadRule',
        `The rule in spec.ready cannot be evaluated${place}. ${WORDS}`,
      )
    : problemOf(one, RULE_CONDITION, 'NotReady', `It is applied; its rule has no answer yet. ${WORDS}`);
}

/** The object's own words, as our rules mark them: other messages may quote what CEL read. */
function saidBy(one: Status, message: string): BundleProblem {
  const words = (mark: string): string =>
    withoutOutput(message)
      .slice(mark.length)
      .replace(/^: |: $/g, '')
      .trim();
  if (message.startsWith(FAILED)) return problemOf(one, RULE_CONDITION, 'Failed', words(FAILED));
  const plain = 'It is applied, and not ready yet';
  const said = message.startsWith(WAITS) ? `${plain}: ${words(WAITS)}` : `${plain}.`;
  return problemOf(one, RULE_CONDITION, 'NotReady', said);
}

const WORDS = 'The status of the ManifestWork has the words of CEL.';

export type Configs = (one: Status) => ManifestConfig | undefined;

/** Of several for one object the first counts. */
export function configsIn({ spec }: ManifestWork): Configs {
  const known = new Map<string, ManifestConfig>();
  for (const config of spec?.manifestConfigs ?? []) {
    const text = identityText(config.resourceIdentifier);
    if (!known.has(text)) known.set(text, config);
  }
  return ({ resourceMeta }) => known.get(identityText(resourceMeta));
}

function identityText({
  group = '',
  resource = '',
  name = '',
  namespace = '',
}: Status['resourceMeta']): string {
  return [group, resource, namespace, name].join('\u0000');
}

function problemOf(
  { resourceMeta: { kind = '', name = '', namespace = '' } }: Status,
  condition: string,
  reason: BundleReason,
  message: string,
): BundleProblem {
  const where = namespace === '' ? {} : { namespace };
  return { kind, name, ...where, condition, reason, message: textOf(message, LONGEST_MESSAGE) };
}
