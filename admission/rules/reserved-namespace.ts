// No Capp is asked for in a namespace where a site's own parts run. One that runs there already may be stopped, and may go.
import { isReservedNamespace, reservedMessage } from '../../crds/reserved-namespaces.ts';
import { at } from '../fields.ts';
import type { Rule } from '../opinion.ts';
import { hasChanged } from '../request.ts';

export const reservedNamespace: Rule = (request, { reserved }) => {
  if (!isReservedNamespace(request.namespace, reserved) || !hasChanged(request, 'spec')) return {};
  const isStop = request.operation === 'UPDATE' && at(request.object, 'spec', 'state') === 'disabled';
  if (isStop) return {};
  return {
    problems: [{ field: 'metadata.namespace', reason: 'FieldValueForbidden', message: reservedMessage(request.namespace), looked: false }],
  };
};
