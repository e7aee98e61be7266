// How zod schemas become structural schemas, and what our CRDs contain.
import { z } from 'zod';
import { CAPP_DEFINITION, RCS_CONFIG_DEFINITION } from '../../../crds/definitions/definitions.ts';
import { parseSpec } from '../../../crds/capp/capp.ts';
import { structural } from '../../../crds/definitions/structural.ts';
import { PATTERN, Quantity } from '../../../crds/kubernetes/quantity.ts';
import { sampleCapp } from '../../support/builders/manifests/samples.ts';

const KIB = 1024;

function everyNode(node: unknown, path = ''): [string, object][] {
  if (typeof node !== 'object' || node === null) return [];
  const children = Object.entries(node).flatMap(([key, value]) => everyNode(value, `${path}/${key}`));
  return Array.isArray(node) ? children : [[path, node], ...children];
}

describe('a structural schema', () => {
  it.each([
    { title: 'a union', schema: z.object({ a: z.union([z.string(), z.boolean()]) }), message: '.a: anyOf' },
    {
      title: 'a pattern with look-around',
      schema: z.object({ a: z.array(z.string().regex(/^(?!x)/)) }),
      message: '.a[]: ',
    },
  ])('cannot be made from $title: the error names the path', ({ schema, message }) => {
    expect(() => structural(schema)).toThrow(message);
  });

  it.each([
    {
      title: 'has a format and only our bounds for an integer',
      schema: z.int().min(1),
      want: { type: 'integer', format: 'int64', minimum: 1 },
    },
    {
      title: 'preserves unknown fields of a loose object',
      schema: z.looseObject({ a: z.string() }),
      want: {
        type: 'object',
        required: ['a'],
        properties: { a: { type: 'string' } },
        'x-kubernetes-preserve-unknown-fields': true,
      },
    },
    {
      title: 'has a format and no pattern for a date',
      schema: z.iso.datetime({ offset: true }),
      want: { type: 'string', format: 'date-time' },
    },
    {
      title: 'accepts an integer or a string for a quantity',
      schema: Quantity,
      want: {
        'x-kubernetes-int-or-string': true,
        anyOf: [{ type: 'integer' }, { type: 'string' }],
        pattern: PATTERN,
      },
    },
  ])('$title', ({ schema, want }) => {
    expect(structural(schema)).toEqual(want);
  });
});

describe('of our CRDs,', () => {
  it.each([
    { definition: CAPP_DEFINITION, limit: 40 * KIB },
    { definition: RCS_CONFIG_DEFINITION, limit: 8 * KIB },
  ])('$definition.metadata.name is small enough for plain kubectl apply', ({ definition, limit }) => {
    expect(JSON.stringify(definition).length).toBeLessThan(limit);
  });

  it('each top-level field of a Capp’s spec has a description', () => {
    const undescribed = everyNode(CAPP_DEFINITION)
      .filter(([path]) => /openAPIV3Schema\/properties\/spec\/properties\/[a-zA-Z]+$/.test(path))
      .filter(([, node]) => !('description' in node))
      .map(([path]) => path);
    expect(undescribed).toEqual([]);
  });
});

describe('a spec that is parsed', () => {
  it('gets its defaults', () => {
    const { spec } = sampleCapp('capp.yaml');
    expect(parseSpec(spec)).toMatchObject({ state: 'enabled', scaleMetric: 'concurrency' });
  });

  it('keeps fields of the pod spec that the schema does not know', () => {
    const pod = {
      containers: [{ name: 'a', image: 'i', lifecycle: { x: 1 } }],
      hostAliases: [{ ip: '1.1.1.1' }],
    };
    expect(
      parseSpec({ configurationSpec: { template: { spec: pod } } }).configurationSpec.template.spec,
    ).toEqual(pod);
  });

  it('is refused with the path of the invalid field', () => {
    expect(() => parseSpec({ configurationSpec: { template: { spec: { containers: [] } } } })).toThrow(
      /^spec\.configurationSpec\.template\.spec\.containers: /,
    );
  });
});
