// Whoever types a target of the Makefiles of the projects that this one follows reads what to type here, and
// nothing is said to be done.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

// The shell of who types, in which no make runs: one that make starts says which folder it enters.
const { PATH } = process.env;

test.each([
  ['local-quickstart IMG=x', 'make up'],
  ['prereq PROVIDER_DNS_REALM=x', 'cappstan base'],
  ['install', 'helm install'],
  ['deploy IMG=x', 'site.alone=true'],
  ['deploy', 'metal.hosts=true'],
  ['deploy-status-addon IMG=x', 'the add-on cappstan'],
  ['deploy-score-addon IMG=x', 'the add-on cappstan'],
  ['docker-build docker-push IMG=x', 'make release'],
  ['docker-push', 'make release'],
  ['docker-build-controller', 'make release'],
  ['image', 'make release'],
  ['images', 'make release'],
  ['vendor', 'nothing is vendored'],
  ['build', 'make tools'],
  ['run', 'cappstan hub --config $CONFIG_DIR'],
])('make %s says what to type here', (typed, says) => {
  const { status, stdout, stderr } = spawnSync('make', typed.split(' '), {
    cwd: ROOT,
    env: { PATH },
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^There is no target \S+ here\. In its place: /m);
  expect(stderr).toContain(says);
});
