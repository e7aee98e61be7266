// What admission adds to a Capp, and that it changes nothing else.
import { at } from '../../../../admission/fields.ts';
import { applied } from '../../../../admission/patch.ts';
import { PATHS } from '../../../../admission/router.ts';
import type { AdmissionRequest } from '../../../../admission/request.ts';
import {
  ABANDON,
  FINALIZER,
  FORCE,
  HAS_PLACEMENT,
  HUB_NOTES,
  SET_REVISION,
  VERIFY,
  LAST_UPDATED_BY,
  MIGRATE,
  PAUSED,
  TAKEN_UP,
  requestedBy,
} from '../../../../crds/labels.ts';
import {
  asked,
  judged,
  KNOWN,
  raw,
  DEFAULTS,
  WITH_DEFAULTS,
  CONTAINERS,
  mutated,
  becomes,
} from '../../../support/builders/admission.ts';

describe('the annotations that say where the hub has put copies, and what a set has written and asked', () => {
  const noted = {
    [HAS_PLACEMENT]: 'site-1',
    [TAKEN_UP]: 'site-2,site-3',
    [SET_REVISION]: 'r1/c1/2026-03-01T12:00:00Z',
    [VERIFY]: '{}',
  };
  const nothing = HUB_NOTES.map(() => undefined);
  const ours = { username: 'system:serviceaccount:cappstan-system:cappstan-hub' };
  const notesOf = (
    before: object | undefined,
    after: object | undefined,
    given: Partial<AdmissionRequest> = {},
  ) => {
    const metadata = (annotations: object | undefined) => (annotations === undefined ? {} : { annotations });
    const found = becomes(asked(raw({}, metadata(after)), raw({}, metadata(before)), given));
    return HUB_NOTES.map((note) => at(found, 'metadata', 'annotations', note));
  };

  it('stay as they are, whatever a tenant writes there, adds or takes out', () => {
    const stay = Object.values(noted);
    const forged = Object.fromEntries(HUB_NOTES.map((note) => [note, 'site-9']));
    expect(notesOf(noted, forged)).toEqual(stay);
    expect(notesOf(noted, { [HAS_PLACEMENT]: 'site-1' })).toEqual(stay);
    expect(notesOf(noted, {})).toEqual(stay);
    expect(notesOf(noted, undefined)).toEqual(stay);
    expect(notesOf(undefined, forged)).toEqual(nothing);
    expect(notesOf({}, { [TAKEN_UP]: 'site-9' })).toEqual(nothing);
  });

  it('are changed by the hub worker, and come with a Capp that a backup restores', () => {
    expect(notesOf({}, noted, ours)).toEqual(Object.values(noted));
    expect(notesOf(noted, {}, ours)).toEqual(nothing);
    const restored = becomes(asked(raw({}, { annotations: noted })));
    expect(HUB_NOTES.map((note) => at(restored, 'metadata', 'annotations', note))).toEqual(
      Object.values(noted),
    );
  });
});

test.each([
  ['a changed', { state: 'disabled' }, 'bob'],
  ['the same', {}, 'alice'],
])(
  'an edit without any annotations, of %s spec, keeps all that the hub has written there',
  (_what, spec, by) => {
    const annotations = { [HAS_PLACEMENT]: 'site-1', [TAKEN_UP]: 'site-2', [LAST_UPDATED_BY]: 'alice' };
    const edit = asked(raw(spec), raw({}, { annotations }), { username: 'bob' });
    expect(at(becomes(edit), 'metadata', 'annotations')).toEqual({ ...annotations, [LAST_UPDATED_BY]: by });
  },
);

test('whoever writes where the hub has put copies is told that it stays as it is', () => {
  const before = raw({}, { annotations: { [HAS_PLACEMENT]: 'site-1' } });
  const warned = (annotations: object) => mutated(asked(raw({}, { annotations }), before)).warnings;
  expect(warned({ [HAS_PLACEMENT]: 'site-9' })).toEqual([
    'The hub alone writes the annotation rcs.dana.io/has-placement, and it stays as it is: take it out of your manifest.',
  ]);
  expect([warned({ [HAS_PLACEMENT]: 'site-1' }), warned({})]).toEqual([[], []]);
});

