// What admission refuses in a Capp, and with which messages.
import type { Holder } from '../../../admission/known.ts';
import { PATHS } from '../../../admission/router.ts';
import { FORCE, MIGRATE, PRIORITY } from '../../../crds/labels.ts';
import { asked, configured, judged, known, KNOWN, raw, said } from '../../support/builders/admission.ts';

const validated = (object: unknown, before: unknown = null, facts = KNOWN) =>
  judged(PATHS.validateCapp, asked(object, before), facts);
const problems = (...given: Parameters<typeof validated>) => said(validated(...given).problems);
const at = (site: string) => raw({ site });
const under = (hostname: string) => raw({ routeSpec: { hostname } });
const CLOSED = known({
  sites: () => [
    { name: 'site-1', isHub: false, mayPin: true },
    { name: 'site-2', isHub: false, mayPin: false },
  ],
});
const heldBy = (...holders: Holder[]) =>
  known({ holders: (hostname) => (hostname === 'app.example.com' ? holders : []) });

describe('spec.site', () => {
  it.each(['', 'site-1', 'default'])('"%s" is accepted', (site) => {
    expect(validated(at(site))).toMatchObject({ problems: [], warnings: [] });
  });

  it('that does not exist is refused with the names that do', () => {
    expect(problems(at('atlantis'))).toEqual([
      'spec.site: "atlantis" is neither a site nor a placement. Name one of them, or leave it empty for the best site. ' +
        'Sites: site-1, site-2; placements: default',
    ]);
  });

  it('that names the hub is refused', () => {
    expect(problems(at('local-cluster'))[0]).toContain('is the hub itself');
  });

  it('in no clusterset of the placements is refused with the names that may be used', () => {
    expect(problems(at('site-2'), null, CLOSED)).toEqual([
      'spec.site: "site-2" is in no clusterset of the placements, so a Capp cannot be pinned to it: name a site that is (site-1), ' +
        'or let a placement choose; an administrator of the hub may allow all sites with pinning: Any in RCSConfig rcs-deployer-system/rcs-config',
    ]);
    expect(
      problems({ ...at('site-2'), spec: { site: 'site-2', state: 'disabled' } }, at('site-2'), CLOSED),
    ).toEqual([]);
  });

  it('that has disappeared since may stay unchanged', () => {
    expect(
      problems({ ...at('atlantis'), spec: { site: 'atlantis', state: 'disabled' } }, at('atlantis')),
    ).toEqual([]);
  });

  it('may name a site, or be empty with a warning, when there is no RCSConfig', () => {
    const facts = known({ config: null });
    expect(problems(at('site-1'), null, facts)).toEqual([]);
    expect(problems(at('default'), null, facts)[0]).toContain(
      'There is no RCSConfig rcs-deployer-system/rcs-config, so no placement either',
    );
    expect(validated(at(''), null, facts)).toMatchObject({
      problems: [],
      warnings: [expect.stringContaining('the Capp waits')],
    });
  });

  it('with a listed placement that does not exist yet gets a warning that the Capp waits', () => {
    expect(validated(at('late'), null, configured({ placements: ['late'] }))).toMatchObject({
      problems: [],
      warnings: ['There is no Placement placements/late yet: the Capp waits until it exists.'],
    });
  });
});

