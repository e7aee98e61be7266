// What `cappstan join` and `leave` take, and what they say to everything else.
import { joinLine } from '../../../../crds/join/join-line.ts';
import { askedBy, type JoinCommand } from '../../../../deploy/join/command-line.ts';

const LINE = {
  fingerprint: `sha256:${'ab'.repeat(32)}`,
  cluster: 'shop-7',
  token: { id: 'abcdef', secret: '0123456789abcdef' },
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
  [['join', ONE, '--cluster', 'shop-8', ...SITE], 'for shop-7 alone'],
  [['join', ANY, ...SITE], 'as which one'],
  [['join', ANY, '--cluster', 'Shop', ...SITE], '--cluster must be'],
  [['join', ONE, '--tokn', 'x', ...SITE], '--tokn'],
  [['leave', 'shop-7', ...SITE], 'nothing else'],
  [['leave', '--dry-run', ...SITE], 'nothing else'],
  [['leave', '--foreground', ...SITE], 'nothing else'],
])('%j is refused with a sentence, which never quotes the token', async (args, says) => {
  const error = (await asked(...args).catch((failed: unknown) => failed)) as Error;
  expect(error.message).toContain(says);
  expect(error.message).not.toContain(LINE.token.secret);
});
