// Checks that agents make: their queries, since what is beyond the grammar would come to nothing on every
// site, and their limits. What is wrong with a limit is told and not refused: it was allowed once, and what
// the hub writes anew, goes back to, or gets from a backup must arrive.
import { queryFault } from '../../../crds/verification/promql/confine.ts';
import { USUAL_COUNT } from '../../../crds/verification/check.ts';
import { at, listAt, textAt } from '../../fields.ts';
import { newly } from '../../newly.ts';
import type { AdmissionRequest } from '../../request.ts';
import type { AdmissionRule, Problem } from '../../rule.ts';

/** Of a Capp, also of one that a set would write: the placeholders of its template are filled in there. */
export const queries: AdmissionRule = (request) => ({
  problems: newly(request, (object) => ofMoves(object, queryProblems)),
  warnings: told(newly(request, (object) => ofMoves(object, limitProblems))),
});

/** Of a set. */
export function stageQueries(request: AdmissionRequest): readonly Problem[] {
  return newly(request, (object) => ofStages(object, queryProblems));
}

/** Of a set. */
export function stageLimits(request: AdmissionRequest): readonly string[] {
  return told(newly(request, (object) => ofStages(object, limitProblems)));
}

function ofMoves(object: unknown, find: Find): readonly Problem[] {
  return ofChecks(listAt(object, 'spec', 'migration', 'verify'), 'spec.migration.verify', find);
}

function ofStages(object: unknown, find: Find): readonly Problem[] {
  return listAt(object, 'spec', 'strategy', 'stages').flatMap((stage, index) =>
    ofChecks(listAt(stage, 'verify'), `spec.strategy.stages[${index}].verify`, find),
  );
}

function told(found: readonly Problem[]): string[] {
  return found.map(({ field, message }) => `${field} ${message}.`);
}

function ofChecks(checks: readonly unknown[], field: string, find: Find): readonly Problem[] {
  return checks.flatMap((check, index) =>
    find(check).map(([name, message]) => ({
      field: `${field}[${index}].${name}`,
      reason: 'FieldValueInvalid' as const,
      message,
      fromCache: false,
    })),
  );
}

type Fault = readonly [field: string, message: string];
type Find = (check: unknown) => readonly Fault[];

function queryProblems(check: unknown): readonly Fault[] {
  const query = textAt(check, 'prometheus', 'query');
  const fault = query === '' ? null : queryFault(query);
  if (fault === null) return [];
  return [['prometheus.query', `is no query that can be kept in the Capp's namespace: ${fault}`]];
}

function limitProblems(check: unknown): readonly Fault[] {
  const limit = at(check, 'inconclusiveLimit');
  const count = at(check, 'count') ?? USUAL_COUNT;
  if (typeof limit !== 'number' || typeof count !== 'number' || limit < count) return [];
  const name = textAt(check, 'name');
  return [['inconclusiveLimit', `is not below count, so check ${name} can never come to nothing: lower it`]];
}
