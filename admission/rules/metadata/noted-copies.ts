// The annotations by which the hub worker knows where a Capp has its copies. An edit by anybody else leaves
// them as they are; a Capp that is made may bring them, as one does that a backup restores.
import { NOTED_COPIES } from '../../../crds/labels.ts';
import { textAt } from '../../fields.ts';
import { annotate, applied, type Operation } from '../../patch.ts';
import { isControlPlane } from '../../request.ts';
import type { AdmissionRule } from '../../rule.ts';

export const notedCopies: AdmissionRule = (request, known) => {
  const { operation, object, oldObject } = request;
  if (operation !== 'UPDATE' || isControlPlane(request, known.namespace)) return {};
  const patches: Operation[] = [];
  const warnings: string[] = [];
  for (const note of NOTED_COPIES) {
    const before = textAt(oldObject, 'metadata', 'annotations', note);
    // It rests on those before it, which may have to make the annotations.
    patches.push(...annotate(applied(object, patches), note, before === '' ? null : before));
    if (!['', before].includes(textAt(object, 'metadata', 'annotations', note)))
      warnings.push(
        `The hub alone writes the annotation ${note}, and it stays as it is: take it out of your manifest.`,
      );
  }
  return { patches, warnings };
};
