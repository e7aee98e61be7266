// What admission does with a Bundle: its manifests, its executor and its sites.
import { PATHS } from '../../../admission/router.ts';
import type { HubKnowledge } from '../../../admission/known.ts';
import { BUNDLE_DEFINITION } from '../../../crds/definitions/definitions.ts';
import { applied } from '../../../admission/patch.ts';
import {
  ABANDON,
  ABORT,
  APPROVE,
  APPROVE_REMOVAL,
  LAST_UPDATED_BY,
  requestedBy,
  RETRY,
} from '../../../crds/labels.ts';
import { asked, configured, judged, known, KNOWN, said } from '../../support/builders/admission.ts';
import { aBundle, aConfigMap } from '../../support/builders/fleet/bundles.ts';

const place = { namespace: 'apps', name: 'base' };
const STRATEGY = aBundle().spec.strategy;
/** As a user writes it: the schema of the API server has not looked at it. */
const written = (spec: object) => {
  const bundle = aBundle();
  return { ...bundle, spec: { ...bundle.spec, ...spec } };
};
const problems = (spec: object, facts: HubKnowledge = KNOWN, before: object | null = null) =>
  said(
    judged(PATHS.validateBundle, asked(written(spec), before === null ? null : written(before), place), facts)
      .problems,
  );
const FREE = configured({ bundles: { unrestricted: ['apps'] } });

test('more sites than a Bundle may have are not looked at, and of unknown ones five are named', () => {
  const named = (length: number): string[] =>
    problems({ sites: { clusters: Array.from({ length }, (_, index) => `lost-${index}`) } });
  expect(named(251)).toEqual([
    'spec.sites.clusters: names 251 sites, more than the 250 that a Bundle may have: make several Bundles, or let a Placement select them',
  ]);
  const found = named(250);
  expect(found).toHaveLength(5);
  expect(found[0]).toContain('spec.sites.clusters[0]: "lost-0" is no site');
});

test('a whole Bundle on a known site is accepted', () => {
  expect(problems({})).toEqual([]);
});

test.each<[string, object, string]>([
  [
    'the same object twice',
    { manifests: [aConfigMap(), aConfigMap()] },
    'spec.manifests[1]: is ConfigMap apps/settings, as spec.manifests[0] is: leave one of them out',
  ],
  [
    'a manifest without a name',
    { manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }] },
    'spec.manifests[0]: is a ConfigMap without metadata.name: give it a name',
  ],
  [
    'what is no object',
    { manifests: ['apps'] },
    'spec.manifests[0]: is no Kubernetes object: write it with apiVersion, kind and metadata.name',
  ],
  [
    'a manifest without a kind',
    { manifests: [{ apiVersion: 'v1', metadata: { name: 'a' } }] },
    'spec.manifests[0]: has no apiVersion or no kind: write the whole object',
  ],
  [
    'a namespace that YAML reads as a number',
    { manifests: [aConfigMap(), { ...aConfigMap(), metadata: { name: 'a', namespace: 12 } }] },
    'spec.manifests[1]: is ConfigMap a, whose metadata.namespace is no text: put it in quotes',
  ],
  [
    'a label that YAML reads as a truth',
    { manifests: [{ ...aConfigMap(), metadata: { name: 'a', labels: { on: true } } }] },
    'spec.manifests[0]: is ConfigMap a, with a value in metadata.labels, key on, that is no text: put it in quotes',
  ],
  [
    'a Capp',
    { manifests: [{ apiVersion: 'rcs.dana.io/v1alpha1', kind: 'Capp', metadata: { name: 'a' } }] },
    'spec.manifests[0]: is a Capp: create it on the hub, which places and moves it',
  ],
  [
    'more manifests than a work may have',
    { manifests: Array.from({ length: 251 }, (_, index) => aConfigMap({}, `settings-${index}`)) },
    'spec.manifests: The Bundle has 251 manifests, more than the 250 allowed. Make several Bundles of it.',
  ],
  [
    'a time zone that does not exist',
    {
      strategy: {
        ...STRATEGY,
        windows: [{ days: ['Mon'], from: '08:00', to: '12:00', timeZone: 'Europe/Atlantis' }],
      },
    },
    'spec.strategy.windows[0].timeZone: must be the name of a time zone, such as Europe/Berlin or UTC',
  ],
  [
    'a site that does not exist',
    { sites: { clusters: ['atlantis'] } },
    'spec.sites.clusters[0]: "atlantis" is no site: name a managed cluster. Sites: site-1, site-2',
  ],
  [
    'the hub itself',
    { sites: { clusters: ['local-cluster'] } },
    'spec.sites.clusters[0]: local-cluster is the hub itself: name a site, or have apps listed in spec.bundles.unrestricted of RCSConfig rcs-deployer-system/rcs-config',
  ],
  [
    'the rights of the work agent',
    { executor: 'WorkAgent' },
    'spec.executor: WorkAgent is not for namespace apps: leave the field out, or have apps listed in spec.bundles.unrestricted of RCSConfig rcs-deployer-system/rcs-config',
  ],
])('a Bundle with %s is refused with the field and the remedy', (_what, spec, message) => {
  expect(problems(spec)).toEqual([message]);
});

