// When a turn of an object on many sites is to be followed by the next at the latest.
import type { FleetObject, Kind, RemovedCopies, Rolling } from '../../../../activities/hub/rollout/kind.ts';
import type { RolloutMember, Sight } from '../../../../activities/hub/rollout/look.ts';
import { turnOf } from '../../../../activities/hub/rollout/turn.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import { CAPP_SET } from '../../../../crds/set/cappset.ts';
import type { Kube } from '../../../../kube/client.ts';
import { aStrategy, aTarget } from '../../../support/builders/fleet/rollouts.ts';
import { NONE_LOST } from '../../../support/builders/fleet/sights.ts';

type Copies = Kind<FleetObject, string, RolloutMember, never>;

/** One site has the revision, and is Ready since long; another is left where `left` says so. */
async function waitAfter(removed: Partial<RemovedCopies>, settlesIn: number | null): Promise<number | null> {
  const found: FleetObject = {
    metadata: { namespace: 'apps', name: 'one', uid: 'u', resourceVersion: '1', finalizers: ['f'] },
  };
  const sight: Sight<string, RolloutMember, never> = {
    object: found,
    strategy: aStrategy(),
    decision: { clusters: ['a'], undecided: null, number: null, placement: null, isNamed: true },
    copies: ['a'],
    keepsUnselected: false,
    siteOf: (copy) => copy,
    isGoing: () => false,
    isReady: () => true,
    isReachable: () => true,
    removableAt: () => 0,
    ...NONE_LOST,
    besides: () => [],
    select: () => ({
      barred: [],
      members: ({ now }) => [
        {
          site: { cluster: 'a' },
          target: aTarget('a', { revision: 'new', since: 0 }),
          settlesAt: settlesIn === null ? null : now + settlesIn,
        },
      ],
    }),
  };
  const rolling: Rolling<FleetObject, string, RolloutMember, never> = {
    object: { ...found, spec: { paused: false } },
    revision: 'new',
    sight,
    wholeNames: async () => [],
    keep: async () => undefined,
    standing: async () => ({}),
    generationOf: () => null,
    ship: async () => new Map(),
    remove: async () => ({ pending: 0, unremoved: [], changed: [], ...removed }),
    tell: () => ({ status: {}, happening: null, says: '' }),
    wakes: () => [],
  };
  const kind: Copies = {
    resource: CAPP_SET,
    copies: CAPP,
    finalizer: 'f',
    fieldManager: 'test',
    isCaughtUp: async () => true,
    read: async () => ({ found, copies: ['a'] }),
    prepare: async () => rolling,
    tellRefused: () => ({ status: {}, happening: null, says: '' }),
    end: async () => ({ outcome: 'Gone' }),
  };
  const kube = { apply: async () => found } as unknown as Kube;
  const turn = turnOf(kind, { note: () => undefined } as never);
  const before = Date.now();
  const ref = { kind: 'CappSet', namespace: 'apps', name: 'one' } as const;
  const turned = await turn(kube, ref, { memory: null, minimumVersions: {}, most: 100, isAgain: false });
  if (turned.outcome !== 'Turned') throw new Error(turned.outcome);
  return turned.wakeAt === null ? null : Math.round((turned.wakeAt - before) / 1_000);
}

const refused = [{ cluster: 'b', reason: 'Forbidden' }];

test.each<[what: string, removed: Partial<RemovedCopies>, settlesIn: number | null, seconds: number | null]>([
  ['nothing is due', {}, null, null],
  ['what is known of a copy counts as something else soon', {}, 10_000, 10],
  ['a copy could not be deleted yet', { pending: 1 }, null, 5],
  ['a copy has changed since it was looked at', { changed: ['b'] }, null, 1],
  ['the hub refuses a removal', { unremoved: refused }, null, 60],
  ['a site has still to answer', { unanswered: ['b'] }, null, 60],
  ['of several the first counts', { unremoved: refused, pending: 1 }, 10_000, 5],
])('when %s', async (_what, removed, settlesIn, seconds) => {
  expect(await waitAfter(removed, settlesIn)).toBe(seconds);
});
