// Queries of checks: ones that agents ask. What is beyond the grammar would come to nothing on every site.
import { queryFault } from '../../../crds/verification/promql/confine.ts';
import { listAt, textAt } from '../../fields.ts';
import { newly } from '../../newly.ts';
import type { AdmissionRequest } from '../../request.ts';
import type { AdmissionRule, Problem } from '../../rule.ts';

/** Of a Capp, also of one that a set would write: the placeholders of its template are filled in there. */
export const queries: AdmissionRule = (request) => ({
  problems: newly(request, (object) =>
    ofChecks(listAt(object, 'spec', 'migration', 'verify'), 'spec.migration.verify'),
  ),
});

/** Of a set. */
export function stageQueries(request: AdmissionRequest): readonly Problem[] {
  return newly(request, (object) =>
    listAt(object, 'spec', 'strategy', 'stages').flatMap((stage, index) =>
      ofChecks(listAt(stage, 'verify'), `spec.strategy.stages[${index}].verify`),
    ),
  );
}

function ofChecks(checks: readonly unknown[], field: string): readonly Problem[] {
  return checks.flatMap((check, index) => {
    const query = textAt(check, 'prometheus', 'query');
    const fault = query === '' ? null : queryFault(query);
    if (fault === null) return [];
    return [
      {
        field: `${field}[${index}].prometheus.query`,
        reason: 'FieldValueInvalid' as const,
        message: `is no query that can be kept in the Capp's namespace: ${fault}`,
        fromCache: false,
      },
    ];
  });
}
