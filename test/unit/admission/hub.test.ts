// What admission refuses in an RCSConfig, and how it reads patterns and quantities.
import { pattern, patternsOf } from '../../../admission/patterns.ts';
import { amount } from '../../../admission/fields.ts';
import { PATHS } from '../../../admission/router.ts';
import { RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { asked, judged, KNOWN, said } from '../../support/builders/admission.ts';

const config = (spec: object) => ({
  metadata: RCS_CONFIG_KEY,
  spec: { placements: ['default'], placementsNamespace: 'placements', ...spec },
});
const configJudged = (
  spec: object,
  before: object | null = null,
  key: { namespace: string; name: string } = RCS_CONFIG_KEY,
) => judged(PATHS.validateRcsConfig, asked(config(spec), before === null ? null : config(before), key));

describe('a hostname pattern', () => {
  it.each([
    ['a[b-', 'missing closing ]', 2],
    ['(abc', 'missing closing )', 1],
    ['(a)(c', 'missing closing )', 4],
    ['a)b', 'unexpected )', 2],
    ['ab**', 'invalid nested repetition operator', 3],
    ['x(?=y)', 'invalid or unsupported Perl syntax', 2],
    ['ab\\', 'trailing backslash at end of expression', 3],
    ['a{1001}', 'invalid repeat count', 2],
  ])('%s is refused with the error and its position', (text, error, position) => {
    expect(pattern(text)).toEqual({ text, error: expect.stringContaining(error), position });
  });

  it.each(['^[a-z]+\\.dana\\.io$', '(?i)x', '(?P<name>x)', '[[:alpha:]]', '\\z', '\\pL'])(
    '%s is accepted as in Go',
    (text) => {
      expect(pattern(text)).toHaveProperty('matches');
    },
  );

  it('with nested repetition is matched in linear time', () => {
    const [evil] = patternsOf(['^(a+)+$']);
    expect(evil !== undefined && 'matches' in evil && evil.matches(`${'a'.repeat(250)}!`)).toBe(false);
  });
});

describe('an RCSConfig', () => {
  it('without patterns and defaults is accepted', () => {
    expect(configJudged({})).toEqual({ problems: [], patches: [], warnings: [] });
  });

  it('with domains and without a zone is warned of names that escape them', () => {
    const domains = [{ domain: 'bank.zone.io', namespaces: ['bank'] }];
    expect(configJudged({ domains }).warnings).toEqual([expect.stringContaining('escapes them')]);
    expect(configJudged({ domains, dns: { zone: 'zone.io' } }).warnings).toEqual([]);
  });

  it('is refused with each network of a host that cannot be read', () => {
    const hosts = [
      { host: 'a.example', privateAddresses: ['10.0.0.0/8', '10.0.0.0/33', '10.1/16'] },
      { host: 'b.example' },
    ];
    const what = 'an address, a slash and the number of its bits, such as 10.20.0.0/16 or 10.20.3.4/32';
    expect(said(configJudged({ notifications: { hosts } }).problems)).toEqual([
      `spec.notifications.hosts[0].privateAddresses[1]: "10.0.0.0/33" is no network: write ${what}`,
      `spec.notifications.hosts[0].privateAddresses[2]: "10.1/16" is no network: write ${what}`,
    ]);
    expect(configJudged({ notifications: { hosts: [{ host: 'a.example' }] } }).problems).toEqual([]);
  });

  it('is refused with the position of the error in each invalid pattern', () => {
    expect(said(configJudged({ invalidHostnamePatterns: ['fine', 'a[b', '(c'] }).problems)).toEqual([
      'spec.invalidHostnamePatterns[1]: missing closing ] at character 2 of "a[b": it must be a regular expression in Go\'s syntax (RE2)',
      'spec.invalidHostnamePatterns[2]: missing closing ) at character 1 of "(c": it must be a regular expression in Go\'s syntax (RE2)',
    ]);
  });

  it('no pattern is read that is longer than the schema allows, and a long one is not searched for its fault', () => {
    const told = (...patterns: readonly string[]): string[] =>
      said(configJudged({ invalidHostnamePatterns: patterns }).problems);
    const bound =
      'spec.invalidHostnamePatterns: may have 100 patterns of 1024 characters at most: write fewer or shorter ones';
    expect(told(`(${'a'.repeat(1024)}`)).toEqual([bound]);
    expect(told(...Array.from({ length: 101 }, () => 'a'))).toEqual([bound]);
    const [long] = told(`(${'a'.repeat(1000)}`);
    expect(long).toMatch(/: missing closing \) of "\(a/);
    const [short] = told(`(${'a'.repeat(100)}`);
    expect(short).toMatch(/: missing closing \) at character 1 of "\(a/);
  });

  it('is refused with at most five invalid patterns named', () => {
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

  it('may keep invalid values that it had before', () => {
    const wrong = {
      invalidHostnamePatterns: ['('],
      defaultResources: { requests: { cpu: 2 }, limits: { cpu: 1 } },
    };
    expect(configJudged({ ...wrong, placements: ['default', 'other'] }, wrong).problems).toEqual([]);
  });

  it('gets a warning when it names a missing Placement or is not the one that Cappstan reads', () => {
    expect(configJudged({ placements: ['default', 'late'] }).warnings).toEqual([
      expect.stringContaining('no Placement placements/late yet'),
    ]);
    expect(configJudged({}, null, { namespace: 'x', name: 'y' }).warnings).toEqual([
      expect.stringContaining('this one has no effect'),
    ]);
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
])('%j is read as quantity %d', (quantity, wanted) => {
  expect(amount(quantity)).toBe(wanted);
});

test('a request on an unknown path is an error', () => {
  expect(() => judged('/', asked({}), KNOWN)).toThrow('There are no rules for the path');
});
