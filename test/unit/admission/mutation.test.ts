// What admission adds to a Capp, and that it touches nothing else.
import { at } from '../../../admission/fields.ts';
import { applied } from '../../../admission/patch.ts';
import { PATHS } from '../../../admission/router.ts';
import type { Request } from '../../../admission/request.ts';
import {
  ABANDON,
  FINALIZER,
  FORCE,
  LAST_UPDATED_BY,
  MIGRATE,
  PAUSED,
  requestedBy,
} from '../../../crds/labels.ts';
import { asked, configured, judged, KNOWN, raw } from '../../support/builders/admission.ts';

const DEFAULTS = { requests: { cpu: '100m', memory: '100Mi' }, limits: { cpu: '200m', memory: '200Mi' } };
const WITH_DEFAULTS = configured({ defaultResources: DEFAULTS });
const CONTAINERS = ['spec', 'configurationSpec', 'template', 'spec', 'containers'] as const;

const mutated = (request: Request, facts = KNOWN) => judged(PATHS.mutateCapp, request, facts);
const becomes = (request: Request, facts = KNOWN): unknown =>
  applied(request.object, mutated(request, facts).patches);
const containing = (...containers: unknown[]) =>
  raw({ configurationSpec: { template: { spec: { containers } } } });
const container = (resources?: unknown) => ({
  name: 'app',
  image: 'i',
  ...(resources === undefined ? {} : { resources }),
});
const resourcesOf = (given: unknown, facts = WITH_DEFAULTS): unknown =>
  at(becomes(asked(containing(container(given))), facts), ...CONTAINERS, 0, 'resources');

