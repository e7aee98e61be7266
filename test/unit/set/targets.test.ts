// What the planner is told of a site: only what is known about exactly the revision that its Capp was written
// with.
import { memberOn, type SeenSet } from '../../../activities/hub/set/targets.ts';
import { SET_WRITER, withOthersFields } from '../../../activities/hub/set/hand-edits.ts';
import { wantedBy } from '../../../activities/hub/set/wanted.ts';
import { CappSpec, type Capp } from '../../../crds/capp/capp.ts';
import { PAUSED, SET_REVISION } from '../../../crds/labels.ts';
import type { CappSet } from '../../../crds/set/cappset.ts';
import { writtenAs } from '../../../crds/written.ts';
import { contentOf, render, revisionOf, type Rendered } from '../../../crds/set/render.ts';
import type { Refused } from '../../../workflows/stages/memory.ts';
import { aSet } from '../../support/builders/fleet/sets.ts';

const WRITTEN = Date.parse('2026-03-01T12:00:00Z');
const READY = Date.parse('2026-03-01T12:01:00Z');
const LATER = READY + 600_000;
const SITE = { cluster: 'site-1', labels: {}, reachable: true, lostSince: null, draining: false };
const made = aSet('shop', { sites: { clusters: ['site-1'] } });
const set: CappSet = { ...made, metadata: { ...made.metadata, uid: 'set-uid' } };
const revision = revisionOf(set.spec);
const { spec: SPEC, ...MARKS } = render(set.spec, SITE) as Rendered;
const content = contentOf({ ...MARKS, spec: SPEC });

interface Child {
  readonly owner?: string;
  readonly written?: string;
  readonly generation?: number;
  readonly ready?: object | null;
  readonly deleting?: true;
  readonly spec?: object;
  /** What others than the set have written of its spec, as FieldsV1. */
  readonly others?: object;
  /** The annotation, and what the status says of moves. */
  readonly paused?: string | null;
  readonly migrating?: string;
}

function child({
  owner = 'set-uid',
  written,
  generation = 2,
  ready,
  deleting,
  spec = SPEC,
  others,
  paused = null,
  migrating = 'NotMoving',
}: Child = {}): Capp {
  const condition = {
    type: 'Ready',
    status: 'True',
    reason: 'Serving',
    message: 'it serves',
    lastTransitionTime: new Date(READY).toISOString(),
    observedGeneration: 2,
    ...ready,
  };
  return {
    metadata: {
      namespace: 'apps',
      name: 'shop-site-1',
      generation,
      annotations: {
        [SET_REVISION]: written ?? writtenAs({ revision, content, at: WRITTEN }),
        ...(paused === null ? {} : { [PAUSED]: paused }),
      },
      ownerReferences: [
        { apiVersion: 'rcs.dana.io/v1alpha1', kind: 'CappSet', name: 'shop', uid: owner, controller: true },
      ],
      ...(others === undefined ? {} : { managedFields: recordOf(others) }),
      ...(deleting === undefined ? {} : { deletionTimestamp: '2026-03-01T12:02:00Z' }),
    },
    spec,
    status: { conditions: ready === null ? [] : [condition, { type: 'Migrating', reason: migrating }] },
  } as unknown as Capp;
}

const recordOf = (others: object): object[] => [
  { manager: SET_WRITER, operation: 'Apply', fieldsV1: { 'f:spec': { 'f:scaleSpec': {} } } },
  { manager: 'hub', operation: 'Apply', subresource: 'status', fieldsV1: { 'f:status': {} } },
  { manager: 'kubectl-edit', operation: 'Update', fieldsV1: { 'f:spec': others } },
];

const seen = (found: Capp | undefined, refused: Record<string, Refused> = {}, now = LATER): SeenSet => ({
  set,
  wanted: wantedBy(set.spec),
  revision,
  refused,
  now,
  capp: () => found,
});
const targetOf = (found: Capp | undefined, refused = {}) => memberOn(seen(found, refused), SITE).target;

test('a Capp that is Ready at its generation is Ready at its revision, since it became Ready', () => {
  expect(targetOf(child())).toMatchObject({ revision, verdict: 'Ready', since: READY });
});

test('a status about an earlier generation says nothing about the revision', () => {
  expect(targetOf(child({ generation: 3 }))).toMatchObject({
    revision,
    verdict: 'Progressing',
    since: WRITTEN,
  });
});

test('a soak does not count time in which an earlier revision was Ready', () => {
  const written = writtenAs({ revision, content, at: READY + 60_000 });
  expect(targetOf(child({ written })).since).toBe(READY + 60_000);
});

