// The kinds of hubs as CustomResourceDefinitions, ready to apply. Sites have Capp, too.
import { CAPP, CAPP_RULES, CappSpec } from '../capp/capp.ts';
import { CappStatus } from '../capp/status.ts';
import { BUNDLE, BUNDLE_RULES, BundleSpec } from '../bundle/bundle.ts';
import { BUNDLE_REVISION_KIND, BUNDLE_REVISION_SCHEMA } from '../bundle/bundle-revision.ts';
import { BundleStatus } from '../bundle/status.ts';
import { DRAIN, DrainSpec } from '../drain/drain.ts';
import { DrainStatus } from '../drain/status.ts';
import {
  CLUSTER_JOIN,
  CLUSTER_JOIN_RULES,
  ClusterJoinSpec,
  ClusterJoinStatus,
} from '../join/cluster-join.ts';
import { HUB_STATUS, HubStatusReport } from '../hub/hub-status.ts';
import { SIP_CLUSTER, SIP_CLUSTER_RULES, SipClusterSpec } from '../metal/sip-cluster.ts';
import { SipClusterStatus } from '../metal/status.ts';
import {
  NOTIFICATION,
  NOTIFICATION_RULES,
  NotificationSpec,
  NotificationStatus,
} from '../notify/notification.ts';
import { RCS_CONFIG, RcsConfigSpec } from '../hub/rcs-config.ts';
import { CAPP_SET, CAPP_SET_RULES, CappSetSpec } from '../set/cappset.ts';
import { SET_REVISION_KIND, SET_REVISION_SCHEMA } from '../set/set-revision.ts';
import { CappSetStatus } from '../set/status.ts';
import { AGE, definition, inCondition } from './definition.ts';
import { structural } from './structural.ts';

const ready = (field: string): string => inCondition('Ready', field);

export const CAPP_DEFINITION = definition({
  resource: CAPP,
  description: 'A container app: what to run and how it is reached. A hub places it on a site.',
  spec: structural(CappSpec),
  status: structural(CappStatus),
  rules: CAPP_RULES,
  columns: [
    { name: 'Ready', type: 'string', jsonPath: ready('status') },
    { name: 'Site', type: 'string', jsonPath: '.status.applicationLinks.site' },
    { name: 'Reason', type: 'string', jsonPath: ready('reason') },
    { name: 'Custom URL', type: 'string', jsonPath: '.spec.routeSpec.hostname', priority: 1 },
    AGE,
  ],
  categories: ['all'],
});

export const RCS_CONFIG_DEFINITION = definition({
  resource: RCS_CONFIG,
  description: 'Where Capps may run, and the defaults that they get.',
  spec: structural(RcsConfigSpec),
  status: { type: 'object' },
  rules: [],
  columns: [{ name: 'Placements', type: 'string', jsonPath: '.spec.placements' }, AGE],
  categories: [],
});

export const DRAIN_DEFINITION = definition({
  resource: DRAIN,
  description:
    'An order to move all Capps off the site that has its name. While it stands, nothing new is placed there.',
  spec: structural(DrainSpec),
  status: structural(DrainStatus),
  rules: [],
  columns: [
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Waiting', type: 'integer', jsonPath: '.status.waiting' },
    { name: 'Under way', type: 'integer', jsonPath: '.status.underWay' },
    { name: 'Moved', type: 'integer', jsonPath: '.status.moved' },
    { name: 'Stayed', type: 'integer', jsonPath: '.status.stayed' },
    { name: 'Requested by', type: 'string', jsonPath: '.status.requestedBy', priority: 1 },
    { name: 'Reason', type: 'string', jsonPath: '.spec.reason', priority: 1 },
    AGE,
  ],
  categories: [],
});

export const CLUSTER_JOIN_DEFINITION = definition({
  resource: CLUSTER_JOIN,
  description: 'A cluster is to join the hub: its token comes as a Secret beside this object, once.',
  spec: structural(ClusterJoinSpec),
  status: structural(ClusterJoinStatus),
  rules: CLUSTER_JOIN_RULES,
  columns: [
    { name: 'Cluster', type: 'string', jsonPath: '.spec.cluster' },
    { name: 'State', type: 'string', jsonPath: '.status.state' },
    { name: 'Reason', type: 'string', jsonPath: ".status.conditions[?(@.type=='Joined')].reason" },
    { name: 'Secret', type: 'string', jsonPath: '.status.secretName' },
    { name: 'Ends', type: 'string', jsonPath: '.status.tokenEndsAt', priority: 1 },
    AGE,
  ],
  categories: [],
});

