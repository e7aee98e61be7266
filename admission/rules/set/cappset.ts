// A CappSet is checked as if its author wrote each of its Capps: the set is no way around what a Capp may not have.
import { CappSetSpec } from '../../../crds/set/cappset.ts';
import { placementWarnings } from './placements.ts';
import { childProblems } from './children.ts';
import { problemsAt } from './strategy.ts';
import { templateProblems } from './template.ts';
import { at } from '../../fields.ts';
import { hasChanged } from '../../request.ts';
import type { Rule } from '../../rule.ts';

export const cappSet: Rule = (request, known) => {
  if (request.operation !== 'CREATE' && !hasChanged(request, 'spec')) return {};
  const parsed = CappSetSpec.safeParse(at(request.object, 'spec'));
  if (!parsed.success) return { problems: problemsAt('spec', parsed.error.issues) };
  const problems = templateProblems(parsed.data);
  return problems.length > 0
    ? { problems }
    : {
        problems: childProblems(request, parsed.data, known),
        warnings: placementWarnings(parsed.data.placement ?? '', request, known),
      };
};
