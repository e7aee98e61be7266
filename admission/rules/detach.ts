// Deleting a ManagedCluster that serves Capps is refused: OCM would delete their only copies with it.
import { ALLOW_DETACH } from '../../crds/labels.ts';
import { textAt } from '../fields.ts';
import { listed, type AdmissionRule } from '../rule.ts';

export const detach: AdmissionRule = ({ operation, name, oldObject }, known) => {
  if (operation !== 'DELETE') return {};
  const allowed = textAt(oldObject, 'metadata', 'annotations', ALLOW_DETACH);
  const capps = allowed === '' || allowed === 'false' ? known.servedBy(name) : [];
  if (capps.length === 0) return {};
  const many = capps.length === 1 ? 'a Capp' : `${capps.length} Capps`;
  const remedy = `Drain it first: create a Drain named ${name}, and wait until they have moved (kubectl wait drain ${name} --for=condition=Complete). If they may go down with it, set the annotation ${ALLOW_DETACH}`;
  const message = `ManagedCluster ${name} serves ${many}: ${listed(capps)}. ${remedy}`;
  return {
    problems: [
      {
        field: `metadata.annotations[${ALLOW_DETACH}]`,
        reason: 'FieldValueForbidden',
        message,
        fromCache: true,
      },
    ],
  };
};
