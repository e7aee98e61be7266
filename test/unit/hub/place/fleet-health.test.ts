// How many Capps turned unhealthy together, by what the hub has written: the ground on which one of them may
// leave its site.
import { byHealth, fleetHealthOf } from '../../../../activities/hub/place/fleet-health.ts';
import { look } from '../../../../activities/hub/place/choice.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import { clock } from '../../../../workflows/types/clock.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { aField, NOT_ASKED } from '../../../support/builders/placement.ts';
import { MINUTE, NOW } from '../../../support/builders/states.ts';

interface Said {
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly since?: number;
  readonly unhealthySince?: number;
  readonly isGoing?: boolean;
  readonly site?: string;
  readonly images?: readonly string[];
  readonly namespace?: string;
}

function said(name: string, { status, reason = 'Ready', since = NOW, ...more }: Said): Capp {
  const { unhealthySince, isGoing, site, images = [`${name}:v1`] } = more;
  const capp = aCapp();
  const { namespace = 'apps' } = more;
  const containers = images.map((image) => ({ name: image, image }));
  return {
    ...capp,
    metadata: {
      ...capp.metadata,
      name,
      namespace,
      uid: `uid-${name}`,
      ...(isGoing === true ? { deletionTimestamp: clock(NOW) } : {}),
    },
    spec: { ...capp.spec, configurationSpec: { template: { spec: { containers } } } },
    status: {
      ...(site === undefined ? {} : { applicationLinks: { site, consoleLink: '' } }),
      conditions: [{ type: 'Ready', status, reason, message: 'so', lastTransitionTime: clock(since) }],
      ...(unhealthySince === undefined ? {} : { migration: { unhealthySince: clock(unhealthySince) } }),
    },
  };
}

/** What a site says that is wrong with the site, whatever the app. */
const SITES_OWN = [
  'NotServed',
  'NamespaceReserved',
  'NamespaceClosed',
  'NameTaken',
  'Refused',
  'SecretSealed',
  'FeatureOff',
  'NoAutoscaler',
];

/** As the cache indexes them. */
function cached(...capps: readonly Capp[]) {
  const by = (index: string, value: string) =>
    index === 'health' ? capps.filter((capp) => byHealth(capp).includes(value)) : [];
  return { by, count: (index: string, value: string) => by(index, value).length };
}

const ME = { capp: said('me', { status: 'Unknown' }), site: 'site-1', since: NOW };
const ill = (name: string, since = NOW): Capp =>
  said(name, { status: 'False', reason: 'RolloutFailed', since });
const well = (name: string): Capp => said(name, { status: 'True' });

test('the Capp itself counts once, whatever the cache has of it', () => {
  expect(fleetHealthOf(cached(), ME)).toEqual({ ill: 1, of: 1, percent: 25 });
  expect(fleetHealthOf(cached(well('me'), well('a')), ME)).toEqual({ ill: 1, of: 2, percent: 25 });
  expect(fleetHealthOf(cached(ill('me'), well('a')), ME)).toEqual({ ill: 1, of: 2, percent: 25 });
  expect(fleetHealthOf(cached(well('a')), ME, 40).percent).toBe(40);
});

test('those count that turned unhealthy up to ten minutes before it, or after it', () => {
  const fleet = cached(
    ill('a', NOW - 10 * MINUTE),
    ill('b', NOW - 10 * MINUTE - 1_000),
    ill('c', NOW + 90 * MINUTE),
  );
  expect(fleetHealthOf(fleet, ME)).toMatchObject({ ill: 3, of: 3 });
  // However long it waits: those that turned so with it are not forgotten.
  expect(fleetHealthOf(cached(ill('a'), ill('b')), { ...ME, since: NOW - MINUTE })).toMatchObject({ ill: 3 });
});

test.each<[string, Capp, { ill: number; of: number }]>([
  ['whose rollout is under way', said('a', { status: 'Unknown', reason: 'Deploying' }), { ill: 1, of: 1 }],
  ['whose site is lost', said('a', { status: 'Unknown', reason: 'SiteUnreachable' }), { ill: 1, of: 1 }],
  ['whose agent is silent', said('a', { status: 'Unknown', reason: 'AgentSilent' }), { ill: 1, of: 1 }],
  ['that the hub cannot ship', said('a', { status: 'False', reason: 'MissingReference' }), { ill: 1, of: 1 }],
  [
    'that is being deleted',
    said('a', { status: 'False', reason: 'RolloutFailed', isGoing: true }),
    { ill: 1, of: 1 },
  ],
  ['without a status', { ...aCapp(), status: undefined } as never, { ill: 1, of: 1 }],
  [
    'that starts again and again',
    said('a', { status: 'Unknown', reason: 'Deploying', unhealthySince: NOW }),
    { ill: 2, of: 2 },
  ],
  [
    'that is long unhealthy, and failed anew',
    said('a', { status: 'False', reason: 'RolloutFailed', unhealthySince: NOW - 60 * MINUTE }),
    { ill: 1, of: 1 },
  ],
])('a Capp %s counts for what it is', (_what, capp, expected) => {
  expect(fleetHealthOf(cached(capp), ME)).toMatchObject(expected);
});