test('a Bundle of more than 500 KiB is refused before anything is stored', () => {
  const [message] = problems({ manifests: [aConfigMap({ big: 'x'.repeat(520_000) })] });
  expect(message).toMatch(/^spec\.manifests: The manifests have \d+ KiB, more than the 500 KiB/);
});

test('an unrestricted namespace may use the work agent, and any site', () => {
  expect(problems({ executor: 'WorkAgent', sites: { clusters: ['local-cluster'] } }, FREE)).toEqual([]);
});

test('a site that Capps may not be pinned to is refused, and said who may allow it', () => {
  const facts = known({
    sites: () => [{ name: 'site-1', isHub: false, mayPin: false, labels: {} }],
  });
  const [message] = problems({}, facts);
  expect(message).toMatch(
    /^spec\.sites\.clusters\[0\]: site-1 is not for Bundles of namespace apps: .*allow all sites with pinning: Any there$/,
  );
  expect(problems({}, { ...facts, config: FREE.config })).toEqual([]);
  const hub = known({ sites: () => [{ name: 'site-1', isHub: true, mayPin: true, labels: {} }] });
  expect(problems({}, hub)).toEqual([expect.stringContaining('site-1 is the hub itself: name a site')]);
});

test('programs can tell a manifest that is there twice from one that is wrong', () => {
  const reasonOf = (manifests: readonly object[]) =>
    judged(PATHS.validateBundle, asked(written({ manifests }), null, place)).problems.map(
      ({ reason }) => reason,
    );
  expect(reasonOf([aConfigMap(), aConfigMap()])).toEqual(['FieldValueDuplicate']);
  expect(reasonOf([{}])).toEqual(['FieldValueInvalid']);
});

test('what was accepted before does not stand in the way of another edit', () => {
  const former = {
    executor: 'WorkAgent',
    manifests: [aConfigMap(), aConfigMap()],
    sites: { clusters: ['atlantis', 'local-cluster'] },
    strategy: { ...STRATEGY, maxFailures: -1 },
  };
  expect(problems({ ...former, paused: true }, KNOWN, former)).toEqual([]);
  expect(problems({ ...former, executor: 'Namespace' }, KNOWN, former)).toEqual([]);
});

test('the rights of the work agent are refused to an edit as well', () => {
  const [message] = problems({ executor: 'WorkAgent' }, KNOWN, { executor: 'Namespace' });
  expect(message).toMatch(/^spec\.executor: WorkAgent is not for namespace apps/);
});

test('only a site that an edit adds is looked at', () => {
  const [before, after] = [['atlantis'], ['atlantis', 'utopia']].map((clusters) => ({ sites: { clusters } }));
  expect(problems(after ?? {}, KNOWN, before)).toEqual([
    'spec.sites.clusters[1]: "utopia" is no site: name a managed cluster. Sites: site-1, site-2',
  ]);
});

