// Queries of checks, as the webhook takes them: those that agents ask, of a Capp, of a stage and of a
// template.
import { PATHS } from '../../../admission/router.ts';
import { render, type RevisionContent } from '../../../crds/set/render.ts';
import { asked, judged, problems, raw, said } from '../../support/builders/admission.ts';

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

test('a limit that no count can pass is refused where it is new, and kept where it was', () => {
  const limited = (inconclusiveLimit: number, plain: object = {}) => ({
    verify: [{ ...check('up'), inconclusiveLimit, ...plain }],
  });
  const refused = expect.stringMatching(
    /^spec\.migration\.verify\[0\]\.inconclusiveLimit: .*must be below count, .* lower it/,
  );
  expect(problems(raw({ migration: limited(2) }))).toEqual([]);
  expect(problems(raw({ migration: limited(3) }))).toEqual([refused]);
  expect(problems(raw({ migration: limited(3, { count: undefined }) }))).toEqual([refused]);
  const before = raw({ migration: limited(3) });
  expect(problems(raw({ migration: limited(3), site: 'site-1' }), before)).toEqual([]);
  const set = (plain: object) => {
    const { spec, ...rest } = aSet({});
    const stages = [{ name: 'canary', verify: [{ ...check('up'), ...plain }] }];
    return { ...rest, spec: { ...spec, strategy: { stages } } };
  };
  expect(ofSet(set({ inconclusiveLimit: 3 }))).toEqual([
    expect.stringMatching(/^spec\.strategy\.stages\[0\]\.verify\[0\]\.inconclusiveLimit: /),
  ]);
  expect(ofSet(set({ inconclusiveLimit: 3, failureLimit: 1 }), set({ inconclusiveLimit: 3 }))).toEqual([]);
});
