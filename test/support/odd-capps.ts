// Capps that nobody would write: fields missing, of other types, of any length, and of names that JavaScript has its own ideas about.
import { FORCE, LAST_UPDATED_BY, MIGRATE } from '../../crds/labels.ts';
import type { Random } from './random.ts';

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

export function oddCapp(dice: Random): unknown {
  return odd(dice, () =>
    fields(dice, {
      apiVersion: () => 'rcs.dana.io/v1alpha1',
      kind: () => 'Capp',
      metadata: () =>
        fields(dice, {
          name: () => dice.pick(TEXTS),
          annotations: () => fields(dice, { [MIGRATE]: text, [FORCE]: text, [LAST_UPDATED_BY]: text }),
        }),
      spec: () =>
        fields(dice, {
          site: text,
          state: () => dice.pick(['enabled', 'disabled', 'dreaming']),
          scaleMetric: text,
          configurationSpec: () => fields(dice, { template: () => fields(dice, { spec: () => pod(dice) }) }),
          routeSpec: () => fields(dice, { hostname: text, tlsEnabled: () => dice.chance(0.5), tlsSecret: text }),
          logSpec: () => fields(dice, { type: () => 'elastic', host: text, username: text, sslVerify: () => true }),
          volumesSpec: () => fields(dice, { nfsVolumes: () => [{}] }),
          migration: () => fields(dice, { policy: text }),
          constructor: text,
        }),
    }),
  );

  function text(): string {
    return dice.pick(TEXTS);
  }
}

function pod(dice: Random): unknown {
  const container = (): unknown =>
    odd(dice, () =>
      fields(dice, {
        name: () => dice.pick(TEXTS),
        image: () => dice.pick(TEXTS),
        resources: () => fields(dice, { requests: () => quantities(dice), limits: () => quantities(dice), claims: () => [] }),
      }),
    );
  return fields(dice, { containers: () => Array.from({ length: Math.floor(dice.next() * 4) }, container), toString: () => 1 });
}

function quantities(dice: Random): unknown {
  return fields(dice, { cpu: () => dice.pick([1, '100m', '', '1e3', null, {}]), memory: () => dice.pick(['1Gi', 'much', -1, 2 ** 40]) });
}

/** Mostly the thing itself. */
function odd(dice: Random, usual: () => unknown): unknown {
  return dice.chance(0.08) ? dice.pick<unknown>([null, true, 0, -1.5, '', 'text', [], [null], {}, { a: { b: [] } }]) : usual();
}

function fields(dice: Random, makers: Readonly<Record<string, () => unknown>>): object {
  const kept = Object.entries(makers).filter(() => dice.chance(0.75));
  return Object.fromEntries(kept.map(([name, make]) => [name, odd(dice, make)]));
}
