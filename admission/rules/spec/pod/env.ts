// The environment of a container: what Knative sets itself nobody else sets.
import { listAt, textAt } from '../../../fields.ts';
import type { Problem } from '../../../rule.ts';
import { again, type FoundContainer, having, problem } from './found.ts';

/** https://github.com/knative/specs/blob/main/specs/serving/runtime-contract.md#process */
const SET_BY_KNATIVE = new Set(['K_SERVICE', 'K_CONFIGURATION', 'K_REVISION']);
const PORT = 'PORT';
const SOURCES = ['configMapRef', 'secretRef'] as const;

export function envProblems({ value, path, role }: FoundContainer): Problem[] {
  const names = listAt(value, 'env').map((one) => textAt(one, 'name'));
  return [
    ...names.flatMap((name, index) => {
      const field = `${path}.env[${index}].name`;
      if (SET_BY_KNATIVE.has(name))
        return [
          problem(field, `Knative sets ${name} itself: leave it out, or give the variable another name`),
        ];
      return name === PORT && role === 'serving'
        ? [
            problem(
              field,
              `Knative sets ${PORT} itself: leave it out, and write the number as ports[0].containerPort`,
            ),
          ]
        : [];
    }),
    // An init container has no schema in Knative, so Kubernetes' own rules hold: the last one counts.
    ...(role === 'init' ? [] : again(listAt(value, 'env'), `${path}.env`)),
    ...listAt(value, 'envFrom').flatMap((one, index) => sourceProblems(one, `${path}.envFrom[${index}]`)),
  ];
}

function sourceProblems(one: unknown, path: string): Problem[] {
  const named = having(one, SOURCES);
  if (named.length === 1) return [];
  return named.length === 0
    ? [problem(path, `must name a ConfigMap or a Secret: write ${SOURCES.join(' or ')}`)]
    : [problem(path, 'names a ConfigMap and a Secret: write an entry for each')];
}
