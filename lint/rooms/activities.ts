// What activities may import.
import type { Room } from './room.ts';

/** Activities of the hub: the client, the kinds, and the pure parts of the workflows. */
const HUB_ACTIVITY = {
  imports: ['activities', 'crds', 'kube', 'workflows'],
  packages: ['@temporalio/client', '@temporalio/common', 'node:*'],
} as const satisfies Room;

export const ACTIVITIES: Readonly<Record<string, Room>> = {
  activities: {
    imports: ['kube', 'workflows'],
    packages: ['@temporalio/activity', '@temporalio/common', 'node:*'],
  },
  'activities/agent': {},
  'activities/agent/claims': { imports: ['activities/agent', 'crds', 'kube'] },
  'activities/agent/inspect': {
    imports: ['activities', 'activities/agent', 'crds', 'kube', 'workflows/types'],
    types: ['workflows'],
  },
  'activities/agent/report': {
    imports: ['activities', 'crds', 'kube', 'workflows/types'],
    types: ['workflows'],
    packages: ['@temporalio/activity', 'node:*'],
  },
  'activities/agent/ring': {
    imports: ['activities/agent', 'kube', 'workflows'],
    packages: ['@temporalio/client'],
  },
  'activities/agent/score': {
    imports: ['activities', 'crds', 'kube', 'workflows'],
    packages: ['@temporalio/common'],
  },
  'activities/agent/verify': {
    imports: ['activities', 'activities/agent', 'crds', 'kube', 'workflows/parse', 'workflows/types'],
    types: ['workflows'],
    packages: ['@temporalio/activity', 'node:*'],
  },
  'activities/hub': HUB_ACTIVITY,
  'activities/hub/audit': HUB_ACTIVITY,
  'activities/hub/bundle': HUB_ACTIVITY,
  'activities/hub/bundle/checks': HUB_ACTIVITY,
  'activities/hub/bundle/manifests': { ...HUB_ACTIVITY, packages: ['node:*'] },
  'activities/hub/bundle/owners': HUB_ACTIVITY,
  'activities/hub/bundle/ready': HUB_ACTIVITY,
  'activities/hub/bundle/status': { ...HUB_ACTIVITY, packages: ['node:*'] },
  'activities/hub/dns': HUB_ACTIVITY,
  'activities/hub/drain': { ...HUB_ACTIVITY, imports: [...HUB_ACTIVITY.imports, 'temporal'] },
  'activities/hub/drill': HUB_ACTIVITY,
  'activities/hub/identity': HUB_ACTIVITY,
  'activities/hub/join': HUB_ACTIVITY,
  'activities/hub/metal': HUB_ACTIVITY,
  'activities/hub/metal/chain': { ...HUB_ACTIVITY, packages: ['node:*'] },
  'activities/hub/metal/services': { ...HUB_ACTIVITY, packages: ['node:*'] },
  'activities/hub/place': HUB_ACTIVITY,
  'activities/hub/retire': HUB_ACTIVITY,
  'activities/hub/rollout': HUB_ACTIVITY,
  'activities/hub/rollout/preview': HUB_ACTIVITY,
  'activities/hub/rollout/removing': HUB_ACTIVITY,
  'activities/hub/rollout/telling': HUB_ACTIVITY,
  'activities/hub/score': HUB_ACTIVITY,
  'activities/hub/set': HUB_ACTIVITY,
  'activities/hub/ship': HUB_ACTIVITY,
  'activities/hub/suppose': HUB_ACTIVITY,
  'activities/hub/ship/render': { imports: ['crds', 'workflows/types'], packages: ['node:*'] },
  'activities/hub/site': HUB_ACTIVITY,
  'activities/hub/status': HUB_ACTIVITY,
};
