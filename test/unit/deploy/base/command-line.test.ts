import { BASE_OPTIONS, baseAskedBy, HELP } from '../../../../deploy/join/base/command-line.ts';
import { askedBy, HELP as HELP_OF_JOIN } from '../../../../deploy/join/command-line.ts';
import { joinLine } from '../../../../crds/join/join-line.ts';

const SITE = ['--kubeconfig', '/site'];
const LINE = joinLine({
  fingerprint: `sha256:${'a'.repeat(64)}`,
  cluster: 'shop-7',
  token: { id: 'abcdef', secret: '0123456789abcdef' },
  endsAt: null,
  host: 'hub.example',
  port: 9443,
});
const join = (...flags: string[]) => askedBy(['join', LINE, ...SITE, ...flags], () => Promise.resolve(''));

it('brings Knative if nothing else is asked', () => {
  expect(baseAskedBy(SITE)).toMatchObject({
    what: 'base',
    isDryRun: false,
    wishes: { parts: ['knative'], takeOver: [], manifests: null, domain: null, features: [] },
  });
});

it('takes all that can be said', () => {
  const flags = [
    '--parts',
    'knative,cert-manager',
    '--take-over',
    'cert-manager',
    '--domain',
    'apps.example',
  ];
  const more = ['--features', 'kubernetes.podspec-tolerations', '--manifests', 'https://mirror.example/m'];
  expect(baseAskedBy([...SITE, ...flags, ...more, '--dry-run'])).toMatchObject({
    isDryRun: true,
    wishes: {
      parts: ['knative', 'cert-manager'],
      takeOver: ['cert-manager'],
      domain: 'apps.example',
      features: ['kubernetes.podspec-tolerations'],
      manifests: 'https://mirror.example/m',
    },
  });
});

it.each([
  [[], /--kubeconfig/],
  [[...SITE, '--parts', 'istio'], /no part istio.*knative, cert-manager/],
  [[...SITE, '--take-over', 'cert-manager'], /not among the parts/],
  [[...SITE, '--parts', 'nfs', '--take-over', 'nfs'], /--take-over: nfs is a chart/],
  [[...SITE, '--parts', 'nfs', '--values', 'nfs'], /--values wants the file/],
  [[...SITE, '--parts', 'nfs', '--values', 'knative=/etc/passwd'], /knative has no chart.*logging, nfs, dns/],
  [[...SITE, '--parts', 'nfs', '--values', 'dns=/etc/passwd'], /dns is not among the parts/],
  [[...SITE, '--parts', 'nfs', '--values', 'nfs=/none'], /no file \/none for nfs/],
  [['--print', '--parts', 'nfs'], /helm upgrade --install/],
  [['--bundle', 'platform'], /--sites/],
  [['--bundle', 'Platform', '--sites', 'a'], /namespace/],
  [[...SITE, '--domain', 'http://apps'], /--domain/],
  [[...SITE, '--features', 'volumes'], /no key of config-features/],
  [[...SITE, 'line'], /flags alone/],
  [[...SITE, '--nonsense'], /--help/],
])('refuses %j', (args, sentence) => {
  expect(() => baseAskedBy(args)).toThrow(sentence);
});

it('comes with a join only where it is asked for, with or without names of parts', async () => {
  expect(await join()).toMatchObject({ base: null });
  expect(await join('--with-base')).toMatchObject({ base: { parts: ['knative'] } });
  expect(await join('--with-base', '--dry-run')).toMatchObject({
    base: { parts: ['knative'] },
    isDryRun: true,
  });
  expect(await join('--with-base=cert-manager,dns', '--domain', 'x.example')).toMatchObject({
    base: { parts: ['cert-manager', 'dns'], domain: 'x.example' },
  });
  await expect(join('--domain', 'x.example')).rejects.toThrow('--with-base');
  await expect(join('--with-base=istio')).rejects.toThrow('no part istio');
  const leave = ['leave', ...SITE, '--with-base'];
  await expect(askedBy(leave, () => Promise.resolve(''))).rejects.toThrow('nothing else');
});

it.each(Object.keys(BASE_OPTIONS))('both commands say in their help that they take --%s', (flag) => {
  expect(HELP).toContain(`--${flag}`);
  expect(HELP_OF_JOIN).toContain(`--${flag}`);
});
