// Random malformed Capps: missing fields, wrong types, extreme lengths, and names with a meaning in
// JavaScript.
import { FORCE, LAST_UPDATED_BY, MIGRATE } from '../../../../crds/labels.ts';
import type { Random } from '../random.ts';

const TEXTS = [
  '',
  'site-1',
  'atlantis',
  'app.example.com',
  '..',
  '#',
  'site-1#1',
  '\u{1f6a2}',
  'a'.repeat(300),
  '1Gi',
  '__proto__',
  '\u0000',
  '-',
];
const OTHERS: readonly unknown[] = [null, true, 0, -1.5, '', 'text', [], [null], {}, { a: { b: [] } }];

/**
 * The probabilities that a field is missing and that it has a wrong type. Half of all Capps are nearly valid,
 * so that they pass the first checks.
 */
interface Malformation {
  readonly missing: number;
  readonly other: number;
}
const SLIGHT: Malformation = { missing: 0.01, other: 0.002 };
const SEVERE: Malformation = { missing: 0.25, other: 0.08 };

export function malformedCapp(dice: Random): unknown {
  const malformation = dice.chance(0.5) ? SLIGHT : SEVERE;
  const one =
    (...values: readonly unknown[]) =>
    (): unknown =>
      dice.pick(malformation === SLIGHT ? values : [...values, ...TEXTS]);
  const some = (makers: Makers) => (): unknown => fields(dice, malformation, makers);
  const few = (make: () => unknown) => (): unknown =>
    Array.from({ length: Math.floor(dice.next() * 3) + (malformation === SLIGHT ? 1 : 0) }, make);

  const text = one(...TEXTS);
  const amounts = some({ cpu: one(1, '100m', '2'), memory: one('1Gi', '16Mi') });
  let index = 0;
  const container = some({
    name: () => `c${(index += 1)}`,
    image: one('ghcr.io/me/app:v1'),
    resources: some({ requests: amounts, limits: amounts, claims: () => [] }),
    anything: text,
  });
  const annotations = some({
    [MIGRATE]: one('', '#1', 'site-1#1', 'atlantis#1'),
    [FORCE]: one('', '?'),
    [LAST_UPDATED_BY]: text,
  });
  const spec = some({
    site: one('', '', 'site-1', 'atlantis'),
    state: one('enabled', 'disabled'),
    configurationSpec: some({
      template: some({ spec: some({ containers: few(container), toString: () => 1 }) }),
    }),
    routeSpec: some({
      hostname: one('a.example.com', 'b.example.com', 'no', 'x.cluster.local'),
      tlsSecret: one('x'),
    }),
    ...(dice.chance(0.2)
      ? { logSpec: some({ type: one('elastic'), host: text, username: text, sslVerify: () => true }) }
      : {}),
    ...(dice.chance(0.2)
      ? { volumesSpec: some({ nfsVolumes: few(some({ name: text, server: text })) }), constructor: text }
      : {}),
    migration: some({ policy: one('Evacuate', 'Manual') }),
  });
  const metadata = some({ name: one('odd-1', 'odd-2'), annotations });
  return some({ apiVersion: () => 'rcs.dana.io/v1alpha1', kind: () => 'Capp', metadata, spec })();
}

type Makers = Readonly<Record<string, () => unknown>>;

function fields(dice: Random, { missing, other }: Malformation, makers: Makers): unknown {
  if (dice.chance(other)) return dice.pick(OTHERS);
  const kept = Object.entries(makers).filter(() => !dice.chance(missing));
  return Object.fromEntries(
    kept.map(([name, make]) => [name, dice.chance(other) ? dice.pick(OTHERS) : make()]),
  );
}
