// No Capp is created in a reserved namespace. One that runs there already may be disabled or deleted.
import type { Common } from '../known.ts';
import { isReservedNamespace, reservedMessage } from '../../crds/reserved-namespaces.ts';
import { at } from '../fields.ts';
import type { AdmissionRule } from '../rule.ts';
import { hasChanged } from '../request.ts';

export const reservedNamespace: AdmissionRule<Common> = (request, { reserved }) => {
  if (!isReservedNamespace(request.namespace, reserved) || !hasChanged(request, 'spec')) return {};
  const isStop = request.operation === 'UPDATE' && at(request.object, 'spec', 'state') === 'disabled';
  if (isStop) return {};
  return {
    problems: [
      {
        field: 'metadata.namespace',
        reason: 'FieldValueForbidden',
        message: reservedMessage(request.namespace),
        fromCache: false,
      },
    ],
  };
};
