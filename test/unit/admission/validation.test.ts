// What a Capp may not say, and in which words it is told.
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
  it.each(['', 'site-1', 'default'])('"%s" is fine', (site) => {
    expect(validated(at(site))).toMatchObject({ problems: [], warnings: [] });
  });

  it('that nobody knows is refused, naming what there is', () => {
    expect(problems(at('atlantis'))).toEqual([
      'spec.site: "atlantis" is neither a site nor a placement. Name one of them, or leave it empty for the best site. ' +
        'Sites: site-1, site-2; placements: default',
    ]);
  });

  it('that is the hub is refused', () => {
    expect(problems(at('local-cluster'))[0]).toContain('is the hub itself');
  });

  it('to which no Capp is sent by its name is refused, naming those to which one is', () => {
    expect(problems(at('site-2'), null, CLOSED)).toEqual([
      'spec.site: "site-2" is in no clusterset of the placements, so a Capp cannot be pinned to it: name a site that is (site-1), ' +
        'or let a placement choose; an administrator of the hub may allow all sites with pinning: Any in RCSConfig rcs-deployer-system/rcs-config',
    ]);
    expect(
      problems({ ...at('site-2'), spec: { site: 'site-2', state: 'disabled' } }, at('site-2'), CLOSED),
    ).toEqual([]);
  });

  it('that has gone since stays as it is', () => {
    expect(
      problems({ ...at('atlantis'), spec: { site: 'atlantis', state: 'disabled' } }, at('atlantis')),
    ).toEqual([]);
  });

  it('without an RCSConfig may be a site, and may be left to wait', () => {
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

  it('of a placement that is listed and not there yet is said to wait', () => {
    expect(validated(at('late'), null, configured({ placements: ['late'] }))).toMatchObject({
      problems: [],
      warnings: ['There is no Placement placements/late yet: the Capp waits until it exists.'],
    });
  });
});

describe('spec.routeSpec.hostname', () => {
  it.each(['app.example.com', 'app.example.com.', 'a.b', `${'a'.repeat(63)}.com`, '1.2.3.4'])(
    '%s is fine',
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
  ])('%s is no full domain name', (hostname) => {
    expect(problems(under(hostname))).toEqual([
      expect.stringMatching(/^spec\.routeSpec\.hostname: .* is not a fully qualified domain name: use /),
    ]);
  });

  it('longer than a name may be is refused', () => {
    expect(problems(under(Array.from({ length: 130 }, () => 'a').join('.')))).toHaveLength(1);
  });

  it.each(['invalid.svc.cluster.local', 'a.cluster.local.'])(
    '%s is in the clusters’ own domain',
    (hostname) => {
      expect(problems(under(hostname))).toEqual([expect.stringContaining("the clusters' own domain")]);
    },
  );

  it.each([
    { patterns: ['dana-cluster'], hostname: 'x.dana-cluster.io', hits: 'dana-cluster' },
    { patterns: ['', '^x\\.', '(?i)IO$'], hostname: 'x.dana.io', hits: '(?i)IO$, ^x\\.' },
  ])('$hostname is forbidden by $hits', ({ patterns, hostname, hits }) => {
    const told = problems(under(hostname), null, configured({ invalidHostnamePatterns: patterns }));
    expect(told).toEqual([
      expect.stringContaining(`matches ${hits}, which RCSConfig rcs-deployer-system/rcs-config forbids`),
    ]);
  });

  it.each(['app.team.apps.example.com', 'apps.example.com', 'X.Apps.Example.COM.'])(
    '%s is in a domain in which sites give names by themselves',
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

  it('is told of a pattern that cannot be read, which forbids nothing', () => {
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

  it('that another Capp has is refused, naming it', () => {
    const told = problems(
      under('app.example.com.'),
      null,
      heldBy({ namespace: 'apps', name: 'other', deleting: false }),
    );
    expect(told).toEqual([expect.stringContaining('is taken by Capp apps/other: use another')]);
  });

  it('of a Capp on its way out is to be had later', () => {
    const told = problems(
      under('app.example.com'),
      null,
      heldBy({ namespace: 'x', name: 'app', deleting: true }),
    );
    expect(told).toEqual([expect.stringContaining('Capp x/app: which is being deleted: retry')]);
  });

  it('that the Capp itself has is fine', () => {
    expect(
      problems(under('app.example.com'), null, heldBy({ namespace: 'apps', name: 'app', deleting: false })),
    ).toEqual([]);
  });

  it('is told all that is wrong with it at once', () => {
    const facts = {
      ...configured({ invalidHostnamePatterns: ['x'] }),
      holders: () => [{ namespace: 'b', name: 'c', deleting: false }],
    };
    expect(problems(under('_x.cluster.local'), null, facts)).toHaveLength(4);
  });

  it('that has become wrong since stays as it is', () => {
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
  ])('%s: %s is fine', (annotation, value) => {
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

  it.each([MIGRATE, FORCE])('%s to a site to which no Capp is sent by its name is refused', (annotation) => {
    const told = problems(withRequest(annotation, 'site-2#1'), null, CLOSED);
    expect(told).toEqual([
      expect.stringContaining(
        `metadata.annotations[${annotation}]: "site-2" is in no clusterset of the placements`,
      ),
    ]);
    expect(problems(withRequest(annotation, '#1'), null, CLOSED)).toEqual([]);
  });

  it('that lingers is not looked at again', () => {
    const before = withRequest(MIGRATE, 'atlantis#1');
    expect(problems({ ...before, spec: {} }, before)).toEqual([]);
  });
});

describe('a priority by annotation', () => {
  const withPriority = (value: string) => raw({}, { annotations: { [PRIORITY]: value } });

  it.each(['10', '0', '-5', '1000', '-1000', ''])('"%s" is fine', (value) => {
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

  it('that has become wrong since stays as it is', () => {
    const before = withPriority('high');
    expect(problems({ ...before, spec: {} }, before)).toEqual([]);
  });
});

test('a field without effect is named, when it is written', () => {
  const older = raw({ routeSpec: { hostname: 'a.b', tlsSecret: 'x' } });
  expect(validated(older).warnings).toEqual([
    expect.stringContaining('spec.routeSpec.tlsSecret has no effect'),
  ]);
  expect(validated(older, older).warnings).toEqual([]);
});

test('whatever is being deleted passes', () => {
  const leaving = (spec: object) =>
    raw(spec, { deletionTimestamp: '2026-11-21T12:00:00Z', annotations: { [MIGRATE]: '?' } });
  const here = { routeSpec: { hostname: 'x' } };
  expect(problems(leaving({ site: 'atlantis', ...here }), leaving(here))).toEqual([]);
  expect(problems(leaving({ site: 'atlantis' }), leaving(here))).toEqual([]);
});

test('a Capp that is being deleted takes no hostname, however long somebody holds it', () => {
  const going = (hostname: string) =>
    raw({ routeSpec: { hostname } }, { deletionTimestamp: '2026-11-21T12:00:00Z', finalizers: ['a/b'] });
  const told = problems(going('app.example.com'), going('old.example.com'));
  expect(told).toEqual([
    expect.stringMatching(
      /^spec\.routeSpec\.hostname: the Capp is being deleted, so its hostname cannot change/,
    ),
  ]);
});
