// Who asked for a move, from what they wrote to the status of the Capp: a user only where the webhook
// recorded one.
import { look } from '../../../../activities/hub/place/choice.ts';
import { memoryOf } from '../../../../activities/hub/place/move-rules.ts';
import { hubPart } from '../../../../activities/hub/status/status.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import type { AskedBy } from '../../../../crds/capp/asked.ts';
import { CappStatus } from '../../../../crds/capp/status.ts';
import type { Drain } from '../../../../crds/drain/drain.ts';
import { FORCE, LAST_UPDATED_BY, MIGRATE, REQUESTED_BY, requestedBy } from '../../../../crds/labels.ts';
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import { withApplied } from '../../../../workflows/capp/after/apply.ts';
import { arrived, begun } from '../../../../workflows/capp/after/moving/moved.ts';
import { afterLook } from '../../../../workflows/capp/after/moving/reviewed.ts';
import type { PlacedInputs } from '../../../../workflows/placement/inputs.ts';
import type { Choice, ChoiceAsk } from '../../../../workflows/ports/choice.ts';
import type { Request } from '../../../../workflows/types/moves.ts';
import { aField, MEMBER, members } from '../../../support/builders/placement.ts';
import { aPlacedState, NOW } from '../../../support/builders/states.ts';

const INPUTS: PlacedInputs = {
  ...aField({
    byPlacement: { all: { clusters: ['site-1', 'site-2'], complete: true } },
    clusters: members('site-1', 'site-2'),
    works: { 'site-1': { leaving: false } },
  }),
  present: 'site-1',
};
const HISTORY: NonNullable<ChoiceAsk['history']> = {
  placedFor: '',
  pin: null,
  home: null,
  request: null,
  annotated: { migrate: null, force: null },
  copies: ['site-1'],
};
const DRAIN = {
  metadata: { name: 'site-1', annotations: { [REQUESTED_BY]: 'olga' } },
  spec: {},
} as never as Drain;

interface Asking {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly request?: Request;
  readonly inputs?: Partial<PlacedInputs>;
  readonly drain?: Drain;
}

function aCapp(annotations: Readonly<Record<string, string>> = {}): Capp {
  const metadata = { namespace: 'apps', name: 'app', uid: 'uid-1', generation: 1, annotations };
  return { apiVersion: '', kind: 'Capp', metadata, spec: { configurationSpec: {} } } as never;
}

function looked({ annotations, request, inputs, drain }: Asking): Choice {
  const history = { ...HISTORY, request: request ?? null };
  return look({ ...INPUTS, ...inputs }, history, { capp: aCapp(annotations), drain }, NOW);
}

function aRequest(source: Request['source'], by = 'ada', to: string | null = null): Request {
  return { source, id: `${source}-1`, to, by, why: '', force: false };
}

const CASES: readonly [string, Asking, AskedBy | undefined, string?][] = [
  [
    'an annotation names the user that the webhook recorded',
    { annotations: { [MIGRATE]: '#1', [requestedBy(MIGRATE)]: 'alice' } },
    { via: 'Annotation', by: 'alice' },
    'alice asked',
  ],
  [
    'so does one with force',
    { annotations: { [FORCE]: 'site-2#1', [requestedBy(FORCE)]: 'alice' } },
    { via: 'Annotation', by: 'alice' },
  ],
  [
    'an annotation that no webhook saw names nobody',
    { annotations: { [MIGRATE]: '#1' } },
    { via: 'Annotation' },
  ],
  [
    'an edit of spec.site names who changed the spec',
    { inputs: { site: 'site-2' }, annotations: { [LAST_UPDATED_BY]: 'bob' } },
    { via: 'Spec', by: 'bob' },
  ],
  [
    'a Drain names who created it',
    { request: aRequest('drain', 'drain/site-1'), drain: DRAIN },
    { via: 'Drain', by: 'olga' },
  ],
  [
    'an order that is given to Temporal names nobody',
    { request: aRequest('drain', 'drain/site-1') },
    { via: 'Drain' },
  ],
  [
    'a signal only claims a name',
    { request: aRequest('signal') },
    { via: 'Signal', claimed: 'ada' },
    'ada asked by signal (a name that nobody has checked)',
  ],
  ['so does an Update', { request: aRequest('update') }, { via: 'Update', claimed: 'ada' }],
  [
    'a signal without a name claims none',
    { request: aRequest('signal', 'somebody') },
    { via: 'Signal' },
    'somebody asked by signal',
  ],
  [
    'for a taint nobody asked',
    {
      inputs: {
        clusters: { 'site-1': { ...MEMBER, tainted: true }, 'site-2': MEMBER },
        byPlacement: { all: { clusters: ['site-2'], complete: true } },
      },
    },
    undefined,
  ],
];

test.each(CASES)('%s', (...[, asking, asked, message]) => {
  const choice = looked(asking);
  if (choice.outcome !== 'Leaves') throw new Error(`${choice.outcome} is no move`);
  expect([choice.asked, choice.record.asked]).toEqual([asked, asked]);
  if (message !== undefined) expect(choice.message).toBe(message);
  const there = arrived(begun(afterLook(aPlacedState(), choice, NOW), NOW), NOW + 1);
  const saying = { state: there, verdicts: conditionsOf(there, NOW), record: choice.record, at: NOW };
  const status = hubPart(aCapp(), saying);
  expect(status?.migration?.lastMove?.asked).toEqual(asked);
  expect(status?.decisions?.[0]?.asked).toEqual(asked);
  expect(CappStatus.parse(status).migration?.lastMove?.asked).toEqual(asked);
  // A workflow that lost everything remembers it.
  expect(memoryOf({ ...aCapp(), status: status ?? {} }).lastMove?.asked).toEqual(asked);
});

test('a request that joins a move under way is named as its asker', () => {
  const first = looked({ inputs: { site: 'site-2' }, annotations: { [LAST_UPDATED_BY]: 'bob' } });
  const second = looked({ request: aRequest('signal', 'ada', 'site-2') });
  if (first.outcome !== 'Leaves' || second.outcome !== 'Leaves') throw new Error('no moves');
  const moving = begun(afterLook(aPlacedState(), first, NOW), NOW);
  expect(afterLook(moving, second, NOW).move?.asked).toEqual({ via: 'Signal', claimed: 'ada' });
});

test('a refusal keeps who asked', () => {
  const choice = looked({ request: aRequest('update', 'ada', 'nowhere') });
  const asked = { via: 'Update', claimed: 'ada' };
  expect(choice).toMatchObject({ outcome: 'Stays', handled: { outcome: 'Refused', asked } });
});

test('the condition of a paused Capp names who paused it, and the next pause names nobody else', () => {
  const migrating = (state: ReturnType<typeof aPlacedState>) =>
    conditionsOf(state, NOW).find(({ type }) => type === 'Migrating')?.message;
  const paused = { outcome: 'Paused', generation: 1, at: NOW } as const;
  const byAlice = withApplied(aPlacedState(), 'site-1', { ...paused, by: 'alice' });
  expect(migrating(byAlice)).toBe(
    'The Capp is paused by alice. Remove annotation rcs.dana.io/paused to continue.',
  );
  expect(migrating(withApplied(byAlice, 'site-1', paused))).toMatch(/^The Capp is paused\. /);
});
