// The mark of a Drain that is made for one answer, and deleted soon. A drain itself keeps none, or it would
// be deleted as soon as somebody made a dry run of it again.
import { ENDS_AFTER } from '../../../crds/labels.ts';
import { at, textAt } from '../../fields.ts';
import { annotate } from '../../patch.ts';
import type { AdmissionRule } from '../../rule.ts';

export const drainEnds: AdmissionRule = ({ object }) => {
  const isDryRun = at(object, 'spec', 'dryRun') === true;
  const kept = isDryRun ? textAt(object, 'metadata', 'annotations', ENDS_AFTER) : '';
  return { patches: annotate(object, ENDS_AFTER, kept) };
};
