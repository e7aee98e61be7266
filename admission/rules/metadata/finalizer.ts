// Adds our finalizer when a Capp is created, so that the hub worker need not write it before it ships.
import { FINALIZER } from '../../../crds/labels.ts';
import { isFields } from '../../../kube/fields.ts';
import { at } from '../../fields.ts';
import type { AdmissionRule } from '../../rule.ts';
import { pointer } from '../../patch.ts';

/** A Capp that was created while no webhook ran gets it from the hub worker, before its first work. */
export const finalizer: AdmissionRule = ({ operation, object }) => {
  const metadata = at(object, 'metadata');
  if (operation !== 'CREATE' || !isFields(metadata)) return {};
  const present = metadata['finalizers'] ?? [];
  if (!Array.isArray(present) || present.includes(FINALIZER)) return {};
  return {
    patches: [
      { op: 'add', path: pointer('metadata', 'finalizers'), value: [...(present as unknown[]), FINALIZER] },
    ],
  };
};
