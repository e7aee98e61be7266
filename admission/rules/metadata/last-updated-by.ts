// The annotation that names the last user who changed the spec. Only the webhook writes it, and the control
// plane does not count.
import { isDeepStrictEqual } from 'node:util';
import { LAST_UPDATED_BY, ROLLBACK } from '../../../crds/labels.ts';
import type { Common } from '../../known.ts';
import { at, textAt } from '../../fields.ts';
import type { AdmissionRule } from '../../rule.ts';
import { annotate, applied } from '../../patch.ts';
import { hasChanged, isControlPlane, type AdmissionRequest } from '../../request.ts';
import { defaultResources } from '../spec/default-resources.ts';

export const lastUpdatedBy: AdmissionRule<Common> = (request, known) => {
  if (isControlPlane(request, known.namespace)) return {};
  const before = textAt(request.oldObject, 'metadata', 'annotations', LAST_UPDATED_BY);
  const author = isNewSpec(request, known) ? request.username : before;
  return { patches: annotate(request.object, LAST_UPDATED_BY, author) };
};

/** A manifest that is applied again lacks the default resources and gets them again: that is no change. */
function isNewSpec(request: AdmissionRequest, known: Common): boolean {
  if (request.operation === 'CREATE') return true;
  if (isRollback(request)) return true;
  const { patches = [] } = defaultResources(request, known);
  return !isDeepStrictEqual(at(applied(request.object, patches), 'spec'), at(request.oldObject, 'spec'));
}

/** It brings a spec, which another rule puts there. */
function isRollback(request: AdmissionRequest): boolean {
  const value = textAt(request.object, 'metadata', 'annotations', ROLLBACK);
  return value !== '' && hasChanged(request, 'metadata', 'annotations', ROLLBACK);
}
