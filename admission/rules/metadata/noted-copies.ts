// The annotations by which the hub worker knows where a Capp has its copies. An edit by anybody else leaves
// them as they are; a Capp that is made may bring them, as one does that a backup restores.
import { NOTED_COPIES } from '../../../crds/labels.ts';
import { textAt } from '../../fields.ts';
import { annotateAll } from '../../patch.ts';
import { isControlPlane } from '../../request.ts';
import type { AdmissionRule } from '../../rule.ts';

export const notedCopies: AdmissionRule = (request, known) => {
  const { operation, object, oldObject } = request;
  if (operation !== 'UPDATE' || isControlPlane(request, known.namespace)) return {};
  const noted = (of: unknown, note: string): string => textAt(of, 'metadata', 'annotations', note);
  const isForged = (note: string): boolean => !['', noted(oldObject, note)].includes(noted(object, note));
  return {
    patches: annotateAll(
      object,
      NOTED_COPIES.map((note) => [note, noted(oldObject, note)]),
    ),
    warnings: NOTED_COPIES.filter(isForged).map(
      (note) =>
        `The hub alone writes the annotation ${note}, and it stays as it is: take it out of your manifest.`,
    ),
  };
};
