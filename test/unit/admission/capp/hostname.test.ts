// Which hostnames of a Capp admission refuses, and with which messages.
import type { Holder } from '../../../../admission/known.ts';
import { configured, known, raw, validated, problems } from '../../../support/builders/admission.ts';

const under = (hostname: string) => raw({ routeSpec: { hostname } });

const heldBy = (...holders: Holder[]) =>
  known({ holders: (hostname) => (hostname === 'app.example.com' ? holders : []) });

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
