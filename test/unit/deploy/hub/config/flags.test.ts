import { help } from '../../../../../deploy/hub/config/flags.ts';
import { FIELDS } from '../../../../../deploy/hub/config/fields.ts';
import { read, refusals, SAMPLE } from '../../../../support/builders/hub-config.ts';

describe('flags', () => {
  test('win over the file, and their paths begin where the person is', () => {
    const { config } = read(SAMPLE, '--port', '9444', '--data-dir', 'hub', '--ca-file=a.crt');
    expect(config).toMatchObject({
      dataDirectory: '/home/me/hub',
      apiServer: { port: 9444, authority: { cert: '/home/me/a.crt', key: '/etc/hub/ca.key' } },
    });
  });

  test('stand for a whole file', () => {
    const values = [
      '--etcd-mode',
      'external',
      '--etcd-servers',
      'https://a:1,https://b:1',
      '--gateway-port',
      '1',
      '--external-hostname',
      '10.0.0.1',
    ];
    expect(read(null, ...values).config).toMatchObject({
      apiServer: { externalHostname: '10.0.0.1' },
      etcd: { servers: ['https://a:1', 'https://b:1'] },
      gateway: { port: 1 },
    });
  });

  test.each<[string[], RegExp]>([
    [['--data-directory', 'a'], /^--data-directory is no flag of cappstan hub\./],
    [['--prot', '1'], /Did you mean --port\?/],
    [['--port'], /^--port needs a value/],
    [['--data-dir', '--dry-run'], /^--data-dir needs a value/],
    [['--port', 'https'], /^apiserver\.port \(--port\) must be a whole number .* It is "https"/],
    [['here'], /^"here" belongs to no flag\. Values come behind flags/],
    [['status'], /^"status" belongs to no flag\. cappstan hubs says/],
    [['stop', '--data-dir', '/srv/hub'], /^"stop" belongs to no flag\. Press Ctrl-C/],
    [
      ['--data-dir=~/hub'],
      /^dataDirectory \(--data-dir\) must be written out: nobody but a shell knows ~\. It is "~\/hub"\. .*, give \.\/~\/hub: \/home\/me\/~\/hub\.$/,
    ],
    [['--dry-run=yes'], /^--dry-run takes no value/],
  ])('%j is refused', (args, sentence) => {
    expect(refusals(null, ...args)[0]).toMatch(sentence);
  });

  test('are all in the help, once', () => {
    for (const { flag } of FIELDS) expect(help().match(new RegExp(`^  ${flag} `, 'gm'))).toHaveLength(1);
  });
});
