// The configuration of a load balancer: SIP's two templates (config/manager/loadbalancer in airshipit/sip,
// 1f88a95a) as a pure function. Its times and checks are SIP's: an API server answers 500 for some ten
// seconds while another control plane joins, and kubectl exec is quiet for long.

export interface Server {
  /** Unique in its list. Letters, digits, - and . */
  readonly name: string;
  /** IPv4 or IPv6. */
  readonly address: string;
}

export interface BalancerPort {
  readonly name: string;
  readonly port: number;
}

export interface Balancing {
  readonly ports: readonly BalancerPort[];
  readonly servers: readonly Server[];
  /**
   * `readyz`: a server counts while it answers 200 to GET /readyz over TLS; `connect`: while it is reached.
   */
  readonly check: 'readyz' | 'connect';
}

/**
 * What differs from SIP: no `daemon`, IPv6 in brackets, servers in order, and `option redispatch`, by which a
 * connection that a server refuses goes to another one before the checks have seen it.
 */
export function haproxyConfig({ ports, servers, check }: Balancing): string {
  const lines = [...HEAD, ...ports.flatMap((port) => [...frontend(port), ...backend(port, servers, check)])];
  return `${lines.join('\n')}\n`;
}

const HEAD = [
  'global',
  '  log stdout format raw local0 notice',
  '',
  'defaults',
  '  mode tcp',
  '  log global',
  '  option tcplog',
  '  option dontlognull',
  '  option redispatch',
  '  retries 1',
  '  timeout queue 30s',
  '  timeout connect 30s',
  '  timeout client 600s',
  '  timeout server 600s',
];

function frontend({ name, port }: BalancerPort): string[] {
  return ['', `frontend ${name}-frontend`, `  bind *:${port}`, `  default_backend ${name}-backend`];
}

const CHECKS = {
  readyz: [
    '  option httpchk GET /readyz',
    '  http-check expect status 200',
    '  option log-health-checks',
    '  default-server check check-ssl verify none inter 5s downinter 2s fall 4 on-marked-down shutdown-sessions',
  ],
  connect: [
    '  option tcp-check',
    '  tcp-check connect',
    '  option log-health-checks',
    '  default-server check',
  ],
} as const;

function backend(
  { name, port }: BalancerPort,
  servers: readonly Server[],
  check: Balancing['check'],
): string[] {
  return [
    '',
    `backend ${name}-backend`,
    '  balance roundrobin',
    ...CHECKS[check],
    ...servers.map((server) => `  server ${server.name} ${bracketed(server.address)}:${port}`),
  ];
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