test('a Ready from before an edit of labels alone counts only when the Capp had time to ship it', () => {
  const at = READY + 60_500;
  const edited = child({ written: writtenAs({ revision, content, at }) });
  const early = memberOn(seen(edited, {}, at + 9_999), SITE);
  expect(early).toMatchObject({ settlesAt: at + 10_000, target: { verdict: 'Progressing', since: at } });
  const late = memberOn(seen(edited, {}, at + 10_000), SITE);
  expect(late).toMatchObject({ settlesAt: null, target: { verdict: 'Ready', since: at } });
});

test.each<[string, string | null, object, RegExp]>([
  ['while it is paused', 'true', {}, /^The Capp is paused, so .* kubectl capp resume shop-site-1 -n apps/],
  [
    'until its workflow has seen that it goes on',
    null,
    { migrating: 'Paused' },
    /^The Capp is paused no more, (?!.*resume)/,
  ],
])(
  'a Ready from before an edit of labels alone never counts %s: nothing of it is shipped',
  (_, paused, said, message) => {
    const at = READY + 60_500;
    const edited = child({ written: writtenAs({ revision, content, at }), paused, ...said });
    const seenAt = memberOn(seen(edited, {}, at + 3_600_000), SITE);
    expect(seenAt).toMatchObject({ settlesAt: null, target: { verdict: 'Progressing', since: at } });
    expect(seenAt.problem?.message).toMatch(message);
  },
);

test('a paused Capp that became Ready after it was written counts, and so does one that goes on', () => {
  const before = child({ paused: 'true', migrating: 'Paused' });
  expect(targetOf(before)).toMatchObject({ verdict: 'Ready', since: READY });
  const at = READY + 60_500;
  const on = child({
    written: writtenAs({ revision, content, at }),
    paused: 'false',
    migrating: 'NotMoving',
  });
  expect(memberOn(seen(on, {}, at + 10_000), SITE).target).toMatchObject({ verdict: 'Ready' });
});

test('a Capp that became Ready in the second of the edit, or after it, counts at once', () => {
  const at = READY + 900;
  const { target, settlesAt } = memberOn(
    seen(child({ written: writtenAs({ revision, content, at }) }), {}, at + 1),
    SITE,
  );
  expect({ verdict: target.verdict, settlesAt }).toEqual({ verdict: 'Ready', settlesAt: null });
});

test.each<[reason: string, verdict: string]>([
  ['RolloutFailed', 'Failed'],
  ['HostnameTaken', 'Failed'],
  ['AgentSilent', 'Progressing'],
  ['Applying', 'Progressing'],
])('a Capp that is not Ready for %s is %s', (reason, verdict) => {
  expect(targetOf(child({ ready: { status: 'False', reason } }))).toMatchObject({ revision, verdict });
});

test('a Capp whose content no longer fits its site runs on, and is due to be written again', () => {
  const written = writtenAs({ revision, content: 'other', at: WRITTEN });
  expect(targetOf(child({ written }))).toMatchObject({ revision, verdict: 'Ready', isStale: true });
  expect(targetOf(child()).isStale).toBeUndefined();
});

