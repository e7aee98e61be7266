// Queries of checks, as the webhook takes them: those that agents ask, of a Capp, of a stage and of a
// template.
import { PATHS } from '../../../admission/router.ts';
import { render, type RevisionContent } from '../../../crds/set/render.ts';
import { asked, judged, problems, raw, said, validated } from '../../support/builders/admission.ts';

const check = (query: string) => ({
  name: 'errors',
  prometheus: { query },
  expect: 'result < 0.01',
  interval: '10s',
  count: 3,
  failureLimit: 0,
});
const migration = (query: string) => ({ verify: [check(query)] });

function aSet({ template = {}, stage = 'up' }: { template?: object; stage?: string }) {
  const container = { name: 'app', image: 'ghcr.io/me/app:v1' };
  const spec = { configurationSpec: { template: { spec: { containers: [container] } } }, ...template };
  return {
    apiVersion: 'rcs.dana.io/v1alpha1',
    kind: 'CappSet',
    metadata: { namespace: 'apps', name: 'shop' },
    spec: {
      sites: { clusters: ['site-1'] },
      template: { spec },
      strategy: { stages: [{ name: 'canary', verify: [check(stage)] }] },
    },
  };
}

const ofSet = (set: object, before: object | null = null): readonly string[] =>
  said(judged(PATHS.validateCappSet, asked(set, before)).problems);

const REFUSED = /spec\.migration\.verify\[0\]\.prometheus\.query: .*leave subqueries out/;

test('a Capp is refused for a query that no agent asks, and kept with one that it has', () => {
  expect(problems(raw({ migration: migration('sum(rate(errors[5m]))') }))).toEqual([]);
  const bad = migration('rate(errors[5m])[1h:1m]');
  expect(problems(raw({ migration: bad }))).toEqual([expect.stringMatching(REFUSED)]);
  expect(problems(raw({ migration: bad, site: 'site-1' }), raw({ migration: bad }))).toEqual([]);
});

test('a set is refused for a query of a stage, and for one of its template', () => {
  expect(ofSet(aSet({}))).toEqual([]);
  expect(ofSet(aSet({ stage: 'up{a="b" or c="d"}' }))).toEqual([
    expect.stringMatching(/^spec\.strategy\.stages\[0\]\.verify\[0\]\.prometheus\.query: /),
  ]);
  expect(ofSet(aSet({ template: { migration: migration('up @ 5') } }))).toEqual([
    expect.stringContaining('leave @ out'),
  ]);
});

test('in a query of a template the placeholders of the Capp are known, and left to the agent', () => {
  const query = 'up{namespace="{{namespace}}",capp="{{name}}",site="{{site}}"}';
  expect(ofSet(aSet({ template: { migration: migration(query) } }))).toEqual([]);
  const template = { template: { spec: { migration: migration(query) } } } as unknown as RevisionContent;
  // Labels whose names are the ends of the words are not asked for.
  const site = { cluster: 'site-1', labels: { ace: 'wrong', '': 'wrong' } };
  expect(render(template, site)).toMatchObject({
    spec: {
      migration: migration('up{namespace="{{namespace}}",capp="{{name}}",site="site-1"}'),
    },
  });
  expect(ofSet(aSet({ template: { routeSpec: { hostname: '{{name}}' } } }))).toEqual([
    expect.stringContaining('unknown placeholder {{name}}'),
  ]);
});

test.each(['{{site}}', '{{label:zone}}'])(
  'a placeholder of a set that nobody fills in is refused: %s',
  (text) => {
    const query = `up{zone="${text}"}`;
    const refused = expect.stringMatching(
      /prometheus\.query: .*its placeholders are \{\{namespace\}\} and \{\{name\}\}/,
    );
    expect(problems(raw({ migration: migration(query) }))).toEqual([refused]);
    expect(ofSet(aSet({ stage: query }))).toEqual([refused]);
    expect(ofSet(aSet({ template: { migration: migration(query) } }))).toEqual([]);
  },
);

const limited = (inconclusiveLimit: number, plain: object = {}) => ({
  migration: { verify: [{ ...check('up'), inconclusiveLimit, ...plain }] },
});

describe('a limit that no count can pass is told where it is new, and refuses nothing', () => {
  const told = expect.stringMatching(
    /^spec\.migration\.verify\[0\]\.inconclusiveLimit is not below count, .*: lower it\.$/,
  );

  test.each<[string, object, object | null, unknown[]]>([
    ['below count', limited(2), null, []],
    ['as count', limited(3), null, [told]],
    ['as the usual count', limited(3, { count: undefined }), null, [told]],
    ['as it was before', { ...limited(3), site: 'site-1' }, limited(3), []],
    ['to which somebody goes back', limited(3), limited(1), [told]],
  ])('%s', (_what, spec, before, warnings) => {
    const found = validated(raw(spec), before === null ? null : raw(before));
    expect(found).toMatchObject({ problems: [], warnings });
  });

  test('by the hub, for a site that is new and for one that goes back', () => {
    const controller = {
      apiVersion: 'rcs.dana.io/v1alpha1',
      kind: 'CappSet',
      name: 'shop',
      controller: true,
    };
    const child = (limit: number) =>
      raw(limited(limit), { ownerReferences: [{ ...controller, uid: 'set-uid' }] });
    const username = 'system:serviceaccount:cappstan-system:cappstan-hub-worker';
    const written = (before: object | null) =>
      judged(PATHS.validateCapp, asked(child(3), before, { username })).problems;
    expect(written(null)).toEqual([]);
    expect(written(child(1))).toEqual([]);
  });

  test('of a set, in its stages and in its template', () => {
    const set = (plain: object, template: object = {}) => {
      const { spec, ...rest } = aSet({ template });
      const stages = [{ name: 'canary', verify: [{ ...check('up'), ...plain }] }];
      return { ...rest, spec: { ...spec, strategy: { stages } } };
    };
    const found = (...given: [object, (object | null)?]) =>
      judged(PATHS.validateCappSet, asked(given[0], given[1] ?? null));
    const ofStage = expect.stringMatching(
      /^spec\.strategy\.stages\[0\]\.verify\[0\]\.inconclusiveLimit is not/,
    );
    const high = set({ inconclusiveLimit: 3 });
    expect(found(high)).toMatchObject({ problems: [], warnings: [ofStage] });
    expect(found(set({ inconclusiveLimit: 3, failureLimit: 1 }), high).warnings).toEqual([]);
    expect(found(set({}, limited(3)))).toMatchObject({
      problems: [],
      warnings: [expect.stringMatching(/^On .*, spec\.migration\.verify\[0\]\.inconclusiveLimit is not/)],
    });
  });
});
