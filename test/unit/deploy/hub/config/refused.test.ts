// What the configuration of a hub is refused for: each with the field and what to do.
import { refusals } from '../../../../support/builders/hub-config.ts';

describe('refused is', () => {
  test.each<[string, string, RegExp]>([
    [
      'an unknown field',
      'apiserver: { externalHostName: a }',
      /^apiserver\.externalHostName is no field .* Did you mean apiserver\.externalHostname\?$/,
    ],
    [
      'an unknown section',
      'aggregator: { proxyClientCertFile: a }',
      /^aggregator is no field .* Known are: dataDirectory, /,
    ],
    [
      'a certificate without its key',
      'apiserver: { caFile: a }',
      /caFile \(--ca-file\) is given without apiserver\.caKeyFile \(--ca-key-file\)\. Give both/,
    ],
    [
      'a key without its certificate',
      'apiserver: { caKeyFile: a }',
      /caKeyFile \(--ca-key-file\) is given without apiserver\.caFile/,
    ],
    [
      'half of etcd’s pair',
      'etcd: { mode: external, servers: ["https://e:1"], certFile: a }',
      /etcd\.certFile .* without etcd\.keyFile/,
    ],
    [
      'a port that is none',
      'apiserver: { port: 70000 }',
      /^apiserver\.port \(--port\) must be a whole number from 1 to 65535\. It is 70000\.$/,
    ],
    [
      'a port in quotes',
      'apiserver: { port: "9443" }',
      /^apiserver\.port \(--port\) must be a whole number from 1 to 65535\. It is "9443"\.$/,
    ],
    [
      'an external Temporal without an address',
      'temporal: { mode: external, caFile: a }',
      /^temporal\.address \(--temporal-address\) is missing\. Give host and port/,
    ],
    [
      'half of Temporal’s pair',
      'temporal: { mode: external, address: "t:1", keyFile: a }',
      /^temporal\.keyFile \(--temporal-key-file\) is given without temporal\.certFile/,
    ],
    [
      'a name in the certificate of a Temporal without TLS',
      'temporal: { mode: external, address: "t:1", serverName: a }',
      /^temporal\.serverName .* is given without temporal\.caFile/,
    ],
    [
      'an address of Temporal that is a URL',
      'temporal: { mode: external, address: "https://t:1" }',
      /^temporal\.address .* must be a host and a port/,
    ],
    [
      'a password for Temporal, which there is none of',
      'temporal: { mode: external, address: "t:1", password: canary }',
      /^temporal\.password is no field of the configuration\. (?!.*canary)/,
    ],
    [
      'a Secret without the way to its cluster',
      'publish: { secret: a/b }',
      /^publish\.secret \(--publish-secret\) is given without publish\.kubeconfigFile/,
    ],
    [
      'a Secret without its namespace',
      'publish: { secret: a, kubeconfigFile: b }',
      /^publish\.secret .* namespace\/name/,
    ],
    [
      'a gateway’s host with a port',
      'gateway: { externalHostname: "g.example:443" }',
      /^gateway\.externalHostname .* must have no port\. .* gateway\.externalPort/,
    ],
    [
      'an external port that is none',
      'apiserver: { externalPort: 0 }',
      /^apiserver\.externalPort .* from 1 to 65535/,
    ],
    ['one port for both doors', 'gateway: { port: 9443 }', /both 9443/],
    [
      'another mode',
      'etcd: { mode: embedded }',
      /^etcd\.mode \(--etcd-mode\) must be "embed" or "external"\. It is "embedded"\.$/,
    ],
    ['a prefix without a slash', 'etcd: { prefix: registry }', /^etcd\.prefix .* such as \/registry/],
    [
      'http beside https',
      'etcd: { mode: external, servers: ["http://a:1", "https://b:1"] }',
      /mixes http and https/,
    ],
    [
      'a server without a scheme',
      'etcd: { mode: external, servers: ["etcd-1:2379"] }',
      /such as https:\/\/etcd-1:2379\. One is "etcd-1:2379"/,
    ],
    [
      'a server without a port',
      'etcd: { mode: external, servers: ["https://etcd-1"] }',
      /must hold URLs with a port/,
    ],
    [
      'servers that are no list',
      'etcd: { mode: external, servers: "http://e:1" }',
      /^etcd\.servers \(--etcd-servers\) must be a list of URLs/,
    ],
    [
      'a host with a port',
      'apiserver: { externalHostname: "https://hub.example:6443" }',
      /must have no port\. Leave :6443 out .* apiserver\.port \(--port\)/,
    ],
    [
      'a host with a path',
      'apiserver: { externalHostname: hub.example/api }',
      /must be a name or an address/,
    ],
    [
      'an address with a digit missing',
      'apiserver: { externalHostname: 10.0.0 }',
      /must be a name or an address/,
    ],
    [
      'a name to listen on',
      'bindAddress: localhost',
      /^bindAddress \(--bind-address\) must be an IPv4 address/,
    ],
    ['a section that is a word', 'apiserver: yes', /^apiserver must be a mapping of fields\. It is "yes"\.$/],
    ['a list', '- a', /must hold fields/],
    [
      'a path that a shell would have completed',
      'apiserver: { caFile: ~me/ca.crt, caKeyFile: /ca.key }',
      /^apiserver\.caFile \(--ca-file\) must be written out: nobody but a shell knows ~\. .* give \.\/~me\/ca\.crt: \/etc\/hub\/~me\/ca\.crt\.$/,
    ],
    [
      'a directory for a home, with where a hub that runs has it',
      'dataDirectory: ~/hub',
      /^dataDirectory .* If a directory is called so, .*, give \.\/~\/hub: \/etc\/hub\/~\/hub\.$/,
    ],
    [
      'an alias of nothing',
      'bindAddress: *all',
      /^\/etc\/hub\/ocmconfig\.yaml is no valid YAML: .*begins with \* must be in quotes\.$/,
    ],
    [
      'a key that stands twice',
      'bindAddress: 0.0.0.0\nbindAddress: 1.1.1.1',
      /is no valid YAML: Map keys must be unique at line 2/,
    ],
  ])('%s, with the field and what to do', (_name, text, sentence) => {
    expect(refusals(text)).toEqual([expect.stringMatching(sentence)]);
  });

  test('everything that is wrong, at once', () => {
    expect(refusals('apiserver: { caFile: a, port: 0 }\nfoo: 1\nbar: 1')).toHaveLength(3);
    expect(refusals('apiserver: { caFile: a, externalHostname: "a b" }')).toHaveLength(2);
  });

  test('a server with a password, which is not repeated', () => {
    const [sentence = ''] = refusals('etcd: { mode: external, servers: ["https://me:canary@e:1"] }');
    expect(sentence).toContain('etcd.servers');
    expect(sentence).not.toContain('canary');
  });
});
