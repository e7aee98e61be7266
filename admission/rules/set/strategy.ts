// What the schema of the API server cannot say of a strategy, such as that there is no such time zone.
import { Strategy } from '../../../crds/rollout/stages.ts';
import { at } from '../../fields.ts';
import type { AdmissionRequest } from '../../request.ts';
import type { Problem } from '../../rule.ts';

/** The first of them are enough to see what is wrong. */
const MOST_PROBLEMS = 5;

export function strategyProblems({ object }: AdmissionRequest): Problem[] {
  const parsed = Strategy.safeParse(at(object, 'spec', 'strategy') ?? {});
  return parsed.success ? [] : problemsAt('spec.strategy', parsed.error.issues);
}

export function problemsAt(
  field: string,
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): Problem[] {
  return issues.slice(0, MOST_PROBLEMS).map(({ path, message }) => ({
    field: path.reduce<string>(
      (text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text}.${String(part)}`),
      field,
    ),
    reason: 'FieldValueInvalid',
    message,
    fromCache: false,
  }));
}
