// A field of a CappConfig that cannot be read is said, and the others count.
import { readConfig } from '../../../../site/config/read.ts';
import type { CappConfig } from '../../../../site/config/capp-config.ts';
import { DEFAULT_AUTOSCALE, NO_LIMITS } from '../../../../site/workload/autoscaling.ts';
import { HEAD, readOf, DEFAULTS, TARGETS, strings } from '../../../support/builders/site/capp-configs.ts';

describe('a field that cannot be read', () => {
  it.each([
    {
      spec: { autoscaleConfig: { ...TARGETS, rps: 'many' } },
      says: 'spec.autoscaleConfig.rps has no effect: it must be a number of at least 0.01.',
    },
    {
      spec: { autoscaleConfig: { ...TARGETS, rps: 0 } },
      says: 'spec.autoscaleConfig.rps has no effect: it must be a number of at least 0.01.',
    },
    {
      spec: { autoscaleConfig: { ...TARGETS, activationScale: 2.5 } },
      says: 'spec.autoscaleConfig.activationScale has no effect: it must be a whole number of at least 1.',
    },
    { spec: { autoscaleConfig: [] }, says: 'spec.autoscaleConfig has no effect: it must be an object.' },
    { spec: { dnsConfig: { zone: 7 } }, says: 'spec.dnsConfig.zone has no effect: it must be text.' },
    {
      spec: { dnsConfig: { zone: 'apps example.com' } },
      says: 'spec.dnsConfig.zone has no effect: it must be a name of DNS such as apps.example.com.',
    },
    {
      spec: { dnsConfig: { cname: 'https://ingress.example.com' } },
      says: 'spec.dnsConfig.cname has no effect: it must be a name of DNS such as apps.example.com.',
    },
    {
      spec: { dnsConfig: { issuerRef: { name: 'ca' } } },
      says: 'spec.dnsConfig.issuerRef needs name, kind and group. Set all three.',
    },
    {
      spec: { allowedHostnamePatterns: [{ explanation: 'x' }] },
      says: 'spec.allowedHostnamePatterns[0].match is missing. Set it to a regular expression.',
    },
    {
      spec: { allowedHostnamePatterns: [{ match: '(' }] },
      says: 'spec.allowedHostnamePatterns[0].match has no effect: it is no regular expression that Go can read. Correct it.',
    },
    {
      spec: { invalidHostnamePatterns: ['('] },
      says: 'spec.invalidHostnamePatterns[0] has no effect: it is no regular expression that Go can read. Correct it.',
    },
    {
      spec: { allowedHostnamePatterns: 'x' },
      says: 'spec.allowedHostnamePatterns has no effect: it must be a list.',
    },
    {
      spec: { autoscaleConfig: { minReplicasLimit: 9, maxReplicasLimit: 3 } },
      says: 'spec.autoscaleConfig.minReplicasLimit is above maxReplicasLimit: no Capp can use it. Lower it.',
    },
    {
      spec: { autoscaleConfig: { maxScaleDelay: 7200 } },
      says: 'spec.autoscaleConfig.maxScaleDelay is above 3600, which Knative refuses. Lower it.',
    },
  ])('is reported once: $says', ({ spec, says }) => {
    expect(readOf(spec).problems).toEqual([says]);
  });

  it('takes its default, and changes nothing of the others', () => {
    const { autoscale } = readOf({ autoscaleConfig: { ...strings, rps: 'many' } }).config;
    expect(autoscale).toEqual({
      targets: { ...TARGETS, rps: DEFAULT_AUTOSCALE.targets.rps },
      activationScale: 4,
      limits: NO_LIMITS,
    });
  });

  it.each([
    null,
    undefined,
    'text',
    3,
    [],
    { autoscaleConfig: null, dnsConfig: null, allowedHostnamePatterns: null },
  ])('never makes reading fail: %j', (spec) => {
    const broken = { metadata: { namespace: HEAD, name: 'capp-config' }, spec } as unknown as CappConfig;
    expect(readConfig([broken]).config).toEqual(DEFAULTS);
  });
});
