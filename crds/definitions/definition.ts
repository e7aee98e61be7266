// What a CustomResourceDefinition says of one of our kinds.

export interface Column {
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
  readonly shortNames?: readonly string[];
}

export const AGE: Column = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** The path of a column to a field of a condition. */
export function inCondition(type: string, field: string): string {
  return `.status.conditions[?(@.type=='${type}')].${field}`;
}

export interface Definition {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

export function definition(kind: Kind): Definition {
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
      names: {
        ...names,
        ...(kind.shortNames === undefined ? {} : { shortNames: kind.shortNames }),
        ...(kind.categories.length === 0 ? {} : { categories: kind.categories }),
      },
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
