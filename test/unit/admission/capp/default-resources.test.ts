// Which resources admission gives to the containers of a Capp.
import { at } from '../../../../admission/fields.ts';
import { FINALIZER, LAST_UPDATED_BY } from '../../../../crds/labels.ts';
import {
  asked,
  configured,
  KNOWN,
  raw,
  DEFAULTS,
  WITH_DEFAULTS,
  CONTAINERS,
  mutated,
  becomes,
} from '../../../support/builders/admission.ts';

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
