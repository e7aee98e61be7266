// The annotations by which the hub worker knows where a Capp has its copies, with what its set wrote it, and
// which checks of it were asked for. An edit by anybody else leaves them as they are; a Capp that is made may
// bring them, as one does that a backup restores.
import { HUB_NOTES } from '../../../crds/labels.ts';
import { textAt } from '../../fields.ts';
import { annotateAll } from '../../patch.ts';
import { isControlPlane } from '../../request.ts';
import type { AdmissionRule } from '../../rule.ts';

export const hubNotes: AdmissionRule = (request, known) => {
  const { operation, object, oldObject } = request;
  if (operation !== 'UPDATE' || isControlPlane(request, known.namespace)) return {};
  const noted = (of: unknown, note: string): string => textAt(of, 'metadata', 'annotations', note);
  const isForged = (note: string): boolean => !['', noted(oldObject, note)].includes(noted(object, note));
  return {
    patches: annotateAll(
      object,
      HUB_NOTES.map((note) => [note, noted(oldObject, note)]),
    ),
    warnings: HUB_NOTES.filter(isForged).map(
      (note) =>
        `The hub alone writes the annotation ${note}, and it stays as it is: take it out of your manifest.`,
    ),
  };
};