describe('the annotation last-updated-by', () => {
  const by = (author: string | null, spec: object = {}) =>
    raw(spec, { annotations: { other: 'kept', ...(author === null ? {} : { [LAST_UPDATED_BY]: author }) } });
  const disabled = { state: 'disabled' };
  const ours = { username: 'system:serviceaccount:cappstan-system:cappstan-hub' };
  const authorOf = (request: AdmissionRequest, facts = KNOWN) =>
    at(becomes(request, facts), 'metadata', 'annotations', LAST_UPDATED_BY);

  it.each<[string, AdmissionRequest, string | undefined]>([
    ['the user who creates the Capp', asked(by(null)), 'alice'],
    ['the user who creates the Capp, even if the request names another', asked(by('bob')), 'alice'],
    ['the user who changes its spec', asked(by('bob', disabled), by('bob')), 'alice'],
    [
      'a service account that changes its spec',
      asked(by('bob', disabled), by('bob'), { username: 'system:serviceaccount:a:b' }),
      'system:serviceaccount:a:b',
    ],
    ['unchanged when only metadata changes', asked(by('bob'), by('bob')), 'bob'],
    ['unchanged when a request sets it', asked(by('mallory'), by('bob')), 'bob'],
    ['unchanged when a request removes it', asked(by(null), by('bob')), 'bob'],
    ['absent when it was absent before', asked(by('mallory'), by(null)), undefined],
    ['unchanged when the control plane makes the change', asked(by('bob', disabled), by('bob'), ours), 'bob'],
    [
      "the user whose name only starts like the control plane's",
      asked(by('bob', disabled), by('bob'), { username: `${ours.username}:x` }),
      `${ours.username}:x`,
    ],
    [
      "the user whose name contains the control plane's namespace elsewhere",
      asked(by('bob', disabled), by('bob'), { username: 'a:b:cappstan-system:c' }),
      'a:b:cappstan-system:c',
    ],
  ])('is %s', (_title, request, wanted) => {
    expect(authorOf(request)).toBe(wanted);
    expect(at(becomes(request), 'metadata', 'annotations', 'other')).toBe('kept');
  });

  it('does not change when a user applies the same manifest, without the defaults, again', () => {
    const stored = applied(
      by('bob'),
      mutated(asked(by('bob'), null, { username: 'bob' }), WITH_DEFAULTS).patches,
    );
    expect(at(stored, ...CONTAINERS, 0, 'resources')).toEqual(DEFAULTS);
    const again = asked(by('bob'), stored);
    for (const part of ['spec', 'metadata'] as const)
      expect(stored).toMatchObject({ [part]: at(becomes(again, WITH_DEFAULTS), part) });
  });
});

describe.each([MIGRATE, FORCE, PAUSED, ABANDON])('the annotation that records who wrote %s', (annotation) => {
  const by = requestedBy(annotation);
  const asking = (value: string | null, author: string | null) =>
    raw(
      {},
      {
        annotations: {
          other: 'kept',
          ...(value === null ? {} : { [annotation]: value }),
          ...(author === null ? {} : { [by]: author }),
        },
      },
    );
  const ours = { username: 'system:serviceaccount:cappstan-system:cappstan-hub' };

  it.each<[string, AdmissionRequest, string | undefined]>([
    ['the user who writes it on a new Capp', asked(asking('#1', null)), 'alice'],
    [
      'the user who writes it, even if the request names another',
      asked(asking('#1', 'bob'), asking(null, null)),
      'alice',
    ],
    ['the user who changes it', asked(asking('#2', 'bob'), asking('#1', 'bob')), 'alice'],
    [
      'unchanged while the request annotation is unchanged',
      asked(asking('#1', 'mallory'), asking('#1', 'bob')),
      'bob',
    ],
    ['unchanged when a request removes it', asked(asking('#1', null), asking('#1', 'bob')), 'bob'],
    ['absent when it was absent before', asked(asking('#1', 'mallory'), asking('#1', null)), undefined],
    [
      'absent when the request annotation is removed',
      asked(asking(null, 'bob'), asking('#1', 'bob')),
      undefined,
    ],
    [
      'unchanged when the control plane makes the change',
      asked(asking('#2', 'bob'), asking('#1', 'bob'), ours),
      'bob',
    ],
  ])('is %s', (_title, request, wanted) => {
    for (const path of [PATHS.mutateCapp, PATHS.mutateCappRequest]) {
      const next = applied(request.object, judged(path, request).patches);
      expect(at(next, 'metadata', 'annotations', by)).toBe(wanted);
      expect(at(next, 'metadata', 'annotations', 'other')).toBe('kept');
    }
  });
});

test('the user who abandons a copy of a Capp that is being deleted is recorded, and nothing else is changed', () => {
  const going = (annotations: object) =>
    raw({ state: 'disabled' }, { deletionTimestamp: '2026-11-21T12:00:00Z', annotations });
  const { patches } = judged(PATHS.mutateCappRequest, asked(going({ [ABANDON]: 'site-1' }), going({})));
  expect(patches).toEqual([
    { op: 'add', path: '/metadata/annotations/rcs.dana.io~1abandon-by', value: 'alice' },
  ]);
});

test('a new Capp gets our finalizer once, beside the finalizers of others', () => {
  const held = (finalizers: unknown, before: unknown = null) =>
    at(
      becomes(asked(raw({}, finalizers === undefined ? {} : { finalizers }), before)),
      'metadata',
      'finalizers',
    );
  expect(held(undefined)).toEqual([FINALIZER]);
  expect(held(['a/b'])).toEqual(['a/b', FINALIZER]);
  expect(held([FINALIZER, 'a/b'])).toEqual([FINALIZER, 'a/b']);
  expect(held('none')).toBe('none');
  expect(held(undefined, raw({}))).toBeUndefined();
});

test.each([
  null,
  'text',
  7,
  [],
  {},
  { metadata: 'x' },
  { metadata: { annotations: [] }, spec: { configurationSpec: { template: null } } },
])('a malformed object is left to the schema: %j', (object) => {
  expect(() => becomes(asked(object), WITH_DEFAULTS)).not.toThrow();
});

test('a Capp that is being deleted is not changed', () => {
  const object = raw({ state: 'disabled' }, { deletionTimestamp: '2026-11-21T12:00:00Z' });
  expect(mutated(asked(object, raw({})), WITH_DEFAULTS).patches).toEqual([]);
});