describe('the resources of a container', () => {
  it.each<[string, unknown, unknown]>([
    ['nothing', undefined, DEFAULTS],
    ['null', null, DEFAULTS],
    ['an empty object', {}, DEFAULTS],
    [
      'a request',
      { requests: { cpu: '50m' } },
      { requests: { cpu: '50m', memory: '100Mi' }, limits: DEFAULTS.limits },
    ],
    ['limits of null', { limits: null }, DEFAULTS],
    [
      'a limit that is a number',
      { limits: { cpu: 2 } },
      { requests: DEFAULTS.requests, limits: { cpu: 2, memory: '200Mi' } },
    ],
    ['claims', { pendingHostnames: [{ name: 'gpu' }] }, { pendingHostnames: [{ name: 'gpu' }], ...DEFAULTS }],
    [
      'other names',
      { requests: { gpu: 1 } },
      { requests: { gpu: 1, ...DEFAULTS.requests }, limits: DEFAULTS.limits },
    ],
  ])('that says %s are filled up', (_title, given, wanted) => {
    expect(resourcesOf(given)).toEqual(wanted);
  });

  it.each<[string, unknown]>([
    ['all of it', { requests: { cpu: '23m', memory: '23Mi' }, limits: { cpu: '123m', memory: '123Mi' } }],
    ['what the schema will refuse', 'lots'],
    ['what the schema will refuse further in', { requests: 'lots', limits: [] }],
  ])('that says %s stay as they are', (_title, given) => {
    expect(resourcesOf(given)).toEqual(given);
  });

  it('do not get a limit below their request, nor a request above their limit, and the author hears of it', () => {
    const request = asked(
      containing(container({ requests: { cpu: '1' } }), container({ limits: { memory: '10Mi' } })),
    );
    const containers = at(becomes(request, WITH_DEFAULTS), ...CONTAINERS);
    expect(containers).toEqual([
      container({ requests: { cpu: '1', memory: '100Mi' }, limits: { memory: '200Mi' } }),
      container({ limits: { cpu: '200m', memory: '10Mi' }, requests: { cpu: '100m' } }),
    ]);
    expect(mutated(request, WITH_DEFAULTS).warnings).toEqual([
      expect.stringContaining('containers[0].resources.limits.cpu gets no default'),
      expect.stringContaining('containers[1].resources.requests.memory gets no default'),
    ]);
  });

  it.each<[string, object, object]>([
    [
      'a limit below the default request',
      { limits: { cpu: '200m', memory: '10Mi' } },
      { limits: { cpu: '200m', memory: '10Mi' }, requests: { cpu: '100m' } },
    ],
    [
      'a request above the default limit',
      { requests: { cpu: '1', memory: '100Mi' } },
      { requests: { cpu: '1', memory: '100Mi' }, limits: { memory: '200Mi' } },
    ],
  ])(
    'lose a default of an earlier write to %s that is said now, so that the Capp can start',
    (_title, said, wanted) => {
      const stored = containing(container(DEFAULTS));
      const request = asked(containing(container({ ...DEFAULTS, ...said })), stored);
      expect(at(becomes(request, WITH_DEFAULTS), ...CONTAINERS, 0, 'resources')).toEqual(wanted);
      expect(mutated(request, WITH_DEFAULTS).warnings).toEqual([expect.stringContaining('gets no default')]);
      const again = asked(becomes(request, WITH_DEFAULTS), stored);
      expect(at(becomes(again, WITH_DEFAULTS), ...CONTAINERS, 0, 'resources')).toEqual(wanted);
    },
  );

  it('keep what was said before and is no default, and what stands in another container', () => {
    const stored = containing(container({ requests: { memory: '90Mi' }, limits: { memory: '200Mi' } }), {
      ...container(DEFAULTS),
      name: 'b',
    });
    const next = containing(container({ requests: { memory: '90Mi' }, limits: { memory: '10Mi' } }), {
      ...container(DEFAULTS),
      name: 'c',
    });
    const patches = mutated(asked(next, stored), WITH_DEFAULTS).patches.filter(({ op }) => op === 'remove');
    expect(patches).toEqual([]);
  });

  it('get only what the RCSConfig has', () => {
    expect(resourcesOf(undefined, configured({ defaultResources: { requests: { cpu: 1 } } }))).toEqual({
      requests: { cpu: 1 },
    });
    expect(resourcesOf(undefined, configured({ defaultResources: {} }))).toBeUndefined();
    expect(resourcesOf(undefined, KNOWN)).toBeUndefined();
  });

  it('of each container, and of no init container, are filled up by patches that name nothing else', () => {
    const init = { name: 'init', image: 'i' };
    const object = raw({
      unknown: { kept: [1] },
      configurationSpec: {
        template: {
          spec: { initContainers: [init], containers: [container({}), container()], hostAliases: [null] },
        },
      },
    });
    const { patches } = mutated(asked(object), WITH_DEFAULTS);
    const path = '/spec/configurationSpec/template/spec/containers';
    expect(patches).toEqual([
      { op: 'add', path: `${path}/0/resources/requests`, value: DEFAULTS.requests },
      { op: 'add', path: `${path}/0/resources/limits`, value: DEFAULTS.limits },
      { op: 'add', path: `${path}/1/resources`, value: DEFAULTS },
      { op: 'add', path: '/metadata/annotations', value: { [LAST_UPDATED_BY]: 'alice' } },
      { op: 'add', path: '/metadata/finalizers', value: [FINALIZER] },
    ]);
  });

  it('are left alone where nothing is wanted otherwise than before', () => {
    const before = containing(container());
    expect(mutated(asked(before, before), WITH_DEFAULTS).patches).toEqual([]);
  });
});

