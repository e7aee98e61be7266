// The inside of `own-host.ts`: makes loopback, files and relays, and runs the programs until it is killed.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { relay, type OwnHost } from './own-host.ts';

const [, , plan = ''] = process.argv;
const { dir, names, reaches, offers, files, programs } = JSON.parse(readFileSync(plan, 'utf8')) as OwnHost;

// A test that is killed leaves nothing behind.
process.stdin.resume().once('end', () => process.exit(0));

const run = (command: string, ...args: string[]): void => void execFileSync(command, args);
run('ip', 'link', 'set', 'lo', 'up');
const hosts = join(dir, 'hosts');
writeFileSync(hosts, `127.0.0.1 localhost ${names.join(' ')}\n`);
run('mount', '--bind', hosts, '/etc/hosts');
run('mount', '-t', 'tmpfs', 'tmpfs', '/run');
for (const [path, text] of Object.entries(files)) {
  const file = join('/run', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
}
for (const inside of Object.keys(reaches))
  await relay({ port: Number(inside), host: '127.0.0.1' }, { path: join(dir, `out-${inside}`) });
for (const inside of Object.values(offers))
  await relay({ path: join(dir, `in-${inside}`) }, { port: inside, host: '127.0.0.1' });
for (const { name, command, args, env = {} } of programs) {
  const log = openSync(join(dir, `${name}.log`), 'a');
  const begin = (): void => {
    const child = spawn(command, [...args], { stdio: ['ignore', log, log], env: { ...process.env, ...env } });
    // As a kubelet does: some of them end when a server is not there yet.
    child.once('exit', () => setTimeout(begin, 300));
  };
  begin();
}