test('a Placement that does not exist yet gets a warning', () => {
  const warningsFor = (placement: string) => {
    const { sites: _sites, ...spec } = aBundle().spec;
    const object = { ...aBundle(), spec: { ...spec, placement } };
    return judged(PATHS.validateBundle, asked(object, null, place)).warnings;
  };
  expect(warningsFor('default')).toEqual([]);
  expect(warningsFor('edge')).toEqual([
    'There is no Placement apps/edge yet: nothing is sent to any site until it exists.',
  ]);
});

test.each<[string, string, string]>([
  [APPROVE, 'canary', '<stage>#<revision>'],
  [ABORT, 'NoHash#1', '<revision>#<id>'],
  [RETRY, 'site-1', '<site>#<id>'],
  [APPROVE_REMOVAL, 'all#1', '<number of sites>#<set>'],
])('a request by %s as "%s" is refused with its form', (annotation, value, form) => {
  const asking = (one: string) => aBundle({}, { annotations: { [annotation]: one } });
  const of = (object: object, before: object) =>
    said(judged(PATHS.validateBundle, asked(object, before, place)).problems);
  const [message, ...more] = of(asking(value), aBundle());
  expect(more).toEqual([]);
  expect(message).toContain(`metadata.annotations[${annotation}]: "${value}" is not of the form ${form}`);
  expect(of(asking(value), asking(value))).toEqual([]);
});

test.each([false, true])(
  'who changed a Bundle and who asked for something is written down, whether it is being deleted: %s',
  (isLeaving) => {
    const deletionTimestamp = isLeaving ? { deletionTimestamp: '2026-03-01T12:00:00Z' } : {};
    const before = aBundle({}, { annotations: { [LAST_UPDATED_BY]: 'bob' }, ...deletionTimestamp });
    const annotations = {
      [LAST_UPDATED_BY]: 'bob',
      [ABANDON]: 'site-1',
      [requestedBy(ABANDON)]: 'mallory',
    };
    const after = aBundle({ onRemoval: 'Orphan' }, { annotations, ...deletionTimestamp });
    const request = asked(after, before, { ...place, username: 'alice' });
    const { patches } = judged(PATHS.mutateBundle, request);
    expect(applied(after, patches)).toMatchObject({
      metadata: { annotations: { [LAST_UPDATED_BY]: 'alice', [requestedBy(ABANDON)]: 'alice' } },
    });
  },
);

test('a Bundle whose site is gone may still be changed', () => {
  const gone = { sites: { clusters: ['atlantis'] } };
  expect(problems({ ...gone, onRemoval: 'Orphan' }, KNOWN, gone)).toEqual([]);
});

test('a rule about a manifest that the Bundle does not have gets a warning', () => {
  const ready = [{ kind: 'Deployment', name: 'web', namespace: 'apps', when: 'true' }];
  const { warnings } = judged(PATHS.validateBundle, asked(aBundle({ ready }), null, place));
  expect(warnings).toEqual([
    'spec.ready[0] is about Deployment apps/web, which the Bundle does not have, so it has no effect: correct its kind, name or namespace.',
  ]);
  const sourced = aBundle({ ready, manifestsFrom: [{ configMap: 'more' }] });
  expect(judged(PATHS.validateBundle, asked(sourced, null, place)).warnings).toEqual([]);
});

test('what needs no lookup is refused by the API server itself, with a remedy', () => {
  const text = JSON.stringify(BUNDLE_DEFINITION);
  for (const message of [
    'names no site: list managed clusters in spec.sites.clusters, such as [site-1]',
    'has no manifests: list them in spec.manifests, or name ConfigMaps and Secrets in spec.manifestsFrom',
    'must name either a configMap or a secret: give each of them an entry of its own',
    'has no metadata.name: give it one',
  ])
    expect(text).toContain(message);
});
