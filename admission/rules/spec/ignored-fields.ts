// Warns of fields that are accepted from older manifests and have no effect.
import type { Common } from '../../known.ts';
import { CappSpec, type Capp } from '../../../crds/capp/capp.ts';
import { normalise } from '../../../crds/capp/normalise.ts';
import { at } from '../../fields.ts';
import type { AdmissionRule } from '../../rule.ts';
import { hasChanged } from '../../request.ts';

export const ignoredFields: AdmissionRule<Common> = (request) => {
  if (!hasChanged(request, 'spec')) return {};
  const { success, data } = CappSpec.safeParse(at(request.object, 'spec'));
  if (!success) return {};
  const capp: Capp = { apiVersion: '', kind: '', metadata: { name: request.name }, spec: data };
  return { warnings: normalise(capp).warnings };
};
