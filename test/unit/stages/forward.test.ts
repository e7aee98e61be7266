// A revision on its way forward, stage by stage.
import { begin } from '../../../workflows/stages/rollout.ts';
import { aTarget, planned, targets, written } from '../../support/builders/fleet/rollouts.ts';
import { NOW } from '../../support/builders/states.ts';

const CANARY = { tier: 'canary' };
const CANARY_FIRST = { stages: [{ name: 'canary', sites: { matchLabels: CANARY } }] };

/** `s1` is the canary. */
const fleet = (canary: object, others: object = {}) => [
  aTarget('s1', { labels: CANARY, ...canary }),
  aTarget('s2', others),
  aTarget('s3', others),
];
const AT_NEW = { revision: 'new', since: NOW - 60_000 } as const;

test('without stages a quarter of the sites is under way at once, and at least one', () => {
  expect(written(planned(targets(3)))).toEqual(['s1=new']);
  expect(written(planned(targets(8)))).toEqual(['s1=new', 's2=new']);
});

test('the gate opens only for copies that are Ready at this revision, not for those that are Ready at the old one', () => {
  const strategy = { ...CANARY_FIRST, maxConcurrent: 5 };
  expect(written(planned(fleet({}), { strategy }))).toEqual(['s1=new']);
  expect(written(planned(fleet({ ...AT_NEW, verdict: 'Progressing' }), { strategy }))).toEqual([]);
  expect(written(planned(fleet(AT_NEW), { strategy }))).toEqual(['s2=new', 's3=new']);
});

test('a rollout ends when every site is Ready at the revision, which is settled then', () => {
  const { done, hold, rollout } = planned(targets(3, AT_NEW));
  expect({ done, hold, rollout }).toMatchObject({
    done: true,
    hold: null,
    rollout: { settled: 'new', halfway: [], closed: [] },
  });
});

test('the revision that was settled before is known, also after one that never was', () => {
  const first = planned(targets(3, AT_NEW)).rollout;
  const failed = begin(first, 'bad', NOW);
  const after = targets(3, { ...AT_NEW, revision: 'newer' });
  const { rollout } = planned(after, { rollout: begin(failed, 'newer', NOW) });
  expect(rollout).toMatchObject({ settled: 'newer', before: 'new' });
  expect(planned(after, { rollout }).rollout).toEqual(rollout);
});

test('a plan that changes nothing gives back the same rollout', () => {
  const first = planned(targets(3, AT_NEW)).rollout;
  expect(planned(targets(3, AT_NEW), { rollout: first }).rollout).toEqual(first);
});

test('a failed canary stops the rollout, and the message names it', () => {
  const { advance, hold } = planned(fleet({ ...AT_NEW, verdict: 'Failed' }), { strategy: CANARY_FIRST });
  expect(advance).toEqual([]);
  expect(hold).toMatchObject({
    reason: 'SitesFailed',
    message: expect.stringContaining('1 of 1 site of stage canary failed (s1), and maxFailures allows 0.'),
  });
});

test('sites that are not Ready with a revision of ours go first, and no more of them than may be under way', () => {
  const broken = { revision: 'bad', verdict: 'Progressing' } as const;
  const sites = [aTarget('s1', { ...AT_NEW, verdict: 'Progressing' })].concat(
    ['s2', 's3', 's4'].map((cluster) => aTarget(cluster, broken)),
  );
  const going = planned(sites, { strategy: { maxConcurrent: 2 }, rollout: { halfway: ['bad'] } });
  expect(written(going)).toEqual(['s2=new']);
});

test('a stage of which more sites have failed than may is said to be open, though all others are Ready', () => {
  const canaries = [
    aTarget('s1', { ...AT_NEW, labels: CANARY }),
    aTarget('s2', { ...AT_NEW, labels: CANARY, verdict: 'Failed' }),
  ];
  const { stages } = planned([...canaries, aTarget('s3')], { strategy: CANARY_FIRST });
  expect(stages.map(({ name, state }) => [name, state])).toEqual([
    ['canary', 'Open'],
    ['rest', 'Waiting'],
  ]);
});
