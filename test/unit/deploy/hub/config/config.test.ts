// What a hub is configured to by its file and its flags, and what is odd in them.
import { DATA_DIRECTORY, type HubConfig } from '../../../../../deploy/hub/config/config.ts';
import { read, refusals, SAMPLE } from '../../../../support/builders/hub-config.ts';

describe('the file', () => {
  test('of upstream’s README is accepted, and what is odd in it is said', () => {
    const { config, warnings } = read(SAMPLE);
    expect(config).toEqual({
      dataDirectory: '/.ocm',
      bindAddress: '0.0.0.0',
      apiServer: {
        externalHostname: 'abcdefg.com',
        port: 9443,
        externalPort: null,
        authority: { cert: '/etc/hub/ca.crt', key: '/etc/hub/ca.key' },
      },
      etcd: {
        mode: 'external',
        prefix: '/registry',
        servers: ['http://etcd-1:2379', 'http://etcd-2:2379'],
        tls: null,
      },
      temporal: { mode: 'embed', ui: false },
      gateway: { port: 7443, externalHostname: null, externalPort: null },
      publish: null,
      provisionNamespaces: [],
      provisionClusterSets: [],
      notifications: false,
      argo: null,
      reader: null,
      sealing: false,
      image: null,
    });
    expect(warnings).toEqual([
      'apiserver.externalHostname (--external-hostname) is a bare name: "http://abcdefg.com" is read as "abcdefg.com", and https is spoken.',
      expect.stringMatching(
        /^etcd is spoken to without TLS at http:\/\/etcd-1:2379, .*certificates are not used/,
      ),
    ]);
  });

  test.each([
    ['registry.example:5000/team/cappstan:0.1.0', ['registry.example:5000/team/cappstan', '0.1.0', '']],
    [`cappstan@sha256:${'a'.repeat(64)}`, ['cappstan', '', `sha256:${'a'.repeat(64)}`]],
    [`a.b/c:1@sha256:${'a'.repeat(64)}`, ['a.b/c', '1', `sha256:${'a'.repeat(64)}`]],
  ])('may name the image of sites: %s', (text, [repository, tag, digest]) => {
    expect(read(`image: ${text}`).config.image).toEqual({ repository, tag, digest });
    expect(read(null, '--image', text).config.image).toEqual({ repository, tag, digest });
  });

  test('may have the notifier run', () => {
    expect(read(null, '--notifications', 'on').config.notifications).toBe(true);
    expect(read('notifications: on').config.notifications).toBe(true);
    expect(read(null).config.notifications).toBe(false);
    expect(
      [read(null), read('sealing: on'), read(null, '--sealing', 'on')].map(({ config }) => config.sealing),
    ).toEqual([false, true, true]);
    expect(refusals(null, '--notifications', 'yes')).toEqual([
      expect.stringMatching(/^notifications \(--notifications\) must be "on" or "off"/),
    ]);
  });

  test('may have sites become clusters of an Argo CD, with all that this takes', () => {
    const fields = {
      namespace: 'argocd',
      userServer: 'https://proxy.example:9092',
      userServerCaFile: '/etc/ca.crt',
    };
    const argo = {
      namespace: 'argocd',
      account: 'argocd',
      userServer: 'https://proxy.example:9092',
      authority: '/etc/ca.crt',
    };
    expect(read(`argocd: ${JSON.stringify(fields)}`).config.argo).toEqual(argo);
    const flags = ['--argocd-namespace', 'argocd', '--argocd-user-server', argo.userServer];
    const all = [...flags, '--argocd-user-server-ca-file', '/etc/ca.crt', '--argocd-account', 'cd'];
    expect(read(null, ...all).config.argo).toEqual({ ...argo, account: 'cd' });
    expect(refusals(null, ...flags)).toEqual([
      'argocd.userServerCaFile (--argocd-user-server-ca-file) is missing: the registrar needs a namespace, a user server and its authority. Give all three, or none.',
    ]);
    expect(refusals(null, ...all, '--argocd-user-server', 'http://proxy.example')).toEqual([
      expect.stringMatching(/^argocd\.userServer \(--argocd-user-server\) must be an https address/),
    ]);
  });

  test('may name the namespaces and clustersets of sites of hosts, in flags separated by commas', () => {
    const names = { provisionNamespaces: ['metal', 'edge'], provisionClusterSets: ['shops', 'depots'] };
    const flags = ['--metal-namespaces', 'metal,edge', '--metal-cluster-sets', 'shops,depots'];
    expect(read(null, ...flags).config).toMatchObject(names);
    expect(read(`metal: ${JSON.stringify(names)}`).config).toMatchObject(names);
    expect(refusals(null, '--metal-cluster-sets', 'shops')).toEqual([
      expect.stringMatching(
        /^metal\.provisionClusterSets \(--metal-cluster-sets\) is given without metal\.provisionNamespaces \(--metal-namespaces\)/,
      ),
    ]);
    expect(refusals(null, '--metal-cluster-sets', 'Shops')).toEqual([
      expect.stringMatching(
        /^metal\.provisionClusterSets\S* \(--metal-cluster-sets\) must be the name of a ManagedClusterSet/,
      ),
    ]);
  });

  test.each(['cappstan', 'registry.example:5000/cappstan', 'a b:1', 'cappstan@sha256:abc', ':1'])(
    'refuses an image without tag and digest, or what is none: %s',
    (text) => {
      expect(refusals(null, '--image', text)).toEqual([
        expect.stringMatching(/^image \(--image\) must be an image with its tag or digest/),
      ]);
    },
  );

  test.each([
    ['nothing', null],
    ['an empty one', ''],
    ['one with empty fields', 'dataDirectory: ""\napiserver: {caFile: "", port:}\netcd:\n'],
  ])('%s means the defaults', (_name, text) => {
    const { config, warnings } = read(text);
    expect(config).toEqual({
      dataDirectory: DATA_DIRECTORY,
      bindAddress: '0.0.0.0',
      apiServer: { externalHostname: null, port: 9443, externalPort: null, authority: null },
      etcd: { mode: 'embed', prefix: '/registry' },
      temporal: { mode: 'embed', ui: false },
      gateway: { port: 7443, externalHostname: null, externalPort: null },
      publish: null,
      provisionNamespaces: [],
      provisionClusterSets: [],
      notifications: false,
      argo: null,
      reader: null,
      sealing: false,
      image: null,
    });
    expect(warnings).toEqual([]);
  });

  test('an external etcd without servers is upstream’s default, with a warning', () => {
    const { config, warnings } = read('etcd: { mode: external }');
    expect(config.etcd).toMatchObject({ servers: ['http://127.0.0.1:2379'], tls: null });
    expect(warnings).toEqual([expect.stringContaining('without TLS')]);
  });

  test('TLS to an etcd is taken with https', () => {
    const text =
      'etcd: { mode: external, servers: ["https://e:2379"], caFile: a.crt, certFile: /c.crt, keyFile: /c.key }';
    expect(read(text)).toMatchObject({
      config: { etcd: { tls: { ca: '/etc/hub/a.crt', pair: { cert: '/c.crt', key: '/c.key' } } } },
      warnings: [],
    });
  });

  test('an external Temporal is taken with its namespace and its TLS', () => {
    const text =
      'temporal: { mode: external, address: "t.example:7233", namespace: cappstan, caFile: a.crt, certFile: /c.crt, keyFile: /c.key, serverName: t }';
    expect(read(text)).toMatchObject({
      config: {
        temporal: {
          mode: 'external',
          address: 't.example:7233',
          namespace: 'cappstan',
          tls: { ca: '/etc/hub/a.crt', pair: { cert: '/c.crt', key: '/c.key' }, serverName: 't' },
        },
      },
      warnings: [],
    });
  });

  test('an external Temporal without TLS is used with a warning, in the namespace that Temporal makes', () => {
    expect(read(null, '--temporal-mode', 'external', '--temporal-address', '10.0.0.1:7233')).toEqual({
      config: expect.objectContaining({
        temporal: { mode: 'external', address: '10.0.0.1:7233', namespace: 'default', tls: null },
      }) as HubConfig,
      warnings: [expect.stringContaining('without TLS at 10.0.0.1:7233')],
    });
  });

  test('what only an external Temporal uses is not dropped without a word', () => {
    const { config, warnings } = read(null, '--temporal-address', 't.example:7233');
    expect(config.temporal).toEqual({ mode: 'embed', ui: false });
    expect(warnings).toEqual([
      expect.stringContaining('temporal.address (--temporal-address) is not used, because temporal.mode'),
    ]);
  });

  test.each(['apiserver', 'gateway'] as const)(
    'the address that stands for all, at which this machine comes, is taken for the %s with a warning',
    (section) => {
      const { config, warnings } = read(`${section}: { externalHostname: 0.0.0.0 }`);
      expect(config[section === 'apiserver' ? 'apiServer' : section].externalHostname).toBe('0.0.0.0');
      expect(warnings).toEqual([
        expect.stringMatching(/externalHostname .*is 0\.0\.0\.0, .* Give a name or an address of this one/),
      ]);
    },
  );

  test('a path that is called as a home is taken from where it stands', () => {
    expect(read('dataDirectory: ./~/hub').config.dataDirectory).toBe('/etc/hub/~/hub');
  });

  test('what only an external etcd uses is not dropped without a word', () => {
    expect(read('etcd: { servers: ["https://e:2379"] }').warnings).toEqual([
      expect.stringContaining('etcd.servers (--etcd-servers) is not used'),
    ]);
  });
});
