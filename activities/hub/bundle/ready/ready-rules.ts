// When a manifest is ready, in CEL that OCM's work agent evaluates on the site. Pure.
import type { BundleSpec } from '../../../../crds/bundle/bundle.ts';
import { BUNDLE_MANIFEST } from '../../../../crds/labels.ts';
import type { Manifest, ManifestConfig } from '../../../../crds/ocm/ocm.ts';
import { annotation, IS_LEAVING, said, wordsNow, wordsOf } from './cel.ts';
import { countedRule } from './counted.ts';
import type { KindRule } from './kind-rule.ts';
import { ruleOf } from './kinds.ts';

/** The condition that OCM's work agent sets by these rules. */
export const RULE_CONDITION = 'Ready';

/** What the condition's message begins with, where it repeats the words of an object. */
export const FAILED = 'Failed: ';
export const WAITS = 'Waits: ';

export type Rules = Pick<ManifestConfig, 'conditionRules' | 'feedbackScrapeType'>;

export interface ReadyRules {
  readonly written: Rules;
  readonly counted: Rules;
  /**
   * They hold only for an object that carries this version of the manifest, by an annotation: OCM may
   * evaluate them once more on the object as it was before.
   */
  readonly areOfVersion: boolean;
}

/** By which token the rules know the version: as sites see it, and as it counts in a revision. */
export interface RuleTokens {
  readonly written: string;
  readonly counted: string;
}

/** The rules of a manifest, as they are written into a work, and as they count in a revision. */
export function readyRules(
  manifest: Manifest,
  tokens: RuleTokens,
  given: NonNullable<BundleSpec['ready']>,
): ReadyRules {
  const { kind, metadata } = manifest;
  const own = given.filter(
    (one) =>
      one.kind === kind && one.name === metadata.name && (one.namespace ?? '') === (metadata.namespace ?? ''),
  );
  if (own.length > 0) {
    const asked = own.map(({ when }) => when);
    const written = asRules([isOfVersion(tokens.written), ...asked, STAYS], LEAVING_WORDS);
    return { written, counted: asRules([isOfVersion(tokens.counted), ...asked]), areOfVersion: true };
  }
  const first = countedRule(manifest);
  const rule = ruleOf(manifest);
  return {
    written: rule === null ? asRules([STAYS], LEAVING_WORDS, false) : ofKind(rule, tokens.written),
    counted: first === undefined ? {} : asRules([isOfVersion(tokens.counted), first]),
    areOfVersion: rule !== null,
  };
}

/** The text is that of the first version, since it counts in revisions. */
function isOfVersion(token: string): string {
  return `has(object.metadata.annotations) && '${BUNDLE_MANIFEST}' in object.metadata.annotations && object.metadata.annotations['${BUNDLE_MANIFEST}'] == '${token}'`;
}

function asRules(celExpressions: readonly string[], messageExpression?: string, isWatched = true): Rules {
  const words = messageExpression === undefined ? {} : { messageExpression };
  return {
    conditionRules: [{ condition: RULE_CONDITION, type: 'CEL', celExpressions, ...words }],
    ...(isWatched ? { feedbackScrapeType: 'Watch' } : {}),
  };
}

/** Of an object that carries this version of its manifest, whose rule is given. */
export function ofKind(rule: KindRule, token: string): Rules {
  const isThis = `${annotation(BUNDLE_MANIFEST)} == '${token}'`;
  const expressions = [isThis, rule.ready, STAYS];
  return asRules(expressions, messageOf(rule, isThis), rule.isWatched === true);
}

/** Longer words are cut on the site, so that the statuses of works stay small. */
const LONGEST_WORDS = 240;

const LEAVING =
  'somebody has deleted it on the site, and its finalizers hold it. It is made again once it is gone';

/** An object that is being deleted is not ready, whatever its kind (kstatus: Terminating). */
const STAYS = `!${IS_LEAVING}`;
const LEAVING_WORDS = `${IS_LEAVING} ? '${WAITS}${LEAVING}' : ''`;

/** Empty where there is nothing to repeat: OCM has words of its own then. */
function messageOf(
  { failed = [], failedWhen, waits = [], waitsBy, waitsWhen }: KindRule,
  isThis: string,
): string {
  const all = [
    `(${IS_LEAVING} ? ['${WAITS}${LEAVING}'] : [])`,
    ...(failed.length === 0 ? [] : [wordsNow(FAILED, failed)]),
    ...(failedWhen === undefined ? [] : [`(${failedWhen} ? ['${FAILED}' + ${ITS_STATUS}] : [])`]),
    ...waits.map((sign) => wordsOf(WAITS, [sign])),
    ...(waitsBy === undefined ? [] : [said(WAITS, waitsBy)]),
    ...(waitsWhen === undefined ? [] : [`(${waitsWhen[0]} ? ['${WAITS}${waitsWhen[1]}'] : [])`]),
    "['']",
  ];
  const cut = `size(m) > ${LONGEST_WORDS} ? m.substring(0, ${LONGEST_WORDS}) : m`;
  return `result || !(${isThis}) ? '' : [(${all.join(' + ')})[0]].map(m, ${cut})[0]`;
}

/** In CEL, what an object that has a phase says of itself. */
const ITS_STATUS = `object.status.phase + ': ' + object.status.?reason.orValue('') + ' ' + object.status.?message.orValue('')`;