describe('a Capp with the same images', () => {
  const SHARED = ['shop:v2', 'logs:v1'];
  const me = { ...ME, capp: said('me', { status: 'Unknown', images: SHARED }) };
  const other = (plain: Partial<Said> = {}): Capp =>
    said('a', { status: 'False', reason: 'RolloutFailed', site: 'site-2', images: SHARED, ...plain });

  const told = { name: 'a', site: 'site-2' };
  const again = { status: 'Unknown', reason: 'Deploying', unhealthySince: NOW } as const;

  test.each<[string, Capp, object | undefined]>([
    ['that is unhealthy on another site says that the site is not to blame', other(), told],
    ['says so however long it is unhealthy', other({ since: NOW - 600 * MINUTE }), told],
    ['says so in whatever order it has them', other({ images: SHARED.toReversed() }), told],
    ['says so if its image cannot be pulled', other({ reason: 'ImageNeverReady' }), told],
    ['says so if it starts again and again', other(again), told],
    ['of another namespace says nothing', other({ namespace: 'others' }), undefined],
    ['of which nobody knows the site says nothing', other({ site: '' }), undefined],
    ['on the same site says nothing of that', other({ site: 'site-1' }), undefined],
    ['that is well says nothing', other({ status: 'True' }), undefined],
    [
      'of which nothing is known says nothing',
      other({ status: 'Unknown', reason: 'AgentSilent' }),
      undefined,
    ],
    ['and more is another app', other({ images: [...SHARED, 'more:v1'] }), undefined],
    ['in another version is another app', other({ images: ['shop:v1', 'logs:v1'] }), undefined],
  ])('%s', (_what, capp, expected) => {
    expect(fleetHealthOf(cached(capp), me).sameElsewhere).toEqual(expected);
  });

  test.each(SITES_OWN)('says nothing by what is its site’s own: %s', (reason) => {
    expect(fleetHealthOf(cached(other({ reason })), me)).toMatchObject({ ill: 2 });
    expect(fleetHealthOf(cached(other({ reason })), me).sameElsewhere).toBeUndefined();
    expect(fleetHealthOf(cached(other({ reason, unhealthySince: NOW })), me).sameElsewhere).toBeUndefined();
  });

  test('is the first by its name, in whatever order they are known', () => {
    const named = (name: string) => ({ ...other(), metadata: { ...other().metadata, name, uid: name } });
    const all = ['c', 'b', 'd'].map(named);
    for (const capps of [all, all.toReversed()])
      expect(fleetHealthOf(cached(...capps), me).sameElsewhere).toEqual({ name: 'b', site: 'site-2' });
  });

  test('is never the Capp itself, and where no image can be read nobody has the same', () => {
    const moved = { ...other(), metadata: me.capp.metadata };
    expect(fleetHealthOf(cached(moved), me).sameElsewhere).toBeUndefined();
    const bare = { ...ME, capp: said('me', { status: 'Unknown', images: [] }) };
    expect(fleetHealthOf(cached(other({ images: [] })), bare).sameElsewhere).toBeUndefined();
  });
});

describe('the hub looks for itself', () => {
  const inputs = { ...aField({ works: { a: { leaving: false } } }), present: 'a' };
  const illness = { since: NOW - 6 * MINUTE, generation: 3, says: 'RolloutFailed: It exits.' };
  const told = { ...NOT_ASKED, annotated: { migrate: null, force: null }, copies: ['a'], illness };

  function bearing(plain: { generation?: number; asks?: boolean; strategy?: 'Recreate' } = {}): Capp {
    const { generation = 3, asks = true, strategy } = plain;
    const capp = aCapp();
    const migration = {
      policy: 'Evacuate' as const,
      failback: 'Never' as const,
      strategy: strategy ?? ('MakeBeforeBreak' as const),
      ...(asks ? { unhealthy: { afterSeconds: 300 } } : {}),
    };
    return { ...capp, metadata: { ...capp.metadata, generation }, spec: { ...capp.spec, migration } };
  }

  function outcome(capp: Capp, ill: number, history: object = told): string {
    const fleet = () => ({ ill, of: 10, percent: 25 });
    const choice = look(inputs, history as typeof told, { capp, fleet }, NOW);
    return choice.outcome === 'Leaves'
      ? `${choice.reason} ${choice.to}`
      : 'reason' in choice
        ? choice.reason
        : '';
  }

  test('a message cannot say how others are', () => {
    expect(outcome(bearing(), 1)).toBe('Unhealthy b');
    const forged = { ...told, illness: { ...illness, fleet: { ill: 1, of: 1_000, percent: 100 } } };
    expect(outcome(bearing(), 9, forged)).toBe('FleetUnhealthy');
  });

  test('the Capp itself must ask for it, at the generation that is unhealthy', () => {
    expect(outcome(bearing({ asks: false }), 1)).toBe('NotMoving');
    expect(outcome(bearing({ generation: 4 }), 1)).toBe('NotMoving');
    expect(outcome(bearing({ strategy: 'Recreate' }), 1)).toBe('NotMoving');
  });

  test('it is asked how others are since that Capp turned unhealthy', () => {
    const since: number[] = [];
    const fleet = (at: number) => {
      since.push(at);
      return { ill: 1, of: 10, percent: 25 };
    };
    look(inputs, told, { capp: bearing(), fleet }, NOW);
    expect(since).toEqual([illness.since]);
  });
});
