// The configurations of load balancers, as a whole. That HAProxy takes them is in
// test/activity/hub/metal/haproxy.test.ts.
import { haproxyConfig } from '../../../../activities/hub/metal/services/haproxy.ts';

const HEAD = `global
  log stdout format raw local0 notice

defaults
  mode tcp
  log global
  option tcplog
  option dontlognull
  option redispatch
  retries 1
  timeout queue 30s
  timeout connect 30s
  timeout client 600s
  timeout server 600s
`;

test('for control planes: /readyz over TLS, IPv6 in brackets', () => {
  const servers = [
    { name: 'rdm9r006o001', address: '32.68.51.139' },
    { name: 'rdm9r007o001', address: '2001:db8::1' },
  ];
  expect(haproxyConfig({ ports: [{ name: 'http', port: 6443 }], servers, check: 'readyz' })).toBe(`${HEAD}
frontend http-frontend
  bind *:6443
  default_backend http-backend

backend http-backend
  balance roundrobin
  option httpchk GET /readyz
  http-check expect status 200
  option log-health-checks
  default-server check check-ssl verify none inter 5s downinter 2s fall 4 on-marked-down shutdown-sessions
  server rdm9r006o001 32.68.51.139:6443
  server rdm9r007o001 [2001:db8::1]:6443
`);
});

test('for workers: a frontend for each port', () => {
  const ports = [30002, 30003].map((port) => ({ name: `port-${port}`, port }));
  const part = (port: number) => `
frontend port-${port}-frontend
  bind *:${port}
  default_backend port-${port}-backend

backend port-${port}-backend
  balance roundrobin
  option tcp-check
  tcp-check connect
  option log-health-checks
  default-server check
  server w 192.0.2.1:${port}
`;
  const servers = [{ name: 'w', address: '192.0.2.1' }];
  expect(haproxyConfig({ ports, servers, check: 'connect' })).toBe(`${HEAD}${part(30002)}${part(30003)}`);
});