describe('a Capp that somebody has edited since the set wrote it', () => {
  const others = Object.fromEntries(Object.entries(SPEC).filter(([name]) => name !== 'configurationSpec'));

  test('proves nothing, although it is Ready, and what was changed is named', () => {
    const edited = {
      ...others,
      configurationSpec: { template: { spec: { containers: [{ name: 'other' }] } } },
    };
    const { target, problem } = memberOn(seen(child({ spec: edited })), SITE);
    expect(target).toMatchObject({ revision, verdict: 'Failed', since: WRITTEN });
    expect(problem).toMatchObject({
      reason: 'Overridden',
      message: expect.stringContaining('spec.configurationSpec.template') as unknown,
    });
    expect(memberOn(seen(child({ spec: { ...SPEC, site: 'site-2' } })), SITE).problem?.message).toContain(
      'spec.site',
    );
  });

  test('a field less is a change as well, and what a webhook or the API server has added is none', () => {
    expect(targetOf(child({ spec: others })).verdict).toBe('Failed');
    expect(targetOf(child({ spec: { ...SPEC, scaleMetric: 'concurrency' } })).verdict).toBe('Ready');
  });

  test('a field more is a change where somebody else has written it, in an item of a list too', () => {
    const scaled = { ...SPEC, scaleSpec: { minReplicas: 2 } };
    // As an admission webhook adds it: the API server records no writer.
    expect(targetOf(child({ spec: scaled, others: { 'f:site': {} } })).verdict).toBe('Ready');
    const by = { 'f:scaleSpec': { '.': {}, 'f:minReplicas': {} } };
    const { target, problem } = memberOn(seen(child({ spec: scaled, others: by })), SITE);
    expect(target.verdict).toBe('Failed');
    expect(problem?.message).toContain('spec.scaleSpec');
    const { template } = (SPEC as unknown as Capp['spec']).configurationSpec;
    const [container] = template.spec.containers;
    const name = String(container?.name);
    const containers = [{ ...container, env: [{ name: 'MENDED', value: 'yes' }] }];
    const mended = { ...SPEC, configurationSpec: { template: { ...template, spec: { containers } } } };
    const item = { 'f:containers': { [`k:${JSON.stringify({ name })}`]: { 'f:env': {} } } };
    const written = { 'f:configurationSpec': { 'f:template': { 'f:spec': item } } };
    expect(targetOf(child({ spec: mended, others: written })).verdict).toBe('Failed');
    expect(targetOf(child({ spec: mended })).verdict).toBe('Ready');
    // Taken back, or put as the set has it.
    expect(targetOf(child({ others: written })).verdict).toBe('Ready');
    expect(targetOf(child({ others: { 'f:configurationSpec': {} } })).verdict).toBe('Ready');
  });

  test('a field that Capps do not have is dropped by the API server, and is no change', () => {
    const odd = {
      ...set,
      spec: { ...set.spec, overrides: [{ clusterSelector: {}, patch: { spec: { odd: 1 } } }] },
    };
    const rendered = render(odd.spec, SITE) as Rendered;
    const at = { revision: revisionOf(odd.spec), content: contentOf(rendered), at: WRITTEN };
    const known = {
      ...seen(child({ written: writtenAs(at), spec: CappSpec.parse(SPEC) })),
      set: odd,
      revision: at.revision,
    };
    expect(memberOn(known, SITE).target.verdict).toBe('Ready');
  });

  test('at an earlier revision it is as unknown as before, and one that is being deleted is only that', () => {
    const written = writtenAs({ revision: 'older', content: 'other', at: WRITTEN });
    expect(targetOf(child({ spec: others, written }))).toMatchObject({ revision: 'older', verdict: 'Ready' });
    expect(targetOf(child({ spec: others, deleting: true }))).toMatchObject({ revision: null });
  });
});

test('a site that is drained or lost is said to be so, and is no less reachable for a drain', () => {
  const lost = { ...SITE, reachable: false, lostSince: READY, draining: true };
  expect(memberOn(seen(undefined), lost).target).toMatchObject({ reachable: false, lostSince: READY });
  const drained = memberOn(seen(undefined), { ...SITE, draining: true }).target;
  expect(drained).toMatchObject({ reachable: true, isDrained: true });
});

test('a Capp at an earlier revision, one that is being deleted, and no Capp at all', () => {
  const written = writtenAs({ revision: 'older', content: 'other', at: WRITTEN });
  expect(targetOf(child({ written }))).toMatchObject({ revision: 'older', verdict: 'Ready' });
  const leavingSince = Date.parse('2026-03-01T12:02:00Z');
  expect(targetOf(child({ deleting: true }))).toMatchObject({ revision: null, leavingSince });
  expect(targetOf(undefined).revision).toBeNull();
});

test('a Capp of another set is not the set’s own, whatever its labels say', () => {
  const member = memberOn(seen(child({ owner: 'other' })), SITE);
  expect(member).toMatchObject({ isTaken: true, child: null });
});

test('a Capp that was refused has failed until it or what is in its way has changed', () => {
  const refusal = { revision, message: '', at: READY, generation: 2 };
  const overridden = { 'site-1': { ...refusal, reason: 'Overridden' } };
  expect(targetOf(child(), overridden)).toMatchObject({ revision, verdict: 'Failed', since: READY });
  expect(targetOf(child({ generation: 3 }), overridden).verdict).toBe('Progressing');
  const taken = { 'site-1': { ...refusal, generation: null, reason: 'NameTaken' } };
  expect(targetOf(child({ owner: 'other' }), taken).verdict).toBe('Failed');
  expect(targetOf(undefined, taken)).toMatchObject({ revision: null, verdict: 'Progressing' });
});

test('a cache keeps of the record of writers what others have written of the spec, and nothing else', () => {
  const edited = child({ others: { 'f:scaleSpec': {} } });
  expect(withOthersFields(edited).metadata).toMatchObject({
    managedFields: [{ fieldsV1: { 'f:spec': { 'f:scaleSpec': {} } } }],
  });
  expect(withOthersFields(withOthersFields(edited))).toEqual(withOthersFields(edited));
  expect(withOthersFields(child()).metadata).not.toHaveProperty('managedFields');
});
