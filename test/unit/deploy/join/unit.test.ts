// The unit of systemd for a site, in the archive: that it says what `cappstan join` takes.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { joinLine } from '../../../../crds/join/join-line.ts';
import { askedBy } from '../../../../deploy/join/command-line.ts';

const UNIT = resolve(import.meta.dirname, '../../../../deploy/release/hub/cappstan-site.service');

test('the unit joins in the foreground, by a line that it reads from standard input, and keeps its data where its user may write', async () => {
  const unit = readFileSync(UNIT, 'utf8');
  const of = (field: string): string => new RegExp(`^${field}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
  const [program, ...args] = of('ExecStart').split(' ');
  expect(program).toBe('/opt/cappstan/cappstan');
  expect(of('StandardInput')).toMatch(/^file:/);
  const line = joinLine({
    fingerprint: `sha256:${'ab'.repeat(32)}`,
    cluster: 'shop-7',
    endsAt: null,
    token: { id: 'abcdef', secret: '0123456789abcdef' },
    host: 'hub.example',
    port: 9443,
  });
  expect(await askedBy(args, async () => `${line}\n`)).toMatchObject({
    what: 'join',
    isForeground: true,
    dir: `/var/lib/${of('StateDirectory')}`,
  });
});
