// What `cappstan join` and `leave` take, and what they say to everything else.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { joinLine } from '../../../../crds/join/join-line.ts';
import { askedBy, type JoinCommand } from '../../../../deploy/join/command-line.ts';
import { JoinRefused } from '../../../../deploy/join/refused.ts';
import { issue } from '../../../../tls/certificate.ts';

const LINE = {
  fingerprint: `sha256:${'ab'.repeat(32)}`,
  cluster: 'shop-7',
  token: { id: 'abcdef', secret: '0123456789abcdef' },
  endsAt: Date.parse('2026-03-01T12:00:00Z'),
  host: 'hub.example',
  port: 9443,
};
const ONE = joinLine(LINE);
const ANY = joinLine({ ...LINE, cluster: null });
const asked = (...args: string[]): Promise<JoinCommand> => askedBy(args, async () => `${ONE}\n`);
const SITE = ['--kubeconfig', '/etc/site.kubeconfig'];

test('a line for one cluster is enough, from the command line or from standard input', async () => {
  const whole = {
    what: 'join',
    cluster: 'shop-7',
    isDryRun: false,
    line: LINE,
    dir: '/var/lib/cappstan-site',
  };
  expect(await asked('join', ONE, ...SITE)).toMatchObject(whole);
  expect(await asked('join', '-', ...SITE)).toMatchObject(whole);
  expect(await asked('join', ONE, '--cluster', 'shop-7', '--dry-run', ...SITE)).toMatchObject({
    isDryRun: true,
    isForeground: false,
  });
  expect(await asked('join', ONE, '--foreground', ...SITE)).toMatchObject({ isForeground: true });
  expect(await asked('join', ANY, '--cluster', 'shop-9', ...SITE)).toMatchObject({ cluster: 'shop-9' });
  expect(await asked('leave', '--data-dir', '/srv/a', ...SITE)).toMatchObject({
    what: 'leave',
    dir: '/srv/a',
  });
  expect(await asked('join', '--help')).toEqual({ what: 'help' });
});

test.each<[string[], string]>([
  [['join', ONE], '--kubeconfig'],
  [['join', ...SITE], 'Give one line'],
  [['join', ONE, ONE, ...SITE], 'Give one line'],
  [['join', ONE.slice(0, -8), ...SITE], 'copy all of it'],
  [['join', `${ONE}${ONE}`, ...SITE], 'more than one line of cappstan token'],
  [['join', '', ...SITE], 'it is empty'],
  [['join', ONE, '--cluster', 'shop-8', ...SITE], 'for shop-7 alone'],
  [['join', ANY, ...SITE], 'as which one'],
  [['join', ANY, '--cluster', 'Shop', ...SITE], '--cluster must be'],
  [['join', ONE, '--tokn', 'x', ...SITE], '--tokn'],
  [['leave', 'shop-7', ...SITE], 'nothing else'],
  [['leave', '--dry-run', ...SITE], 'nothing else'],
  [['leave', '--foreground', ...SITE], 'nothing else'],
  [['leave', '--proxy', 'http://proxy.example:3128', ...SITE], 'nothing else'],
])('%j is refused with a sentence, which never quotes the token', async (args, says) => {
  const error = (await asked(...args).catch((failed: unknown) => failed)) as Error;
  expect(error.message).toContain(says);
  expect(error.message).not.toContain(LINE.token.secret);
});

describe('a proxy', () => {
  let folder: string;
  let ca: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'join-proxy-'));
    ca = (await issue(['proxy.example'], Date.now())).authority;
    writeFileSync(join(folder, 'ca.crt'), ca);
    writeFileSync(join(folder, 'credentials'), 'shop@dana:p:w/d\n');
    writeFileSync(join(folder, 'half'), 'secret-without-user\n');
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const joining = (...flags: string[]): Promise<JoinCommand> =>
    asked('join', ONE, ...SITE, ...flags.map((flag) => flag.replace('@/', `${folder}/`)));

  test('is taken with its authority and credentials, which come from files', async () => {
    expect(await joining()).toMatchObject({ proxy: null });
    expect(await joining('--proxy', 'http://proxy.example:3128')).toMatchObject({
      proxy: { url: 'http://proxy.example:3128', ca: null },
    });
    const flags = ['--proxy', 'https://proxy.example:3129', '--proxy-ca', '@/ca.crt'];
    expect(await joining(...flags, '--proxy-credentials', '@/credentials')).toMatchObject({
      proxy: { url: 'https://shop%40dana:p%3Aw%2Fd@proxy.example:3129', ca },
    });
  });

  test.each<[string[], string]>([
    [['--proxy', 'proxy.example:3128'], '--proxy must be'],
    [['--proxy', 'socks5://proxy.example:1080'], '--proxy must be'],
    [['--proxy', 'http://proxy.example:3128/path'], '--proxy must be'],
    [['--proxy', 'http://shop:hidden@proxy.example:3128'], '--proxy-credentials <file>'],
    [['--proxy-ca', '@/ca.crt'], '--proxy <url>'],
    [['--proxy-credentials', '@/credentials'], '--proxy <url>'],
    [['--proxy', 'http://proxy.example:3128', '--proxy-ca', '@/ca.crt'], 'https://host:port'],
    [['--proxy', 'https://proxy.example:3128'], 'give its file, --proxy-ca <file>'],
    [['--proxy', 'https://proxy.example:3128', '--proxy-ca', '@/none'], 'does not exist'],
    [['--proxy', 'https://proxy.example:3128', '--proxy-ca', '@/half'], 'no certificate'],
    [['--proxy', 'http://proxy.example:3128', '--proxy-credentials', '@/half'], 'user:password'],
  ])('%j is refused with a sentence that quotes no credentials', async (flags, says) => {
    const error = (await joining(...flags).catch((failed: unknown) => failed)) as Error;
    expect(error).toBeInstanceOf(JoinRefused);
    expect(error.message).toContain(says);
    expect(error.message).not.toMatch(/hidden|secret-without-user/);
  });
});
