// What admission adds to a Capp, and that it changes nothing else.
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
      'only a CPU request',
      { requests: { cpu: '50m' } },
      { requests: { cpu: '50m', memory: '100Mi' }, limits: DEFAULTS.limits },
    ],
    ['null limits', { limits: null }, DEFAULTS],
    [
      'a limit that is a number',
      { limits: { cpu: 2 } },
      { requests: DEFAULTS.requests, limits: { cpu: 2, memory: '200Mi' } },
    ],
    ['claims', { pendingHostnames: [{ name: 'gpu' }] }, { pendingHostnames: [{ name: 'gpu' }], ...DEFAULTS }],
    [
      'other resource names',
      { requests: { gpu: 1 } },
      { requests: { gpu: 1, ...DEFAULTS.requests }, limits: DEFAULTS.limits },
    ],
  ])('get defaults when the Capp has %s', (_title, given, wanted) => {
    expect(resourcesOf(given)).toEqual(wanted);
  });

  it.each<[string, unknown]>([
    [
      'all requests and limits',
      { requests: { cpu: '23m', memory: '23Mi' }, limits: { cpu: '123m', memory: '123Mi' } },
    ],
    ['a value that the schema will refuse', 'lots'],
    ['nested values that the schema will refuse', { requests: 'lots', limits: [] }],
  ])('stay unchanged when the Capp has %s', (_title, given) => {
    expect(resourcesOf(given)).toEqual(given);
  });

  it('get no default limit below their request and no default request above their limit, but a warning', () => {
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
  ])('lose an earlier default that conflicts with %s, so that the Capp can start', (_title, said, wanted) => {
    const stored = containing(container(DEFAULTS));
    const request = asked(containing(container({ ...DEFAULTS, ...said })), stored);
    expect(at(becomes(request, WITH_DEFAULTS), ...CONTAINERS, 0, 'resources')).toEqual(wanted);
    expect(mutated(request, WITH_DEFAULTS).warnings).toEqual([expect.stringContaining('gets no default')]);
    const again = asked(becomes(request, WITH_DEFAULTS), stored);
    expect(at(becomes(again, WITH_DEFAULTS), ...CONTAINERS, 0, 'resources')).toEqual(wanted);
  });

  it('keep earlier values that are no defaults, and those of other containers', () => {
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

  it('get only the defaults that the RCSConfig has', () => {
    expect(resourcesOf(undefined, configured({ defaultResources: { requests: { cpu: 1 } } }))).toEqual({
      requests: { cpu: 1 },
    });
    expect(resourcesOf(undefined, configured({ defaultResources: {} }))).toBeUndefined();
    expect(resourcesOf(undefined, KNOWN)).toBeUndefined();
  });

  it('get defaults in each container but not in init containers, by patches that touch nothing else', () => {
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

  it('get no defaults in an update that leaves the spec unchanged', () => {
    const before = containing(container());
    expect(mutated(asked(before, before), WITH_DEFAULTS).patches).toEqual([]);
  });
});

describe('the annotation last-updated-by', () => {
  const by = (author: string | null, spec: object = {}) =>
    raw(spec, { annotations: { other: 'kept', ...(author === null ? {} : { [LAST_UPDATED_BY]: author }) } });
  const disabled = { state: 'disabled' };
  const ours = { username: 'system:serviceaccount:cappstan-system:cappstan-hub' };
  const authorOf = (request: Request, facts = KNOWN) =>
    at(becomes(request, facts), 'metadata', 'annotations', LAST_UPDATED_BY);

  it.each<[string, Request, string | undefined]>([
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

  it.each<[string, Request, string | undefined]>([
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
