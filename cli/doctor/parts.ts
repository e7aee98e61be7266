// Faults of what is installed on the hub: kinds, processes, rights. Pure.
import type { Deployment, DoctorFacts, Fault } from './facts.ts';

const INSTALL = 'Install or upgrade Cappstan with its chart (docs/install.md).';

const OCM = 'Install Open Cluster Management on the hub (docs/install.md).';

export function definitionFaults({ served }: Pick<DoctorFacts, 'served'>): Fault[] {
  return Object.entries(served)
    .filter(([, isServed]) => !isServed)
    .map(([kind]) => ({
      about: 'definitions',
      problem: `The API server does not serve ${kind}.`,
      remedy: remedyFor(kind),
    }));
}

function remedyFor(kind: string): string {
  if (kind.endsWith('.rcs.dana.io')) return INSTALL;
  if (kind.endsWith('.knative.dev')) return 'Install Knative Serving on the site (docs/install.md).';
  return kind.endsWith('.cert-manager.io')
    ? 'Install cert-manager, or let the webhook make its own certificate.'
    : OCM;
}

/** Those that the chart installs. */
export const PROCESSES = ['cappstan-bridge', 'cappstan-hub', 'cappstan-webhook'] as const;

const GATEWAY = 'cappstan-gateway';

/**
 * Where none of them runs on the hub and its webhook is elsewhere, the processes run elsewhere too: there are
 * no Deployments, or nobody on the hub looks at Deployments, as on the local stack.
 */
export function processFaults({ deployments, validating }: DoctorFacts): Fault[] {
  if (deployments === null) return [];
  const isInside = (validating ?? []).some(({ webhooks = [] }) =>
    webhooks.some(({ clientConfig }) => clientConfig.service !== undefined),
  );
  const isRun = deployments.some(({ status }) => status?.observedGeneration !== undefined);
  if (!isRun && !isInside) return [];
  const ours = PROCESSES.map(
    (name) => [name, deployments.find(({ metadata }) => metadata.name === name)] as const,
  );
  const gateway = deployments.find(({ metadata }) => metadata.name === GATEWAY);
  return [
    ...ours.flatMap(([name, one]) => processFault(name, one)),
    // Without it agents speak to Temporal themselves.
    ...(gateway === undefined ? [] : processFault(GATEWAY, gateway)),
    ...skew(deployments),
  ];
}

function processFault(name: string, deployment: Deployment | undefined): Fault[] {
  const about = 'processes';
  if (deployment === undefined)
    return [{ about, problem: `There is no Deployment ${name}.`, remedy: INSTALL }];
  if ((deployment.status?.availableReplicas ?? 0) > 0) return [];
  const { namespace } = deployment.metadata;
  const problem =
    deployment.spec.replicas === 0
      ? `Deployment ${name} is scaled to 0.`
      : `No Pod of Deployment ${name} is available.`;
  return [{ about, problem, remedy: `kubectl -n ${namespace} describe deployment ${name} says why.` }];
}

/** During an upgrade this passes. */
function skew(deployments: readonly Deployment[]): Fault[] {
  const images = deployments.flatMap(({ spec }) =>
    spec.template.spec.containers.map(({ image }) => image ?? ''),
  );
  const versions = [...new Set(images)].toSorted();
  if (versions.length < 2) return [];
  return [
    {
      about: 'versions',
      problem: `The processes run different images: ${versions.join(', ')}.`,
      remedy: 'Wait until the upgrade is done, or upgrade the whole chart.',
    },
  ];
}

/** Roles by which users may edit and view Capps. */
const USER_ROLES = ['cappstan-capp-edit', 'cappstan-capp-view'] as const;

export function rightsFaults({ refusedActs, clusterRoles }: DoctorFacts): Fault[] {
  const missing = (refusedActs ?? []).map(({ account, act }) => ({
    about: 'rights',
    problem: `${account} may not ${act}.`,
    remedy: `${INSTALL.slice(0, -1)}: its ClusterRoles and bindings give this right.`,
  }));
  const names = new Set((clusterRoles ?? []).map(({ metadata }) => metadata.name));
  const roles = USER_ROLES.filter((name) => clusterRoles !== null && !names.has(name)).map((name) => ({
    about: 'rights',
    problem: `There is no ClusterRole ${name}, so the roles edit and view say nothing of Capps.`,
    remedy: 'Set userRoles.create=true in the chart, or bind roles of your own.',
  }));
  return [...missing, ...roles];
}

export function addOnFaults({ clusterAddOns, served }: DoctorFacts): Fault[] {
  const isServed = served['clustermanagementaddons.addon.open-cluster-management.io'] ?? true;
  const isThere = (clusterAddOns ?? []).some(({ metadata }) => metadata.name === 'cappstan');
  if (clusterAddOns === null || isThere || !isServed) return [];
  return [
    {
      about: 'add-on',
      problem: 'There is no ClusterManagementAddOn cappstan, so OCM brings no agent to sites.',
      remedy: 'Set addon.install=true in the chart.',
    },
  ];
}
