// A Capp is held by our finalizer from its creation: nothing can be shipped for one that nothing holds, and the hub worker need not write it.
import { FINALIZER } from '../../crds/labels.ts';
import { at, isFields } from '../fields.ts';
import type { Rule } from '../opinion.ts';
import { pointer } from '../patch.ts';

/** A Capp that was made while no webhook answered gets it from the hub worker, before its first work. */
export const finalizer: Rule = ({ operation, object }) => {
  const metadata = at(object, 'metadata');
  if (operation !== 'CREATE' || !isFields(metadata)) return {};
  const present = metadata['finalizers'] ?? [];
  if (!Array.isArray(present) || present.includes(FINALIZER)) return {};
  return { patches: [{ op: 'add', path: pointer('metadata', 'finalizers'), value: [...(present as unknown[]), FINALIZER] }] };
};
