// When a manifest is ready, in CEL that OCM's work agent evaluates on the site. Pure.
import type { BundleSpec } from '../../../../crds/bundle/bundle.ts';
import { groupOf } from '../../../../crds/bundle/manifests.ts';
import { BUNDLE_MANIFEST } from '../../../../crds/labels.ts';
import type { Manifest } from '../../../../crds/ocm/ocm.ts';

/** The condition that OCM's work agent sets by these rules. */
export const RULE_CONDITION = 'Ready';

const at = (path: string): string => `has(object.status.${path}) ? object.status.${path} : 0`;
const OBSERVED = `has(object.status) && (${at('observedGeneration')}) >= object.metadata.generation`;
const WANTED = '(has(object.spec.replicas) ? object.spec.replicas : 1)';
const CURRENT = `(${at('updatedReplicas')}) >= ${WANTED} && (${at('availableReplicas')}) >= ${WANTED}`;

const BY_KIND: Readonly<Record<string, string>> = {
  'apps/Deployment': `${OBSERVED} && ${CURRENT}`,
  'apps/StatefulSet': `${OBSERVED} && ${CURRENT}`,
  'apps/DaemonSet': `${OBSERVED} && (${at('updatedNumberScheduled')}) >= (${at('desiredNumberScheduled')}) && (${at('numberAvailable')}) >= (${at('desiredNumberScheduled')})`,
  'batch/Job': `has(object.status) && has(object.status.conditions) && object.status.conditions.exists(c, c.type == 'Complete' && c.status == 'True')`,
};

/**
 * The rule of a manifest; null if it is ready as soon as it is applied. It holds only for an object that carries
 * this version of the manifest: OCM may evaluate it once more on the object as it was before.
 */
export function readyRule(
  manifest: Manifest,
  token: string,
  rules: NonNullable<BundleSpec['ready']>,
): string[] | null {
  const { kind, apiVersion, metadata } = manifest;
  const given = rules.filter(
    (one) =>
      one.kind === kind && one.name === metadata.name && (one.namespace ?? '') === (metadata.namespace ?? ''),
  );
  const own = BY_KIND[`${groupOf(apiVersion)}/${kind}`];
  const whens = given.length > 0 ? given.map(({ when }) => when) : own === undefined ? [] : [own];
  if (whens.length === 0) return null;
  const isThis = `has(object.metadata.annotations) && '${BUNDLE_MANIFEST}' in object.metadata.annotations && object.metadata.annotations['${BUNDLE_MANIFEST}'] == '${token}'`;
  return [isThis, ...whens];
}
