// Random strategies, each valid.
import type { z } from 'zod';
import { Strategy } from '../../../crds/rollout/stages.ts';
import type { Random } from '../builders/random.ts';

type Given = z.input<typeof Strategy>;

export function aRandomStrategy(chance: Random): Strategy {
  const maybe = <T extends object>(part: T): T | object => (chance.chance(0.5) ? part : {});
  return Strategy.parse({
    ...maybe({ stages: someStages(chance) }),
    ...maybe({ maxConcurrent: chance.pick([1, 2, 3, '25%', '50%', '100%']) }),
    ...maybe({ maxFailures: chance.pick([0, 1, 2, '20%']) }),
    ...maybe({ soakSeconds: chance.pick([10, 600]) }),
    ...maybe({ deadlineSeconds: chance.pick([60, 900]) }),
    ...maybe({ offline: chance.pick(['Later', 'Wait', 'Fail'] as const) }),
    ...maybe({ onFailure: 'RollBack' as const }),
    ...(chance.chance(0.2) ? { windows: [aWindow(chance)] } : {}),
  });
}

function someStages(chance: Random): NonNullable<Given['stages']> {
  const checked = chance.chance(0.6) ? { verify: [{ name: 'answers', http: { path: '/' } }] } : {};
  const all: NonNullable<Given['stages']> = [
    {
      name: 'canary',
      sites: { matchLabels: { tier: 'canary' } },
      maxConcurrent: 1,
      soakSeconds: 60,
      ...checked,
    },
    { name: 'tenth', sites: { percent: chance.pick([10, 30]) }, approval: 'Required' },
    { name: 'two', sites: { count: 2 }, maxFailures: chance.pick([0, 1]), ...checked },
    { name: 'last', maxConcurrent: '50%' },
  ];
  const some = all.filter(() => chance.chance(0.6));
  return some.length === 0 ? all : some;
}

function aWindow(chance: Random): NonNullable<Given['windows']>[number] {
  return {
    days: ['Mon', 'Wed', 'Sat'],
    from: chance.pick(['22:00', '01:30']),
    to: chance.pick(['04:00', '12:15']),
    timeZone: chance.pick(['UTC', 'Europe/Berlin', 'America/New_York']),
  };
}