describe('who updated a Capp last', () => {
  const by = (author: string | null, spec: object = {}) =>
    raw(spec, { annotations: { other: 'kept', ...(author === null ? {} : { [LAST_UPDATED_BY]: author }) } });
  const disabled = { state: 'disabled' };
  const ours = { username: 'system:serviceaccount:cappstan-system:cappstan-hub' };
  const authorOf = (request: Request, facts = KNOWN) =>
    at(becomes(request, facts), 'metadata', 'annotations', LAST_UPDATED_BY);

  it.each<[string, Request, string | undefined]>([
    ['who creates it', asked(by(null)), 'alice'],
    ['who creates it, not whom they name', asked(by('bob')), 'alice'],
    ['who changes its spec', asked(by('bob', disabled), by('bob')), 'alice'],
    [
      'a service account that changes its spec',
      asked(by('bob', disabled), by('bob'), { username: 'system:serviceaccount:a:b' }),
      'system:serviceaccount:a:b',
    ],
    ['not who changes something else', asked(by('bob'), by('bob')), 'bob'],
    ['not whom somebody names', asked(by('mallory'), by('bob')), 'bob'],
    ['known even if somebody forgets it', asked(by(null), by('bob')), 'bob'],
    ['nobody if nobody was known', asked(by('mallory'), by(null)), undefined],
    ['not the control plane', asked(by('bob', disabled), by('bob'), ours), 'bob'],
    [
      'anybody that is only named like it',
      asked(by('bob', disabled), by('bob'), { username: `${ours.username}:x` }),
      `${ours.username}:x`,
    ],
    [
      'anybody with its namespace elsewhere',
      asked(by('bob', disabled), by('bob'), { username: 'a:b:cappstan-system:c' }),
      'a:b:cappstan-system:c',
    ],
  ])('is %s', (_title, request, wanted) => {
    expect(authorOf(request)).toBe(wanted);
    expect(at(becomes(request), 'metadata', 'annotations', 'other')).toBe('kept');
  });

  it('is not who applies the same manifest again, which lacks the defaults', () => {
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

describe.each([MIGRATE, FORCE, PAUSED, ABANDON])('who wrote %s', (annotation) => {
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

  it.each<[string, Request, string | undefined]>([
    ['the user who writes it, on a new Capp', asked(asking('#1', null)), 'alice'],
    ['the user who writes it, not whom they name', asked(asking('#1', 'bob'), asking(null, null)), 'alice'],
    ['the user who changes it', asked(asking('#2', 'bob'), asking('#1', 'bob')), 'alice'],
    ['known as long as it stands', asked(asking('#1', 'mallory'), asking('#1', 'bob')), 'bob'],
    ['known even if somebody forgets it', asked(asking('#1', null), asking('#1', 'bob')), 'bob'],
    ['nobody if nobody was known', asked(asking('#1', 'mallory'), asking('#1', null)), undefined],
    ['nobody when it is gone', asked(asking(null, 'bob'), asking('#1', 'bob')), undefined],
    ['not the control plane', asked(asking('#2', 'bob'), asking('#1', 'bob'), ours), 'bob'],
  ])('is %s', (_title, request, wanted) => {
    for (const path of [PATHS.mutateCapp, PATHS.mutateCappRequest]) {
      const next = applied(request.object, judged(path, request).patches);
      expect(at(next, 'metadata', 'annotations', by)).toBe(wanted);
      expect(at(next, 'metadata', 'annotations', 'other')).toBe('kept');
    }
  });
});

test('who gives up a copy of a Capp that is going is noted down, and nothing else is written there', () => {
  const going = (annotations: object) =>
    raw({ state: 'disabled' }, { deletionTimestamp: '2026-11-21T12:00:00Z', annotations });
  const { patches } = judged(PATHS.mutateCappRequest, asked(going({ [ABANDON]: 'site-1' }), going({})));
  expect(patches).toEqual([
    { op: 'add', path: '/metadata/annotations/rcs.dana.io~1abandon-by', value: 'alice' },
  ]);
});

test('a Capp is held from its creation on, once, beside the finalizers of others', () => {
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
])('%j is left to the schema', (object) => {
  expect(() => becomes(asked(object), WITH_DEFAULTS)).not.toThrow();
});

test('a Capp that is being deleted is not touched', () => {
  const object = raw({ state: 'disabled' }, { deletionTimestamp: '2026-11-21T12:00:00Z' });
  expect(mutated(asked(object, raw({})), WITH_DEFAULTS).patches).toEqual([]);
});
