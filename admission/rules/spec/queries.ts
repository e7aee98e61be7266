// Checks that agents make: their queries, since what is beyond the grammar would come to nothing on every
// site, and their limits.
import { queryFault } from '../../../crds/verification/promql/confine.ts';
import { USUAL_COUNT } from '../../../crds/verification/check.ts';
import { at, listAt, textAt } from '../../fields.ts';
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
  return checks.flatMap((check, index) =>
    [...queryProblems(check), ...limitProblems(check)].map(([name, message]) => ({
      field: `${field}[${index}].${name}`,
      reason: 'FieldValueInvalid' as const,
      message,
      fromCache: false,
    })),
  );
}

type Fault = readonly [field: string, message: string];

function queryProblems(check: unknown): readonly Fault[] {
  const query = textAt(check, 'prometheus', 'query');
  const fault = query === '' ? null : queryFault(query);
  if (fault === null) return [];
  return [['prometheus.query', `is no query that can be kept in the Capp's namespace: ${fault}`]];
}

/** Objects from before this rule have such limits, so the schema does not refuse them. */
function limitProblems(check: unknown): readonly Fault[] {
  const limit = at(check, 'inconclusiveLimit');
  const count = at(check, 'count') ?? USUAL_COUNT;
  if (typeof limit !== 'number' || typeof count !== 'number' || limit < count) return [];
  const name = textAt(check, 'name');
  return [
    ['inconclusiveLimit', `must be below count, or check ${name} could never come to nothing: lower it`],
  ];
}
