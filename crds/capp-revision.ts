// CappRevision: what a Capp was, so that people can see what changed and when.
//
// The schema takes any Capp: a Capp that one version accepted must not be refused here by another.
export const CAPP_REVISION = {
  apiVersion: 'rcs.dana.io/v1alpha1',
  kind: 'CappRevision',
  plural: 'capprevisions',
  namespaced: true,
} as const;

const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const texts = { type: 'object', additionalProperties: { type: 'string' } };

export const CAPP_REVISION_SCHEMA: object = {
  type: 'object',
  required: ['revisionNumber', 'cappTemplate'],
  properties: {
    revisionNumber: {
      type: 'integer',
      format: 'int64',
      description: 'Grows with each change of the Capp.',
    },
    cappTemplate: {
      type: 'object',
      required: ['cappSpec'],
      description: 'The Capp as it was.',
      properties: { cappSpec: anything, labels: texts, annotations: texts },
    },
  },
};
