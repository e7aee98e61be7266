// What Kubernetes refuses of the volumes of a Pod although Knative takes it: paths and modes of files, and
// the life of tokens.
import { at, listAt, textAt } from '../../../fields.ts';
import type { Problem } from '../../../rule.ts';
import { downwardProblems, OF_FILES } from './downward.ts';
import { problem, quoted } from './found.ts';

const WITH_ITEMS = ['configMap', 'secret', 'downwardAPI'] as const;
const HIGHEST_MODE = 0o777;

export function volumesUnmakeable(volumes: readonly unknown[], path: string): Problem[] {
  return volumes.flatMap((volume, index) => {
    const field = `${path}[${index}]`;
    return [
      ...[...WITH_ITEMS, 'projected'].flatMap((kind) => modeProblems(volume, [kind, 'defaultMode'], field)),
      ...WITH_ITEMS.flatMap((kind) => itemProblems(at(volume, kind), `${field}.${kind}`)),
      ...listAt(volume, 'projected', 'sources').flatMap((source, place) =>
        projectedProblems(source, `${field}.projected.sources[${place}]`),
      ),
    ];
  });
}

function projectedProblems(source: unknown, path: string): Problem[] {
  return [
    ...WITH_ITEMS.flatMap((kind) => itemProblems(at(source, kind), `${path}.${kind}`)),
    ...tokenProblems(at(source, 'serviceAccountToken'), `${path}.serviceAccountToken`),
  ];
}

const SHORTEST_S = 600;
const LONGEST_S = 2 ** 32;

function tokenProblems(token: unknown, path: string): Problem[] {
  const seconds = at(token, 'expirationSeconds');
  const isLegal = typeof seconds !== 'number' || (seconds >= SHORTEST_S && seconds <= LONGEST_S);
  return [
    ...pathProblems(textAt(token, 'path'), `${path}.path`),
    ...(isLegal
      ? []
      : [
          problem(
            `${path}.expirationSeconds`,
            `${seconds} must be from ${SHORTEST_S} to ${LONGEST_S}: correct it, or leave it out for an hour`,
          ),
        ]),
  ];
}

function itemProblems(source: unknown, path: string): Problem[] {
  return listAt(source, 'items').flatMap((item, index) => {
    const field = `${path}.items[${index}]`;
    return [
      ...pathProblems(textAt(item, 'path'), `${field}.path`),
      ...modeProblems(item, ['mode'], field),
      ...downwardProblems(item, field, OF_FILES),
    ];
  });
}

function pathProblems(path: string, field: string): Problem[] {
  return path.startsWith('/') || path.startsWith('..') || stepsOut(path)
    ? [problem(field, `${quoted(path)} must be a path within the volume, without "/" or ".." before it`)]
    : [];
}

/** Whether a part of the path is "..". */
export function stepsOut(path: string): boolean {
  return path.split('/').includes('..');
}

/** YAML reads 644 as a decimal, and 0644 as an octal. */
function modeProblems(value: unknown, place: readonly string[], path: string): Problem[] {
  const mode = at(value, ...place);
  return typeof mode !== 'number' || (mode >= 0 && mode <= HIGHEST_MODE)
    ? []
    : [
        problem(
          `${path}.${place.join('.')}`,
          `${mode} must be from 0 to 0777 in octal, 511 in decimal: write such as 0644 in YAML, 420 in JSON`,
        ),
      ];
}
