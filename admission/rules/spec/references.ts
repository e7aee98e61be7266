// A Capp refers to a bounded number of ConfigMaps and Secrets, which all travel with it.
import { CappSpec } from '../../../crds/capp/capp.ts';
import { normalise } from '../../../crds/capp/normalise.ts';
import {
  countOf,
  MOST_REFERENCES,
  references as referencesOf,
  type References,
} from '../../../crds/capp/references.ts';
import { at } from '../../fields.ts';
import type { AdmissionRule } from '../../rule.ts';
import { hasChanged } from '../../request.ts';

export const references: AdmissionRule = (request) => {
  const wanted = hasChanged(request, 'spec') ? read(request.object) : null;
  if (wanted === null || countOf(wanted) <= MOST_REFERENCES) return {};
  const before = namesIn(read(request.oldObject));
  // A Capp that had too many before there was a limit may still be edited.
  if ([...namesIn(wanted)].every((name) => before.has(name))) return {};
  const message = `the Capp refers to ${countOf(wanted)} ConfigMaps and Secrets, more than the ${MOST_REFERENCES} allowed: merge several into one with many keys`;
  return {
    problems: [
      {
        field: 'spec.configurationSpec.template.spec',
        reason: 'FieldValueInvalid',
        message,
        fromCache: false,
      },
    ],
  };
};

/** Null for what the schema refuses. */
function read(object: unknown): References | null {
  const { success, data } = CappSpec.safeParse(at(object, 'spec'));
  return success
    ? referencesOf(normalise({ apiVersion: '', kind: '', metadata: { name: '' }, spec: data }).capp)
    : null;
}

function namesIn(found: References | null): ReadonlySet<string> {
  const { configMaps = [], secrets = [] } = found ?? {};
  return new Set([
    ...configMaps.map(({ name }) => `ConfigMap ${name}`),
    ...secrets.map(({ name }) => `Secret ${name}`),
  ]);
}
