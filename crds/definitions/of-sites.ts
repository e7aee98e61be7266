// The kinds that sites have besides Capp, as CustomResourceDefinitions, ready to apply.
import { CAPP_CONFIG, CAPP_CONFIG_SCHEMA } from '../capp-config.ts';
import { CAPP_REVISION, CAPP_REVISION_SCHEMA } from '../capp-revision.ts';
import { CAPP_SECRET, CappSecretSpec, CappSecretStatus } from '../sealing/capp-secret.ts';
import { AGE, definition, inCondition } from './definition.ts';
import { structural } from './structural.ts';

/** What sites get: it is never installed over another version of the same kind. */
export const CAPP_CONFIG_DEFINITION = definition({
  resource: CAPP_CONFIG,
  description: 'What a site decides for all its Capps. Only the object capp-config counts.',
  spec: CAPP_CONFIG_SCHEMA,
  status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  rules: [],
  columns: [AGE],
  categories: [],
});

/** What sites get, under the same condition as CappConfig. */
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

/** What sites alone have. */
export const CAPP_SECRET_DEFINITION = definition({
  resource: CAPP_SECRET,
  description: 'A Secret of a Capp, sealed to the key of one site, where its site operator opens it.',
  spec: structural(CappSecretSpec),
  status: structural(CappSecretStatus),
  rules: [],
  columns: [
    { name: 'Opened', type: 'string', jsonPath: inCondition('Opened', 'status') },
    { name: 'Reason', type: 'string', jsonPath: inCondition('Opened', 'reason') },
    { name: 'Key', type: 'string', jsonPath: '.spec.keyId', priority: 1 },
    AGE,
  ],
  categories: [],
});
