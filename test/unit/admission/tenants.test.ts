// What a tenant may not have of others, and what it is warned of: domains, passwords in clear text,
// priorities.
import { PATHS } from '../../../admission/router.ts';
import { PRIORITY } from '../../../crds/labels.ts';
import { asked, configured, judged, KNOWN, raw, said, validated } from '../../support/builders/admission.ts';

const under = (hostname: string) => raw({ routeSpec: { hostname } });

describe('a hostname in a domain that the RCSConfig opens to some namespaces', () => {
  const dns = { zone: 'zone.io', provider: 'p', ttlSeconds: 60, allowedTargets: ['way.in'] };
  const facts = configured({ dns, domains: [{ domain: 'bank.zone.io', namespaces: ['bank'] }] });
  const told = (hostname: string, namespace: string, before: unknown = null) =>
    said(judged(PATHS.validateCapp, asked(under(hostname), before, { namespace }), facts).problems);

  it.each(['shop.bank', 'shop.bank.zone.io', 'Shop.Bank.Zone.IO.'])(
    '%s is refused in the others, with who can help',
    (hostname) => {
      expect(told(hostname, 'apps')).toContainEqual(
        'spec.routeSpec.hostname: "shop.bank.zone.io" is in bank.zone.io, which is not open to namespace apps: use another, or have whoever runs the hub name the namespace in spec.domains of RCSConfig rcs-deployer-system/rcs-config',
      );
      expect(told(hostname, 'bank').join()).not.toContain('not open');
    },
  );

  it('a Capp that has its name from before the rule may be edited', () => {
    expect(told('shop.bank', 'apps', under('shop.bank'))).toEqual([]);
  });

  it('no CappSet asks for one, also in the dry run of a plan', () => {
    const template = { spec: (under('{{site}}.bank') as { spec: object }).spec };
    const set = {
      metadata: { name: 'edge', namespace: 'apps' },
      spec: { sites: { clusters: ['site-1'] }, template },
    };
    for (const [namespace, count] of [
      ['apps', 1],
      ['bank', 0],
    ] as const) {
      const given = asked(set, null, { namespace, name: 'edge', dryRun: true });
      const problems = said(judged(PATHS.validateCappSet, given, facts).problems);
      expect(problems.filter((one) => one.includes('is in bank.zone.io, which is not open'))).toHaveLength(
        count,
      );
    }
  });
});

describe('a password that others can read', () => {
  const log = (more: object) =>
    raw({
      logSpec: { type: 'elastic', host: 'https://logs', index: 'i', user: 'u', passwordSecret: 's', ...more },
    });
  const kafka = (more: object) => {
    const source = { bootstrapServers: ['k:9093'], topics: ['t'], secretRef: { name: 's' }, ...more };
    return raw({ eventSourcesSpec: { sources: [{ name: 'k', kafkaSourceConfiguration: source }] } });
  };

  it.each<[string, object, string]>([
    ['to a host without TLS', log({ host: 'HTTP://logs', sslVerify: true }), 'spec.logSpec.host: '],
    ['to whoever answers', log({}), 'spec.logSpec.sslVerify: '],
    ['to brokers without TLS', kafka({}), 'spec.eventSourcesSpec.sources[0].kafkaSourceConfiguration.tls: '],
  ])('%s is warned of when it is written', (_what, capp, words) => {
    expect(validated(capp).warnings).toEqual([expect.stringContaining(`${words}the password is sent`)]);
    expect(validated(capp, capp).warnings).toEqual([]);
  });

  it.each([log({ sslVerify: true }), kafka({ tls: true }), raw({ logSpec: {} })])(
    'that nobody can read is no reason to warn (%#)',
    (capp) => expect(validated(capp).warnings).toEqual([]),
  );
});

test('a set has no priority that no Capp of it could have', () => {
  const set = (priority: string, where: 'template' | 'patch') => {
    const marked = { metadata: { annotations: { [PRIORITY]: priority } } };
    const template = { spec: (raw({}) as { spec: object }).spec, ...(where === 'template' ? marked : {}) };
    const overrides = where === 'patch' ? [{ clusterSelector: {}, patch: marked }] : [];
    return {
      metadata: { name: 'edge', namespace: 'apps' },
      spec: { sites: { clusters: ['site-1'] }, template, overrides },
    };
  };
  const told = (object: object) => said(judged(PATHS.validateCappSet, asked(object), KNOWN).problems);
  for (const where of ['template', 'patch'] as const) {
    expect(told(set('999999', where))).toEqual([
      expect.stringContaining('is not a whole number between -1000 and 1000'),
    ]);
    expect(told(set('10', where))).toEqual([]);
    expect(told(set('{{label:priority}}', where))).toEqual([]);
  }
});
