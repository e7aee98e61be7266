// A CappSet is checked as if its author wrote each of its Capps: the set is no way around what a Capp may not
// have.
import { CappSetSpec } from '../../../crds/set/cappset.ts';
import { MANIFEST_LIMIT } from '../../../crds/ocm/work-size.ts';
import { placementWarnings } from './placements.ts';
import { childProblems } from './children.ts';
import { problemsAt } from './strategy.ts';
import { templateProblems } from './template.ts';
import { stageLimits, stageQueries } from '../spec/queries.ts';
import { at } from '../../fields.ts';
import { hasChanged } from '../../request.ts';
import type { Problem, AdmissionRule } from '../../rule.ts';

export const cappSet: AdmissionRule = (request, known) => {
  if (request.operation !== 'CREATE' && !hasChanged(request, 'spec')) return {};
  const large = tooLarge(at(request.object, 'spec', 'template'));
  if (large.length > 0) return { problems: large };
  const parsed = CappSetSpec.safeParse(at(request.object, 'spec'));
  if (!parsed.success) return { problems: problemsAt('spec', parsed.error.issues) };
  const problems = [...templateProblems(parsed.data), ...stageQueries(request)];
  if (problems.length > 0) return { problems };
  const found = childProblems(request, parsed.data, known);
  const { placement = '' } = parsed.data;
  return {
    problems: found.problems,
    warnings: [...stageLimits(request), ...found.warnings, ...placementWarnings(placement, request, known)],
  };
};

/** A work cannot carry it, and whoever reads it would take long. */
function tooLarge(template: unknown): Problem[] {
  const bytes = Buffer.byteLength(JSON.stringify(template ?? null));
  if (bytes <= MANIFEST_LIMIT) return [];
  const message = `has ${bytes} bytes, and a ManifestWork carries ${MANIFEST_LIMIT} at most: make it smaller, such as by ConfigMaps that it names`;
  return [{ field: 'spec.template', reason: 'FieldValueInvalid', message, fromCache: false }];
}
