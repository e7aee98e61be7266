// What `cappstan join` refuses before it writes anything: lines that are forged, and proxies that do not fit.
import { joinLine, parseJoinLine } from '../../../../crds/join/join-line.ts';
import { refused } from './join-stage.ts';
import type { ProxyForTests } from '../network/proxy.ts';

export interface Flags {
  /** The cluster, and the directory of that name. */
  onSite(dir: string): string[];
}

/** By a good line. */
export async function refusesForgedLines(line: string, { onSite }: Flags): Promise<void> {
  const known = parseJoinLine(line);
  if (known === null) throw new Error('no line');
  const with_ = (more: Partial<typeof known>): string => joinLine({ ...known, ...more });
  expect(
    await refused(['join', with_({ fingerprint: `sha256:${'0'.repeat(64)}` }), ...onSite('a')]),
  ).toContain('another authority');
  const forged = with_({ token: { ...known.token, secret: 'a'.repeat(16) } });
  const said = await refused(['join', forged, ...onSite('a')]);
  expect(said).toContain('does not know the token');
  expect(said).not.toContain('a'.repeat(16));
  // Nobody is asked: nobody answers there.
  const ended = with_({ endsAt: Date.parse('2026-03-01T12:00:00Z'), port: 1 });
  expect(await refused(['join', ended, ...onSite('a')])).toContain(
    'The line ended at 2026-03-01 12:00:00 UTC',
  );
  expect(await refused(['join', with_({ port: 1 }), ...onSite('a')])).toContain('cannot be reached');
}

export interface ProxyFlags extends Flags {
  readonly proxy: ProxyForTests;
  /** Its address, its authority and its credentials. */
  through(): string[];
}

export async function refusesWrongProxies(
  line: string,
  { onSite, proxy, through }: ProxyFlags,
): Promise<void> {
  const [, , ...withoutAuthority] = through().slice(2);
  const bad = [
    [['--proxy', proxy.url, ...withoutAuthority], /^--proxy: .*needs the authority.* --proxy-ca <file>\.$/m],
    [through().slice(0, 4), /^--proxy: .*refuses the credentials \(407\).* --proxy-credentials <file>\.$/m],
  ] as const;
  for (const [flags, sentence] of bad)
    expect(await refused(['join', line, ...flags, ...onSite('a')])).toMatch(sentence);
}
