// When the Jobs that check a Bundle go from a site, and when they stay for people to read.
import { endedChecks } from '../../../../../activities/hub/bundle/checks/ended.ts';
import { liveMetadata } from '../../../../../activities/hub/bundle/works.ts';
import { CHECKS_OF, VERIFY } from '../../../../../crds/labels.ts';
import { checkWorkName } from '../../../../../crds/ocm/check-work.ts';
import { askedBy, textOf } from '../../../../../crds/verification/asked-of-jobs.ts';
import type { Kube } from '../../../../../kube/client.ts';
import type { KubeObject } from '../../../../../kube/resource.ts';
import { aRollout } from '../../../../support/builders/fleet/rollouts.ts';

type Look = Parameters<typeof endedChecks>[0];

const ASKED = askedBy({ revision: 'new', round: '1/0', checks: '[]' });
const JOBS: KubeObject = {
  metadata: { namespace: 'site-1', name: 'verify-apps.base', annotations: { [VERIFY]: textOf(ASKED) } },
};

interface Given {
  readonly rollout?: object;
  readonly verdict?: 'Passed' | 'Failed';
  /** Sites that the plan asks for now. */
  readonly verify?: readonly string[];
  readonly revision?: string;
  readonly sites?: readonly string[];
}

function look({
  rollout = {},
  verdict = 'Failed',
  verify = [],
  revision = 'new',
  sites = ['site-1'],
}: Given = {}): Look {
  const noted = textOf({ ...ASKED, verdict, at: 1, says: '' });
  const members = sites.map((cluster) => ({
    site: { cluster },
    target: { revision },
    work: { metadata: { annotations: { [VERIFY]: noted } } },
  }));
  const plan = { verify: verify.map((cluster) => ({ cluster })) };
  return { plan, members, memory: { rollout: aRollout(rollout) } } as unknown as Look;
}

test.each<[string, Given, number]>([
  ['has failed stays while its rollout goes on', {}, 0],
  ['has passed goes', { verdict: 'Passed' }, 1],
  ['is on a site that the Bundle leaves goes', { sites: [] }, 1],
  ['is of a rollout that goes back goes', { rollout: { direction: 'Back' } }, 1],
  ['is of a rollout that was aborted goes', { rollout: { aborted: true } }, 1],
  ['is of a rollout that is done goes', { rollout: { settled: 'new' } }, 1],
  ['is of another revision than the rollout goes', { rollout: { revision: 'newer' } }, 1],
  ['is of another revision than its site goes', { revision: 'old' }, 1],
  ['is written anew in this turn stays', { verdict: 'Passed', verify: ['site-1'] }, 0],
])('a Job that %s', (_what, given, gone) => {
  expect(endedChecks(look(given), [JOBS])).toHaveLength(gone);
});

test('Jobs that are going already are left alone', () => {
  const going = { metadata: { ...JOBS.metadata, deletionTimestamp: '2026-03-01T12:00:00Z' } };
  expect(endedChecks(look({ verdict: 'Passed' }), [going])).toEqual([]);
});

test("a Bundle that goes finds its Jobs by their name, and nobody else's", async () => {
  const name = checkWorkName({ namespace: 'apps', name: 'base' });
  const own = { metadata: { namespace: 'site-1', name, labels: { [CHECKS_OF]: 'x' } } };
  const somebodys = { metadata: { namespace: 'site-2', name } };
  const kube = {
    list: async (_kind: unknown, { fieldSelector }: { fieldSelector: string }) => ({
      items: fieldSelector === `metadata.name=${name}` ? [own, somebodys] : [],
    }),
  } as unknown as Kube;
  expect(await liveMetadata(kube, { namespace: 'apps', name: 'base' })).toEqual([own]);
});