export const BUNDLE_DEFINITION = definition({
  resource: BUNDLE,
  description: 'Plain Kubernetes manifests on chosen sites.',
  spec: structural(BundleSpec),
  status: structural(BundleStatus),
  rules: BUNDLE_RULES,
  columns: [
    { name: 'Ready', type: 'string', jsonPath: ready('status') },
    { name: 'Sites', type: 'string', jsonPath: '.status.readyOfSites' },
    { name: 'Revision', type: 'string', jsonPath: '.status.shortRevision' },
    { name: 'Stage', type: 'string', jsonPath: '.status.stage' },
    { name: 'Reason', type: 'string', jsonPath: ready('reason') },
    AGE,
  ],
  categories: [],
});

export const BUNDLE_REVISION_DEFINITION = definition({
  resource: BUNDLE_REVISION_KIND,
  description: 'What a Bundle shipped at one time.',
  spec: BUNDLE_REVISION_SCHEMA,
  status: { type: 'object' },
  rules: [],
  columns: [
    { name: 'Bundle', type: 'string', jsonPath: '.metadata.ownerReferences[0].name' },
    { name: 'Revision', type: 'string', jsonPath: '.spec.revision' },
    AGE,
  ],
  categories: [],
});

export const CAPP_SET_DEFINITION = definition({
  resource: CAPP_SET,
  description: 'One app on many sites: a Capp on each of them, changed in stages.',
  spec: structural(CappSetSpec),
  status: structural(CappSetStatus),
  rules: CAPP_SET_RULES,
  columns: [
    { name: 'Ready', type: 'string', jsonPath: '.status.readySites' },
    { name: 'Revision', type: 'string', jsonPath: '.status.shortRevision' },
    { name: 'Stage', type: 'string', jsonPath: '.status.stage' },
    { name: 'Reason', type: 'string', jsonPath: ready('reason') },
    AGE,
  ],
  categories: [],
  shortNames: ['cset'],
});

export const SET_REVISION_DEFINITION = definition({
  resource: SET_REVISION_KIND,
  description: 'The template of a CappSet as it was at one time.',
  spec: SET_REVISION_SCHEMA,
  status: { type: 'object' },
  rules: [],
  columns: [
    { name: 'Set', type: 'string', jsonPath: '.metadata.labels.rcs\\.dana\\.io/set' },
    { name: 'Revision', type: 'string', jsonPath: '.spec.revision' },
    AGE,
  ],
  categories: [],
});

/** SIP's kind: a hub that serves SIP's own definition gets this one in its place. */
export const SIP_CLUSTER_DEFINITION = definition({
  resource: SIP_CLUSTER,
  description: "The BareMetalHosts of a tenant's cluster, by role.",
  spec: structural(SipClusterSpec),
  status: structural(SipClusterStatus),
  rules: SIP_CLUSTER_RULES,
  columns: [
    { name: 'Ready', type: 'string', jsonPath: ready('status') },
    { name: 'Hosts', type: 'string', jsonPath: '.status.reservedOfWanted' },
    { name: 'Reason', type: 'string', jsonPath: ready('reason') },
    AGE,
  ],
  categories: [],
});

/** Of hubs with the notifier alone. */
export const NOTIFICATION_DEFINITION = definition({
  resource: NOTIFICATION,
  description: 'Where people are told what they must know: a webhook of their own, by its Secret.',
  spec: structural(NotificationSpec),
  status: structural(NotificationStatus),
  rules: NOTIFICATION_RULES,
  columns: [
    { name: 'Format', type: 'string', jsonPath: '.spec.format' },
    { name: 'Ready', type: 'string', jsonPath: ready('status') },
    { name: 'Reason', type: 'string', jsonPath: ready('reason') },
    { name: 'Delivered', type: 'string', jsonPath: inCondition('Delivered', 'reason') },
    { name: 'Waiting', type: 'integer', jsonPath: '.status.waiting' },
    { name: 'Last', type: 'date', jsonPath: '.status.lastDelivered' },
    AGE,
  ],
  categories: [],
});

export const HUB_STATUS_DEFINITION = definition({
  resource: HUB_STATUS,
  description:
    'What only Temporal knows: whether it answers, who asks it for work, and where its UI is. Cappstan writes it.',
  spec: { type: 'object' },
  status: structural(HubStatusReport),
  rules: [],
  columns: [
    { name: 'Temporal', type: 'string', jsonPath: '.status.temporal.reachable' },
    { name: 'Hub workers', type: 'string', jsonPath: '.status.hubWorkers.polling' },
    { name: 'Build', type: 'string', jsonPath: '.status.hubWorkers.current' },
    { name: 'UI', type: 'string', jsonPath: '.status.temporal.ui', priority: 1 },
    AGE,
  ],
  categories: [],
});
