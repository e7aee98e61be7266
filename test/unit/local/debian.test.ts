// Where HAProxy, sshd and Spin cannot be had, one sentence says so, and nothing half is left.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { debianProgram } from '../../../deploy/local/programs/debian.ts';
import { describeError, noProgress } from '../../../deploy/local/terminal.ts';

const dir = mkdtempSync(join(tmpdir(), 'cappstan-debian-'));
const cache = join(dir, 'cache');
const before = { path: process.env['PATH'], cache: process.env['CAPPSTAN_CACHE'] };
beforeAll(() => {
  process.env['PATH'] = dir;
  process.env['CAPPSTAN_CACHE'] = cache;
});
afterAll(() => {
  process.env['PATH'] = before.path;
  if (before.cache === undefined) delete process.env['CAPPSTAN_CACHE'];
  else process.env['CAPPSTAN_CACHE'] = before.cache;
  rmSync(dir, { recursive: true, force: true });
});

test('on a machine without apt-get it is said what to do', async () => {
  const failed = await debianProgram('haproxy', noProgress, []).catch(describeError);
  expect(failed).toContain(
    'HAProxy, an SSH server and Spin are needed and could not be had: install haproxy, sshd and spin, or run on Debian or Ubuntu',
  );
  expect(readdirSync(cache)).toEqual([]);
});

test('what is installed is used as it is', async () => {
  const place = join(dir, 'sbin');
  mkdirSync(place);
  writeFileSync(join(place, 'sshd'), '');
  expect(await debianProgram('sshd', noProgress, [place])).toEqual({ command: join(place, 'sshd'), env: {} });
});