describe('spec.routeSpec.hostname', () => {
  it.each(['app.example.com', 'app.example.com.', 'a.b', `${'a'.repeat(63)}.com`, '1.2.3.4'])(
    '%s is accepted',
    (hostname) => {
      expect(problems(under(hostname))).toEqual([]);
    },
  );

  it.each([
    '...aaa.a....',
    'app',
    'App.example.com',
    'app_1.example.com',
    '-a.example.com',
    `${'a'.repeat(64)}.com`,
    'a..b',
    '*.a.b',
    'a.b..',
    'a b.c',
  ])('%s is refused as not fully qualified', (hostname) => {
    expect(problems(under(hostname))).toEqual([
      expect.stringMatching(/^spec\.routeSpec\.hostname: .* is not a fully qualified domain name: use /),
    ]);
  });

  it('with more than 253 characters is refused', () => {
    expect(problems(under(Array.from({ length: 130 }, () => 'a').join('.')))).toHaveLength(1);
  });

  it.each(['invalid.svc.cluster.local', 'a.cluster.local.'])(
    '%s is refused because it is in the clusters’ own domain',
    (hostname) => {
      expect(problems(under(hostname))).toEqual([expect.stringContaining("the clusters' own domain")]);
    },
  );

  it.each([
    { patterns: ['dana-cluster'], hostname: 'x.dana-cluster.io', hits: 'dana-cluster' },
    { patterns: ['', '^x\\.', '(?i)IO$'], hostname: 'x.dana.io', hits: '(?i)IO$, ^x\\.' },
  ])('$hostname is refused because it matches $hits', ({ patterns, hostname, hits }) => {
    const told = problems(under(hostname), null, configured({ invalidHostnamePatterns: patterns }));
    expect(told).toEqual([
      expect.stringContaining(`matches ${hits}, which RCSConfig rcs-deployer-system/rcs-config forbids`),
    ]);
  });

  it.each(['app.team.apps.example.com', 'apps.example.com', 'X.Apps.Example.COM.'])(
    '%s is refused because it is in a reserved domain',
    (hostname) => {
      const told = problems(
        under(hostname),
        null,
        configured({ reservedDomains: ['other.com', 'apps.example.com'] }),
      );
      expect(told).toContainEqual(
        expect.stringContaining(
          'is in apps.example.com, which RCSConfig rcs-deployer-system/rcs-config reserves',
        ),
      );
      expect(
        problems(under('myapps.example.com'), null, configured({ reservedDomains: ['apps.example.com'] })),
      ).toEqual([]);
    },
  );

  describe('with a zone that the sites add', () => {
    const dns = {
      zone: 'Zone.io.',
      provider: 'p',
      ttlSeconds: 60,
      allowedTargets: ['*.gates.zone.io', 'way.in.', '*.io'],
    };
    const facts = (more: object = {}) => configured({ dns, ...more });
    const holder = { namespace: 'bank', name: 'shop', deleting: false };
    const held = { ...facts(), holders: (name: string) => (name === 'shop.bank.zone.io' ? [holder] : []) };

    it.each(['shop.bank', 'shop.bank.', 'shop.bank.zone.io', 'shop.bank.zone.io.'])(
      '%s is refused because another Capp has the whole name',
      (hostname) => {
        expect(problems(under(hostname), null, held)).toEqual([
          'spec.routeSpec.hostname: "shop.bank.zone.io" is taken by Capp bank/shop: use another, or remove it from that Capp first',
        ]);
      },
    );

    it.each([
      ['app.apps', { reservedDomains: ['apps.zone.io'] }, 'is in apps.zone.io, which'],
      ['app.apps.zone.io', { reservedDomains: ['apps.zone.io'] }, 'is in apps.zone.io, which'],
      ['app.example.com', { reservedDomains: ['example.com'] }, 'is in example.com, which'],
      ['app.bad', { invalidHostnamePatterns: [String.raw`^app\.bad\.zone\.io$`] }, 'forbids'],
      ['site-1.gates', {}, 'is *.gates.zone.io, to which records lead'],
      ['site-1.gates.zone.io', {}, 'is *.gates.zone.io, to which records lead'],
    ])('%s is refused with its whole name (%#)', (hostname, more, words) => {
      expect(problems(under(hostname), null, facts(more))).toEqual([expect.stringContaining(words)]);
    });

    it.each(['way.in', 'gates.zone.io', 'my.app', 'site-1.gates.zone.com'])('%s is accepted', (hostname) => {
      expect(problems(under(hostname), null, facts())).toEqual([]);
    });
  });

  it('gets a warning for an invalid pattern, which forbids nothing', () => {
    const facts = configured({ invalidHostnamePatterns: ['a[', 'never'] });
    expect(validated(under('app.example.com'), null, facts)).toMatchObject({
      problems: [],
      warnings: [
        expect.stringContaining(
          'invalid hostname pattern, which is ignored: missing closing ] at character 2',
        ),
      ],
    });
  });

  it('that another Capp has is refused with the name of that Capp', () => {
    const told = problems(
      under('app.example.com.'),
      null,
      heldBy({ namespace: 'apps', name: 'other', deleting: false }),
    );
    expect(told).toEqual([expect.stringContaining('is taken by Capp apps/other: use another')]);
  });

  it('that a Capp being deleted has is refused with the advice to retry', () => {
    const told = problems(
      under('app.example.com'),
      null,
      heldBy({ namespace: 'x', name: 'app', deleting: true }),
    );
    expect(told).toEqual([expect.stringContaining('Capp x/app: which is being deleted: retry')]);
  });

  it('that the Capp itself has is accepted', () => {
    expect(
      problems(under('app.example.com'), null, heldBy({ namespace: 'apps', name: 'app', deleting: false })),
    ).toEqual([]);
  });

  it('is refused with all its problems at once', () => {
    const facts = {
      ...configured({ invalidHostnamePatterns: ['x'] }),
      holders: () => [{ namespace: 'b', name: 'c', deleting: false }],
    };
    expect(problems(under('_x.cluster.local'), null, facts)).toHaveLength(4);
  });

  it('that has become invalid since may stay unchanged', () => {
    const before = under('app');
    expect(
      problems({ ...before, spec: { routeSpec: { hostname: 'app', tlsEnabled: true } } }, before),
    ).toEqual([]);
    expect(problems(under(''), before)).toEqual([]);
  });
});

