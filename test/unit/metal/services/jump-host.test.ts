// The objects of a jump host. That they work is in test/activity/hub/metal/jump-host.test.ts.
import { createHmac } from 'node:crypto';
import { hostKeyOf, publicLineOf } from '../../../../activities/hub/metal/services/host-key.ts';
import { redfishConfig } from '../../../../activities/hub/metal/services/host-tool.ts';
import type { ServedHost } from '../../../../activities/hub/metal/services/hosts.ts';
import { instancesOf } from '../../../../activities/hub/metal/services/instances.ts';
import { jumpHost, type JumpInstance } from '../../../../activities/hub/metal/services/jump-host.ts';
import { SERVICE_CONTENT } from '../../../../crds/metal/labels.ts';
import type { SipCluster } from '../../../../crds/metal/sip-cluster.ts';

const CLUSTER: SipCluster = {
  metadata: { namespace: 'metal', name: 'edge', uid: 'u' },
  spec: {
    services: {
      jumpHost: [
        {
          image: 'jump:1',
          nodePort: 0,
          nodeInterfaceId: 'oam',
          nodeSSHPrivateKeys: 'keys',
          nodeLabels: { a: 'b' },
        },
      ],
    },
  },
};
const [JUMP] = instancesOf(CLUSTER) as JumpInstance[];
const KEY = hostKeyOf(undefined);

const bmc = (password: string) => ({
  authority: '192.0.2.9',
  system: 'https://192.0.2.9/redfish/v1/Systems/1',
  isInsecure: true,
  username: 'root',
  password,
});
const host = (name: string, address: string, password = 'p'): ServedHost => ({
  name,
  role: 'Worker',
  addresses: new Map([['oam', address]]),
  bmc: bmc(password),
});

interface Seen {
  readonly data: Readonly<Record<string, string>>;
  readonly spec: {
    readonly ports: readonly object[];
    readonly template: {
      readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
      readonly spec: object;
    };
  };
}
function made(hosts: readonly ServedHost[], hostKey = KEY) {
  if (JUMP === undefined) throw new Error('no jump host');
  const [service, secret, config, deployment] = jumpHost(CLUSTER, JUMP, {
    hosts,
    privateKeys: ['b', 'a'],
    hostKey,
  }).map(({ object }) => object as unknown as Seen);
  if (!service || !secret || !config || !deployment) throw new Error('something is missing');
  const text = (key: string) => Buffer.from(secret.data[key] ?? '', 'base64').toString('utf8');
  const texts = Object.fromEntries(Object.keys(secret.data).map((key) => [key, text(key)]));
  return { service, text, texts, config, deployment };
}

test('hosts are listed for scripts as with SIP, and named for ssh', () => {
  const { text, deployment, service } = made([
    host('w1', '192.0.2.1'),
    host('w2', '192.0.2.1'),
    host('w3', '192.0.2.3'),
  ]);
  expect(JSON.parse(text('hosts'))).toContainEqual({
    name: 'w2',
    bmc: { ip: '192.0.2.9', username: 'root', password: 'p' },
  });
  expect(text('ssh_config')).toBe(`Host *
  IdentityFile /etc/opt/sip/ssh-private-keys/a
  IdentityFile /etc/opt/sip/ssh-private-keys/b

Host w1
  HostName w1

Host w2
  HostName w2

Host w3
  HostName w3
`);
  expect(deployment.spec.template.spec).toMatchObject({
    // Kubernetes refuses one address twice.
    hostAliases: [
      { ip: '192.0.2.1', hostnames: ['w1', 'w2'] },
      { ip: '192.0.2.3', hostnames: ['w3'] },
    ],
    nodeSelector: { a: 'b' },
    automountServiceAccountToken: false,
  });
  expect(service.spec.ports).toEqual([{ name: 'ssh', port: 22, protocol: 'TCP', targetPort: 22 }]);
});

test('its scripts are host, and the proxy for BMCs that people may write beside it', () => {
  const { deployment, config } = made([]);
  const items = ['host', 'bmc-proxy'].map((key) => ({ key, path: key }));
  expect(deployment.spec.template.spec).toMatchObject({
    volumes: expect.arrayContaining([
      { name: 'scripts', configMap: { name: 'jumphost-edge', optional: true, defaultMode: 0o555, items } },
    ]) as object[],
  });
  // What we do not apply, an apply does not take away.
  expect(config.data).not.toHaveProperty('bmc-proxy');
});

test('curl gets address and password by a file, and a quote in it stays one', () => {
  expect(redfishConfig(bmc('a"b\\c')))
    .toBe(`url = "https://192.0.2.9/redfish/v1/Systems/1/Actions/ComputerSystem.Reset"
user = "root:a\\"b\\\\c"
insecure
`);
  expect(redfishConfig(null)).not.toContain('url');
});

test('a Pod starts again when its files change, and nobody can try passwords by its annotation', () => {
  const content = (hosts: readonly ServedHost[], key = KEY) =>
    made(hosts, key).deployment.spec.template.metadata.annotations[SERVICE_CONTENT];
  expect(content([host('w1', '192.0.2.1', 'p')])).toBe(content([host('w1', '192.0.2.1', 'p')]));
  expect(content([host('w1', '192.0.2.1', 'p')])).not.toBe(content([host('w1', '192.0.2.1', 'q')]));
  expect(content([host('w1', '192.0.2.1', 'p')])).not.toBe(
    content([host('w1', '192.0.2.1', 'p')], hostKeyOf(undefined)),
  );
});

test('that annotation is made with the key of the host, which is in the Secret alone', () => {
  const { texts, config, deployment } = made([host('w1', '192.0.2.1')]);
  const said = deployment.spec.template.metadata.annotations[SERVICE_CONTENT] ?? '';
  const whole = JSON.stringify([texts, config.data]);
  expect(createHmac('sha256', KEY).update(whole).digest('hex')).toMatch(new RegExp(`^${said}`));
  expect(said).toHaveLength(16);
});

test('its key is kept, unless what is kept is none', () => {
  const encoded = Buffer.from(KEY).toString('base64');
  expect(hostKeyOf(encoded)).toBe(KEY);
  expect(hostKeyOf(Buffer.from('none').toString('base64'))).toContain('BEGIN EC PRIVATE KEY');
  expect(publicLineOf(KEY)).toMatch(/^ecdsa-sha2-nistp256 AAAA/);
});
