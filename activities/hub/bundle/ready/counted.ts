// What of the rules of kinds counts in a revision: the rules as the first version wrote them. A better rule
// is no new revision, so an upgrade changes no work; a work gets it with its next revision. Pure.
import { groupOf } from '../../../../crds/bundle/manifests.ts';
import type { Manifest } from '../../../../crds/ocm/ocm.ts';

const at = (path: string): string => `has(object.status.${path}) ? object.status.${path} : 0`;
const OBSERVED = `has(object.status) && (${at('observedGeneration')}) >= object.metadata.generation`;
const WANTED = '(has(object.spec.replicas) ? object.spec.replicas : 1)';
const CURRENT = `(${at('updatedReplicas')}) >= ${WANTED} && (${at('availableReplicas')}) >= ${WANTED}`;

const FIRST: Readonly<Record<string, string>> = {
  'apps/Deployment': `${OBSERVED} && ${CURRENT}`,
  'apps/StatefulSet': `${OBSERVED} && ${CURRENT}`,
  'apps/DaemonSet': `${OBSERVED} && (${at('updatedNumberScheduled')}) >= (${at('desiredNumberScheduled')}) && (${at('numberAvailable')}) >= (${at('desiredNumberScheduled')})`,
  'batch/Job': `has(object.status) && has(object.status.conditions) && object.status.conditions.exists(c, c.type == 'Complete' && c.status == 'True')`,
};

/** Undefined for a kind that had none. */
export function countedRule({ apiVersion, kind }: Manifest): string | undefined {
  return FIRST[`${groupOf(apiVersion)}/${kind}`];
}
