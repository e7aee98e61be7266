// Rules in CEL, as the schema of a field carries them to the API server.

type Rule = readonly [rule: string, message: string, fieldPath?: string];

/**
 * For `meta` of a schema. The path, such as `.hostname`, is that of the field to which people should look.
 */
export function rules(...all: readonly Rule[]): { 'x-kubernetes-validations': object[] } {
  const written = all.map(([rule, message, fieldPath]) => ({
    rule,
    message,
    ...(fieldPath === undefined ? {} : { fieldPath }),
  }));
  return { 'x-kubernetes-validations': written };
}

/** "This text field has a value". The schema of the field bounds what it costs to ask. */
export const filled = (field: string): string => `has(self.${field}) && self.${field} != ''`;
