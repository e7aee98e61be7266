// What an operator of the hub may not say in an RCSConfig, and which ManagedCluster may not go.
import { pattern, patternsOf } from '../../../admission/patterns.ts';
import { amount } from '../../../admission/fields.ts';
import { PATHS } from '../../../admission/router.ts';
import { ALLOW_DETACH } from '../../../crds/labels.ts';
import { RCS_CONFIG_KEY } from '../../../crds/rcs-config.ts';
import { asked, judged, known, KNOWN, said } from '../../support/builders/admission.ts';

const config = (spec: object) => ({
  metadata: RCS_CONFIG_KEY,
  spec: { placements: ['default'], placementsNamespace: 'placements', ...spec },
});
const configJudged = (
  spec: object,
  before: object | null = null,
  key: { namespace: string; name: string } = RCS_CONFIG_KEY,
) => judged(PATHS.validateRcsConfig, asked(config(spec), before === null ? null : config(before), key));

describe('a pattern', () => {
  it.each([
    ['a[b-', 'missing closing ]', 2],
    ['(abc', 'missing closing )', 1],
    ['(a)(c', 'missing closing )', 4],
    ['a)b', 'unexpected )', 2],
    ['ab**', 'invalid nested repetition operator', 3],
    ['x(?=y)', 'invalid or unsupported Perl syntax', 2],
    ['ab\\', 'trailing backslash at end of expression', 3],
    ['a{1001}', 'invalid repeat count', 2],
  ])('%s is refused with what is wrong and where', (text, error, position) => {
    expect(pattern(text)).toEqual({ text, error: expect.stringContaining(error), position });
  });

  it.each(['^[a-z]+\\.dana\\.io$', '(?i)x', '(?P<name>x)', '[[:alpha:]]', '\\z', '\\pL'])(
    '%s is read as in Go',
    (text) => {
      expect(pattern(text)).toHaveProperty('matches');
    },
  );

  it('that would take for ever elsewhere takes no time', () => {
    const [evil] = patternsOf(['^(a+)+$']);
    expect(evil !== undefined && 'matches' in evil && evil.matches(`${'a'.repeat(250)}!`)).toBe(false);
  });
});

describe('an RCSConfig', () => {
  it('is fine without patterns and defaults', () => {
    expect(configJudged({})).toEqual({ problems: [], patches: [], warnings: [] });
  });

  it('is refused for each pattern that cannot be read, with its position', () => {
    expect(said(configJudged({ invalidHostnamePatterns: ['fine', 'a[b', '(c'] }).problems)).toEqual([
      'spec.invalidHostnamePatterns[1]: missing closing ] at character 2 of "a[b": it must be a regular expression in Go\'s syntax (RE2)',
      'spec.invalidHostnamePatterns[2]: missing closing ) at character 1 of "(c": it must be a regular expression in Go\'s syntax (RE2)',
    ]);
  });

  it('is told of five bad patterns at most', () => {
    expect(
      configJudged({ invalidHostnamePatterns: Array.from({ length: 9 }, () => '(') }).problems,
    ).toHaveLength(5);
  });

  it.each([
    ['cpu', { requests: { cpu: '1' }, limits: { cpu: '500m' } }],
    ['memory', { requests: { memory: '1Gi' }, limits: { memory: '1G' } }],
  ])('is refused for a request of %s above its limit', (name, defaultResources) => {
    expect(said(configJudged({ defaultResources }).problems)).toEqual([
      expect.stringContaining(`spec.defaultResources.requests.${name}: `),
    ]);
  });

  it('may keep what was wrong before', () => {
    const wrong = {
      invalidHostnamePatterns: ['('],
      defaultResources: { requests: { cpu: 2 }, limits: { cpu: 1 } },
    };
    expect(configJudged({ ...wrong, placements: ['default', 'other'] }, wrong).problems).toEqual([]);
  });

  it('that names a Placement which is not there, or that nobody reads, says so', () => {
    expect(configJudged({ placements: ['default', 'late'] }).warnings).toEqual([
      expect.stringContaining('no Placement placements/late yet'),
    ]);
    expect(configJudged({}, null, { namespace: 'x', name: 'y' }).warnings).toEqual([
      expect.stringContaining('this one has no effect'),
    ]);
  });
});

describe('a ManagedCluster', () => {
  const facts = known({ servedBy: (cluster) => (cluster === 'site-1' ? ['team-a/x', 'team-b/y'] : []) });
  const deletion = (metadata: object, name = 'site-1') =>
    judged(
      PATHS.validateManagedCluster,
      asked(null, { metadata: { name, ...metadata } }, { operation: 'DELETE', namespace: '', name }),
      facts,
    ).problems;

  it('that serves Capps is not deleted, which is told with the way to do it', () => {
    const [problem] = deletion({});
    expect(problem?.message).toBe(
      'ManagedCluster site-1 serves 2 Capps: team-a/x, team-b/y. Drain it first: taint it with effect NoSelect, start workflow drain/site-1, ' +
        'and wait until they have moved. If they may go down with it, set the annotation rcs.dana.io/allow-detach',
    );
    expect(deletion({ annotations: { [ALLOW_DETACH]: 'false' } })).toHaveLength(1);
  });

  it.each([
    ['serves nobody', {}, 'site-2'],
    ['may go', { annotations: { [ALLOW_DETACH]: 'true' } }, 'site-1'],
    ['is going already', { deletionTimestamp: '2026-11-21T12:00:00Z' }, 'site-1'],
  ])('that %s is deleted', (_title, metadata, name) => {
    expect(deletion(metadata, name)).toEqual([]);
  });

  it('may be changed', () => {
    const request = asked({ metadata: {} }, { metadata: {} }, { namespace: '', name: 'site-1' });
    expect(judged(PATHS.validateManagedCluster, request, facts).problems).toEqual([]);
  });
});

test.each<[unknown, number]>([
  [2, 2],
  ['2', 2],
  ['.5', 0.5],
  ['100m', 0.1],
  ['1Ki', 1024],
  ['1k', 1000],
  ['1E', 1e18],
  ['1e3', 1000],
  ['-1Gi', -(2 ** 30)],
  ['much', Number.NaN],
  ['', Number.NaN],
  [null, Number.NaN],
])('%j is %d', (quantity, wanted) => {
  expect(amount(quantity)).toBe(wanted);
});

test('nothing answers elsewhere', () => {
  expect(() => judged('/', asked({}), KNOWN)).toThrow('There are no rules for the path');
});