describe('a request by annotation', () => {
  const withRequest = (annotation: string, value: string) =>
    raw({}, { annotations: { [annotation]: value } });

  it.each([
    [MIGRATE, 'site-2#1'],
    [MIGRATE, '#2026-11-21T12:00:00Z'],
    [MIGRATE, ''],
    [FORCE, 'site-1#1'],
    [FORCE, '#1'],
  ])('%s: %s is accepted', (annotation, value) => {
    expect(problems(withRequest(annotation, value))).toEqual([]);
  });

  it.each([
    [MIGRATE, 'site-2', 'is not of the form <site>#<id>, or #<id> for any other site'],
    [MIGRATE, 'site-2#', 'is not of the form'],
    [MIGRATE, 'site-2#1#2', 'is not of the form'],
    [MIGRATE, 'site 2#1', 'is not of the form'],
    [MIGRATE, 'atlantis#1', 'there is no site "atlantis". Sites: site-1, site-2'],
    [MIGRATE, 'local-cluster#1', 'there is no site "local-cluster"'],
    [FORCE, 'atlantis#1', 'there is no site "atlantis"'],
    [FORCE, 'site-1', 'is not of the form <site>#<id>'],
  ])('%s: %s is refused', (annotation, value, message) => {
    const told = problems(withRequest(annotation, value));
    expect(told).toEqual([expect.stringContaining(message)]);
    expect(told[0]).toContain(`metadata.annotations[${annotation}]: `);
  });

  it.each([MIGRATE, FORCE])('%s to a site in no clusterset of the placements is refused', (annotation) => {
    const told = problems(withRequest(annotation, 'site-2#1'), null, CLOSED);
    expect(told).toEqual([
      expect.stringContaining(
        `metadata.annotations[${annotation}]: "site-2" is in no clusterset of the placements`,
      ),
    ]);
    expect(problems(withRequest(annotation, '#1'), null, CLOSED)).toEqual([]);
  });

  it('that is unchanged is not checked again', () => {
    const before = withRequest(MIGRATE, 'atlantis#1');
    expect(problems({ ...before, spec: {} }, before)).toEqual([]);
  });
});

describe('a priority by annotation', () => {
  const withPriority = (value: string) => raw({}, { annotations: { [PRIORITY]: value } });

  it.each(['10', '0', '-5', '1000', '-1000', ''])('"%s" is accepted', (value) => {
    expect(problems(withPriority(value))).toEqual([]);
  });

  it.each(['high', '1.5', '1e3', ' 1', '0x10', '1001', '-1001', '1000000000', '--1'])(
    '"%s" is refused',
    (value) => {
      const told = problems(withPriority(value));
      expect(told).toEqual([
        expect.stringContaining(`metadata.annotations[${PRIORITY}]: "${value}" is not a whole number`),
      ]);
    },
  );

  it('that has become invalid since may stay unchanged', () => {
    const before = withPriority('high');
    expect(problems({ ...before, spec: {} }, before)).toEqual([]);
  });
});

test('a field without effect causes a warning when it is written, and not afterwards', () => {
  const older = raw({ routeSpec: { hostname: 'a.b', tlsSecret: 'x' } });
  expect(validated(older).warnings).toEqual([
    expect.stringContaining('spec.routeSpec.tlsSecret has no effect without'),
  ]);
  expect(validated(older, older).warnings).toEqual([]);
});

test('a Capp that is being deleted is accepted with invalid values', () => {
  const leaving = (spec: object) =>
    raw(spec, { deletionTimestamp: '2026-11-21T12:00:00Z', annotations: { [MIGRATE]: '?' } });
  const here = { routeSpec: { hostname: 'x' } };
  expect(problems(leaving({ site: 'atlantis', ...here }), leaving(here))).toEqual([]);
  expect(problems(leaving({ site: 'atlantis' }), leaving(here))).toEqual([]);
});

test('a Capp that is being deleted cannot change its hostname', () => {
  const going = (hostname: string) =>
    raw({ routeSpec: { hostname } }, { deletionTimestamp: '2026-11-21T12:00:00Z', finalizers: ['a/b'] });
  const told = problems(going('app.example.com'), going('old.example.com'));
  expect(told).toEqual([
    expect.stringMatching(
      /^spec\.routeSpec\.hostname: the Capp is being deleted, so its hostname cannot change/,
    ),
  ]);
});
