// The recipe of the jump host's image, which nobody builds here: what it runs is tried with a real sshd in
// test/activity/hub/metal/jump-host.test.ts.
import { readFileSync } from 'node:fs';

const read = (file: string): string =>
  readFileSync(new URL(`../../../deploy/images/jump-host/${file}`, import.meta.url), 'utf8');
const recipe = read('Dockerfile');
const settings = new Map(
  read('sshd_config')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => [line.split(' ')[0], line.slice(line.indexOf(' ') + 1)]),
);

test('it is built only of what has a digest, and runs as an ordinary user', () => {
  expect(recipe).toMatch(/^FROM debian:bookworm-slim@\$\{BASE_DIGEST\}$/m);
  expect(recipe).toMatch(/^ARG BASE_DIGEST$/m);
  expect(recipe).toMatch(/^ARG KUBECTL_SHA256$/m);
  expect(recipe).toContain('sha256sum --check --strict');
  expect(recipe).toMatch(/^USER 1000:1000$/m);
  expect(recipe).toContain('/etc/ssh/ssh_host_*');
});

test.each([
  ['PasswordAuthentication', 'no'],
  ['KbdInteractiveAuthentication', 'no'],
  ['PermitRootLogin', 'no'],
  ['AuthenticationMethods', 'publickey'],
  ['AllowUsers', 'ubuntu'],
  ['DisableForwarding', 'yes'],
])('its SSH server has %s %s', (name, value) => {
  expect(settings.get(name)).toBe(value);
});
