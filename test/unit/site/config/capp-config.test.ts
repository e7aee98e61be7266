// Which configuration of a site counts, and that a CappConfig is read in every spelling that a released
// version had.
import { readConfig } from '../../../../site/config/read.ts';
import type { ConfigMap } from '../../../../crds/kubernetes/core.ts';
import { DEFAULT_AUTOSCALE } from '../../../../site/workload/autoscaling.ts';
import {
  HEAD,
  aCappConfig,
  readOf,
  DEFAULTS,
  TARGETS,
  strings,
} from '../../../support/builders/site/capp-configs.ts';

const FORMER = 'capp-operator-system';

const dns = { zone: 'apps.example.com.', cname: 'ingress.example.com.', provider: 'dns' };

/** As the README of container-app-operator shows them. */
const SEED: readonly ConfigMap[] = [
  {
    metadata: { namespace: FORMER, name: 'autoscale-defaults' },
    data: { rps: '250', cpu: '85', memory: '75', concurrency: '12', activationScale: '4' },
  },
  {
    metadata: { namespace: FORMER, name: 'dns-config' },
    data: { zone: 'capp-zone.com.', cname: 'ingress.capp-zone.com.' },
  },
];

const SEED_DNS = {
  zone: 'capp-zone.com.',
  cname: 'ingress.capp-zone.com.',
  provider: null,
  issuer: null,
};

describe('the ConfigMaps of older versions', () => {
  it('count where there is no CappConfig, and are said to be superseded', () => {
    const { config: found, problems, superseded } = readConfig([], SEED);
    expect(found.autoscale).toEqual({
      ...DEFAULT_AUTOSCALE,
      targets: { rps: 250, cpu: 85, memory: 75, concurrency: 12 },
      activationScale: 4,
    });
    expect(found.dns).toEqual(SEED_DNS);
    expect(problems).toEqual([]);
    expect(superseded.map(({ message }) => message)).toEqual([
      'ConfigMap capp-operator-system/autoscale-defaults is superseded, and counts only while the site has no CappConfig: write its values into spec.autoscaleConfig of the CappConfig capp-config in namespace container-app-operator-system, and delete it.',
      'ConfigMap capp-operator-system/dns-config is superseded, and counts only while the site has no CappConfig: write its values into spec.dnsConfig of the CappConfig capp-config in namespace container-app-operator-system, and delete it.',
    ]);
  });

  it('each count alone, with the issuer that some had', () => {
    const issuer = {
      ...SEED[1],
      metadata: SEED[1]?.metadata ?? { name: '' },
      data: { zone: 'z.com', issuer: 'ca' },
    };
    const { config: found } = readConfig([], [issuer]);
    expect(found.autoscale).toEqual(DEFAULT_AUTOSCALE);
    expect(found.dns).toMatchObject({
      zone: 'z.com.',
      issuer: { name: 'ca', kind: 'ClusterIssuer', group: 'cert.dana.io' },
    });
  });

  it('may be made of files, whose last line ends with a break', () => {
    const data = { zone: 'capp-zone.com.\n', cname: ' ingress.capp-zone.com.\r\n', issuer: '\n' };
    const { config: found, problems } = readConfig(
      [],
      [{ metadata: { namespace: FORMER, name: 'dns-config' }, data }],
    );
    expect(found.dns).toEqual(SEED_DNS);
    expect(problems).toEqual([]);
  });

  it('have no effect beside a CappConfig, not even for what it leaves out, and this is said', () => {
    const { config: found, superseded } = readConfig([aCappConfig({ revisionHistoryLimit: 3 })], SEED);
    expect(found).toEqual({ ...DEFAULTS, revisionHistoryLimit: 3 });
    expect(superseded.map(({ message }) => message)).toEqual([
      'ConfigMap capp-operator-system/autoscale-defaults has no effect, because the site has a CappConfig: delete it.',
      'ConfigMap capp-operator-system/dns-config has no effect, because the site has a CappConfig: delete it.',
    ]);
  });

  it('name the key that cannot be read', () => {
    const broken = { metadata: { namespace: FORMER, name: 'autoscale-defaults' }, data: { rps: 'many' } };
    expect(readConfig([], [broken])).toMatchObject({
      config: DEFAULTS,
      problems: [
        'ConfigMap capp-operator-system/autoscale-defaults: data.rps has no effect: it must be a number of at least 0.01.',
      ],
    });
  });

  it('name the keys that have no effect, such as those in other letters', () => {
    const told = [
      { metadata: { namespace: FORMER, name: 'autoscale-defaults' }, data: { RPS: '3', cpu: '70' } },
      { metadata: { namespace: FORMER, name: 'dns-config' }, data: { zone: 'z.com', CNAME: 'a.b' } },
    ];
    const { config: found, problems } = readConfig([], told);
    expect(found.autoscale.targets).toMatchObject({ cpu: 70, rps: 200 });
    expect(problems).toEqual([
      expect.stringMatching(/autoscale-defaults: data\.RPS has no effect: there is only .*, rps, /),
      'ConfigMap capp-operator-system/dns-config: data.CNAME has no effect: there is only cname, issuer, provider, zone.',
    ]);
  });

  it('of another name or in another namespace do not count', () => {
    const others = SEED.map((one) => ({ ...one, metadata: { ...one.metadata, namespace: HEAD } }));
    expect(readConfig([], others)).toEqual({ config: DEFAULTS, problems: [], superseded: [] });
  });
});

