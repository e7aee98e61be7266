// Our kinds as CustomResourceDefinitions, ready to apply.
import { CAPP_CONFIG, CAPP_CONFIG_SCHEMA } from './capp-config.ts';
import { CAPP_REVISION, CAPP_REVISION_SCHEMA } from './capp-revision.ts';
import { CAPP, CAPP_RULES, CappSpec } from './capp/capp.ts';
import { CappStatus } from './capp/status.ts';
import { DRAIN, DrainSpec } from './drain/drain.ts';
import { DrainStatus } from './drain/status.ts';
import { HUB_STATUS, HubStatusReport } from './hub-status.ts';
import { RCS_CONFIG, RcsConfigSpec } from './rcs-config.ts';
import { structural } from './structural.ts';

interface Column {
  readonly name: string;
  readonly type: 'string' | 'date' | 'integer';
  readonly jsonPath: string;
  readonly priority?: number;
}

interface Kind {
  readonly resource: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly plural: string;
    readonly namespaced: boolean;
  };
  readonly description: string;
  readonly spec: object;
  readonly status: object;
  readonly rules: readonly object[];
  readonly columns: readonly Column[];
  readonly categories: readonly string[];
}

export interface Definition {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

const AGE: Column = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };
const ready = (field: string) => `.status.conditions[?(@.type=='Ready')].${field}`;

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

/** For sites: it is never installed over another version of the same kind. */
export const CAPP_CONFIG_DEFINITION = definition({
  resource: CAPP_CONFIG,
  description: 'What a site decides for all its Capps. Only the object capp-config counts.',
  spec: CAPP_CONFIG_SCHEMA,
  status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  rules: [],
  columns: [AGE],
  categories: [],
});

/** For sites, as CappConfig. */
export const CAPP_REVISION_DEFINITION = definition({
  resource: CAPP_REVISION,
  description: 'What a Capp was at one time.',
  spec: CAPP_REVISION_SCHEMA,
  status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  rules: [],
  columns: [
    { name: 'Capp', type: 'string', jsonPath: '.metadata.labels.rcs\\.dana\\.io/cappName' },
    { name: 'Number', type: 'integer', jsonPath: '.spec.revisionNumber' },
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

function definition(kind: Kind): Definition {
  const [group = '', version = ''] = kind.resource.apiVersion.split('/');
  const { plural } = kind.resource;
  const names = {
    kind: kind.resource.kind,
    listKind: `${kind.resource.kind}List`,
    plural,
    singular: kind.resource.kind.toLowerCase(),
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: kind.resource.namespaced ? 'Namespaced' : 'Cluster',
      names: { ...names, ...(kind.categories.length === 0 ? {} : { categories: kind.categories }) },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: kind.columns,
          schema: { openAPIV3Schema: whole(kind) },
        },
      ],
    },
  };
}

function whole(kind: Kind): object {
  return {
    type: 'object',
    description: kind.description,
    required: ['spec'],
    ...(kind.rules.length === 0 ? {} : { 'x-kubernetes-validations': kind.rules }),
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: kind.spec,
      status: kind.status,
    },
  };
}
