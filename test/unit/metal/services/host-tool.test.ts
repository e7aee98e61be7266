// The command `host` of a jump host, run by sh with a curl that says how it was called. That it restarts a
// host is in test/activity/hub/metal/jump-host.test.ts.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATA_PATH, hostTool, SCRIPTS_PATH } from '../../../../activities/hub/metal/services/host-tool.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cappstan-host-tool-'));
  for (const name of ['bin', 'data', 'scripts']) mkdirSync(join(dir, name));
  writeFileSync(join(dir, 'data', 'redfish.w1'), 'url = "https://192.0.2.9/redfish/v1/Systems/1"\n');
  const curl = join(dir, 'bin', 'curl');
  writeFileSync(curl, '#!/bin/sh\necho "$https_proxy $http_proxy"\nfor one; do echo "[$one]"; done\n');
  chmodSync(curl, 0o755);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** What curl was called with: its proxies, and its arguments. */
function reboot(usesProxy: boolean, env: Readonly<Record<string, string>> = {}) {
  const script = hostTool(usesProxy)
    .replaceAll(DATA_PATH, join(dir, 'data'))
    .replaceAll(SCRIPTS_PATH, join(dir, 'scripts'));
  const path = `${join(dir, 'bin')}:/usr/bin:/bin`;
  try {
    const text = execFileSync('sh', ['-s', 'reboot', 'w1'], {
      input: script,
      env: { PATH: path, ...env },
      stdio: 'pipe',
    }).toString();
    const [proxies, ...given] = text.split('\n');
    return { proxies, given: given.join(' ') };
  } catch (error) {
    return { said: String((error as { stderr?: Buffer }).stderr) };
  }
}

const PROXY = 'http://proxy.example:3128';

test('with bmc.proxy the BMC is reached by the proxy that the ConfigMap names, without an argument of it', () => {
  writeFileSync(join(dir, 'scripts', 'bmc-proxy'), `${PROXY}\n`);
  const { proxies, given } = reboot(true);
  expect(proxies).toBe(`${PROXY} ${PROXY}`);
  expect(given).not.toContain('--noproxy');
  expect(given).not.toContain('proxy.example');
});

test('or by the one that an image sets for sessions; and without either no BMC is asked', () => {
  expect(reboot(true, { https_proxy: PROXY }).proxies).toBe(`${PROXY} `);
  expect(reboot(true).said).toContain('write its URL into the key bmc-proxy of the ConfigMap');
});

test('without bmc.proxy it is reached directly, whatever the environment names', () => {
  writeFileSync(join(dir, 'scripts', 'bmc-proxy'), PROXY);
  expect(reboot(false, { https_proxy: PROXY }).given).toContain('[--noproxy] [*]');
});
