// A Bundle whose strategy cannot be read: what a person approves meanwhile.
import { heard } from '../../../../activities/hub/rollout/requests.ts';
import { memoryOf } from '../../../../activities/hub/rollout/memory.ts';
import { USUAL_STRATEGY } from '../../../../activities/hub/rollout/usual-strategy.ts';
import { unshippableBundle } from '../../../../activities/hub/bundle/unshippable.ts';
import { seenWork } from '../../../../activities/hub/bundle/status/seen.ts';
import { lookAt } from '../../../../activities/hub/rollout/look.ts';
import { APPROVE } from '../../../../crds/labels.ts';
import { RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import { listed } from '../../../../kube/watch/listed.ts';
import { begin } from '../../../../workflows/stages/rollout.ts';
import { Strategy } from '../../../../crds/rollout/stages.ts';
import { aBundle, reportedWork } from '../../../support/builders/fleet/bundles.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const REVISION = 'f'.repeat(32);
const refusal = { reason: 'Invalid', message: 'The Bundle cannot be read: spec.strategy is wrong.' };
const STAGES = { stages: [{ name: 'first', verify: [{ name: 'up', http: { path: '/' } }] }] };

function told(strategy: Strategy, approval: string) {
  const made = aBundle({}, { annotations: { [APPROVE]: approval } });
  const bundle = { ...made, spec: { ...made.spec, strategy, paused: false } };
  const remembered = { ...memoryOf(bundle, null), rollout: begin(null, REVISION, NOW) };
  const config = { metadata: RCS_CONFIG_KEY, spec: { placements: [] } };
  const none = { get: () => undefined, list: () => [], by: () => [] };
  const caches = {
    clusters: none,
    configs: listed([config]),
    placements: none,
    decisions: none,
    setBindings: none,
    clusterSets: none,
    bundleWorks: none,
  };
  const parts = { caches, hubUid: 'hub', config: RCS_CONFIG_KEY } as never;
  const works = [seenWork(reportedWork(aBundle()) as never)];
  const standing = async (still: object): Promise<never> => still as never;
  const asked = { kube: null as never, parts, bundle, strategy, works, memory: remembered, standing };
  const rolling = unshippableBundle(asked, refusal);
  if ('reason' in rolling) throw new Error(rolling.message);
  const { memory } = heard(rolling.object, remembered, NOW);
  const after = lookAt(rolling.sight, memory, 100, NOW);
  const outcome = {
    look: after,
    after,
    shipped: new Map(),
    asked: [],
    pending: 0,
    unremoved: [],
    changed: [],
  };
  return { memory, said: JSON.stringify(rolling.tell(rolling.object, outcome, NOW).status) };
}

test('an approval waits until somebody can read which stages have checks, and the Bundle says so', () => {
  const unread = told(USUAL_STRATEGY, `first#${REVISION}`);
  expect(unread.memory).toMatchObject({
    rollout: { approved: [] },
    handled: { approve: `?first#${REVISION}` },
  });
  expect(unread.said).toContain(
    'The approval of stage first has not counted yet: it does when the strategy can be read.',
  );
  const read = told(Strategy.parse(STAGES), `first#${REVISION}`);
  expect(read.memory.rollout.approved).toEqual(['first']);
  expect(read.said).not.toContain('approval');
  expect(told(USUAL_STRATEGY, 'first#another').said).not.toContain('approval');
});

test('an approval that has waited excuses no verdict, since one may have come meanwhile', () => {
  const annotated = (strategy: object) =>
    ({
      metadata: { annotations: { [APPROVE]: `first#${REVISION}` } },
      spec: { paused: false, strategy },
    }) as never;
  const begun = { ...memoryOf(aBundle(), null), rollout: begin(null, REVISION, NOW) };
  const readable = annotated(Strategy.parse(STAGES));
  expect(heard(readable, begun, NOW).memory.rollout.decided).toEqual({ first: NOW });
  // A copy of the strategy says it as well.
  const held = heard(annotated(structuredClone(USUAL_STRATEGY)), begun, NOW).memory;
  const counted = heard(readable, held, NOW + 2_000).memory;
  expect(counted.rollout).toMatchObject({ approved: ['first'] });
  expect(counted.rollout.decided).toBeUndefined();
  expect(heard(readable, counted, NOW + 3_000).asked).toEqual([]);
});
