// Random valid CappSets: any template, overrides and placeholders, on some of three sites.
import { PATHS } from '../../../admission/router.ts';
import { asked, judged, said } from '../builders/admission.ts';
import type { Random } from '../builders/random.ts';
import { aValidCapp } from './capp-specs.ts';
import { maybe, some, valid } from './walks.ts';

export const SET_SITES = ['site-1', 'site-2', 'site-3'];

/** Accepted by the webhook. */
export function aValidSet(dice: Random, tag: string): object {
  return valid(
    () => someSet(dice, tag),
    (spec) => said(judged(PATHS.validateCappSet, asked(asSet(spec))).problems),
  );
}

function asSet(spec: object): object {
  return {
    apiVersion: 'rcs.dana.io/v1alpha1',
    kind: 'CappSet',
    metadata: { namespace: 'apps', name: 's' },
    spec,
  };
}

function someSet(dice: Random, tag: string): object {
  const { labels, annotations, spec } = aValidCapp(dice, tag);
  const clusters = some(dice, 0.6, SET_SITES);
  const routeSpec = { hostname: `{{site}}-${tag}.{{label:tier}}.example.com` };
  return {
    sites: { clusters: clusters.length === 0 ? ['site-2'] : clusters },
    template: {
      metadata: { labels, annotations },
      spec: { ...spec, ...maybe(dice, 0.5, () => ({ routeSpec })) },
    },
    strategy: {
      maxConcurrent: '100%',
      ...maybe(dice, 0.3, () => ({ deadlineSeconds: dice.pick([300, 900]) })),
      ...maybe(dice, 0.2, () => ({ onFailure: dice.pick(['Halt', 'RollBack']) })),
      ...maybe(dice, 0.2, () => ({ offline: dice.pick(['Later', 'Wait']) })),
      ...maybe(dice, 0.2, () => ({ maxFailures: dice.pick([0, 1]) })),
      ...maybe(dice, 0.3, () => ({ stages: stages(dice) })),
    },
    ...maybe(dice, 0.2, () => ({ whenUnselected: 'Remove' })),
    ...maybe(dice, 0.5, () => ({ overrides: some(dice, 0.7, everyOverride(dice)) })),
  };
}

/** Nobody has to act between them, and no time has to pass. */
function stages(dice: Random): object[] {
  const first = dice.pick<object>([{ percent: 50 }, { count: 1 }]);
  return [
    { name: 'first', sites: first },
    { name: 'rest', ...maybe(dice, 0.5, () => ({ maxConcurrent: '100%', soakSeconds: 0 })) },
  ];
}

function everyOverride(dice: Random): object[] {
  const canary = { matchLabels: { tier: 'canary' } };
  const rest = { matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['canary'] }] };
  const scaleSpec = dice.pick<object>([{ minReplicas: 1, maxReplicas: dice.pick([2, 3]) }, {}]);
  const metadata = { annotations: { note: dice.pick(['{{site}}', 'c']) } };
  return [
    { clusterSelector: canary, patch: { spec: { state: dice.pick(['enabled', 'disabled']) } } },
    { clusterSelector: rest, patch: { spec: { logSpec: null, scaleSpec } } },
    { clusterSelector: {}, patch: { metadata: { labels: { at: '{{site}}', team: null } } } },
    { clusterSelector: canary, patch: { metadata, spec: { eventSourcesSpec: null, routeSpec: {} } } },
  ];
}