describe('which CappConfig counts', () => {
  it('without one, the defaults hold', () => {
    expect(readConfig([])).toEqual({ config: DEFAULTS, problems: [], superseded: [] });
  });

  it.each([HEAD, FORMER])('one in the namespace %s does', (namespace) => {
    const { config: found, problems } = readConfig([aCappConfig({ revisionHistoryLimit: 3 }, namespace)]);
    expect(found.revisionHistoryLimit).toBe(3);
    expect(problems).toEqual([]);
  });

  it('of two, that in the newer namespace does, and the other is reported', () => {
    const both = [
      aCappConfig({ revisionHistoryLimit: 3 }, FORMER),
      aCappConfig({ revisionHistoryLimit: 4 }, HEAD),
    ];
    const { config: found, problems } = readConfig(both);
    expect(found.revisionHistoryLimit).toBe(4);
    expect(problems).toEqual([
      `There are two CappConfigs. That in ${HEAD} counts: delete the one in ${FORMER}.`,
    ]);
  });

  it('one of another name or in another namespace does not', () => {
    const others = [
      aCappConfig({ revisionHistoryLimit: 3 }, 'team-a'),
      aCappConfig({ revisionHistoryLimit: 3 }, HEAD, 'mine'),
    ];
    expect(readConfig(others)).toEqual({ config: DEFAULTS, problems: [], superseded: [] });
  });
});

describe('spellings', () => {
  it.each([
    { title: 'the module v0.3.6: autoscalerConfig with strings', spec: { autoscalerConfig: strings } },
    { title: 'the chart v0.3.6: autoscaleConfig with strings', spec: { autoscaleConfig: strings } },
    {
      title: 'newer versions: autoscaleConfig with numbers',
      spec: { autoscaleConfig: { ...TARGETS, activationScale: 4 } },
    },
    {
      title: 'both, of which the newer one counts',
      spec: {
        autoscalerConfig: { ...strings, rps: '1' },
        autoscaleConfig: { ...TARGETS, activationScale: 4 },
      },
    },
  ])('targets of $title', ({ spec }) => {
    expect(readOf(spec)).toMatchObject({
      config: { autoscale: { targets: TARGETS, activationScale: 4 } },
      problems: [],
    });
  });

  it('the issuer of v0.3.6 is the name of a ClusterIssuer of cert.dana.io', () => {
    expect(readOf({ dnsConfig: { ...dns, issuer: 'ca' } }).config.dns).toEqual({
      ...dns,
      issuer: { name: 'ca', kind: 'ClusterIssuer', group: 'cert.dana.io' },
    });
  });

  it('newer versions name an issuer of any kind, which counts before the older spelling', () => {
    const issuerRef = { name: 'ca', kind: 'Issuer', group: 'cert-manager.io' };
    expect(readOf({ dnsConfig: { ...dns, issuerRef, issuer: 'other' } }).config.dns.issuer).toEqual(
      issuerRef,
    );
  });

  it.each(['apps.example.com.', 'apps.example.com', 'Apps.Example.com.'])(
    'the zone %s ends with a dot',
    (zone) => expect(readOf({ dnsConfig: { ...dns, zone } }).config.dns.zone).toBe('apps.example.com.'),
  );

  it('rules for hostnames are text or objects, with three names for the pattern', () => {
    const allowedHostnamePatterns = [
      'a',
      { match: 'b', explanation: 'ends with b' },
      { regex: 'c' },
      { pattern: 'd', explanation: '' },
    ];
    expect(readOf({ allowedHostnamePatterns }).config.hostnames).toEqual([
      { match: 'a', explanation: '' },
      { match: 'b', explanation: 'ends with b' },
      { match: 'c', explanation: '' },
      { match: 'd', explanation: '' },
    ]);
  });

  it('an empty list of rules allows no hostname, and no list allows all', () => {
    expect(readOf({ allowedHostnamePatterns: [] }).config.hostnames).toEqual([]);
    expect(readOf({}).config.hostnames).toBeNull();
  });

  it('older versions list the hostnames that are refused', () => {
    expect(readOf({ invalidHostnamePatterns: ['x', '', 3] }).config.refusedHostnames).toEqual(['x']);
  });

  it('limits of replicas and of the scale delay', () => {
    const autoscaleConfig = { minReplicasLimit: 10, maxReplicasLimit: 100, maxScaleDelay: 600 };
    expect(readOf({ autoscaleConfig }).config.autoscale.limits).toEqual({
      minReplicas: 10,
      maxReplicas: 100,
      scaleDelaySeconds: 600,
    });
  });
});
