// The worst SIPCluster that an API server stores, by whom it takes longest to look at and most to keep.
import { ABANDON_HOSTS, ALLOW_WIPE } from '../../../../crds/metal/labels.ts';
import type { NodeSet, SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import { MOST_LABELS_ASKED } from '../../../../crds/kubernetes/label-rules.ts';
import type { BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import { siteAsked } from './sip-site.ts';

const many = <T>(length: number, one: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => one(index));

export const WORST_ROLES: readonly string[] = many(16, (index) => `role-${index}`);
/** An API server stores 256 KiB of annotations of one object: no two words are the same. */
const WORDS = 16_000;

const labels = Object.fromEntries(many(MOST_LABELS_ASKED, (index) => [`label-${index}`, 'v'.repeat(63)]));

/** All hold, so none ends early. */
const nodes: NodeSet = {
  labelSelector: {
    matchLabels: labels,
    matchExpressions: many(20, (one) => ({
      key: 'rack',
      operator: 'NotIn' as const,
      values: many(44, (value) => `${one}-${value}`.padEnd(63, 'x')),
    })),
  },
  topologyKey: 'rack',
};

type WorstCluster = SipCluster & { readonly status: NonNullable<SipCluster['status']> };

/** Of 1.5 MB. Each role wants so many hosts. */
export function worstSipCluster(active = 1): WorstCluster {
  const words = many(WORDS, (index) => index.toString(36)).join(',');
  const long = 'm'.repeat(2_048);
  return {
    metadata: {
      namespace: 'metal',
      name: 'edge',
      uid: 'edge-uid',
      generation: 1,
      resourceVersion: '1',
      labels: Object.fromEntries(many(1_000, (index) => [`l${index}`, 'v'.repeat(63)])),
      annotations: { [ALLOW_WIPE]: words, [ABANDON_HOSTS]: words, note: 'x'.repeat(40_000) },
      finalizers: many(1_000, (index) => `example.com/f${index}`),
    },
    spec: {
      nodes: Object.fromEntries(WORST_ROLES.map((role) => [role, { ...nodes, count: { active } }])),
      services: {
        jumpHost: many(20, (index) => ({
          image: 'i'.repeat(512),
          nodePort: 0,
          nodeInterfaceId: 'oam',
          nodeLabels: labels,
          sshAuthorizedKeys: [`ssh-ed25519 ${'k'.repeat(4_000)}`],
          nodeSSHPrivateKeys: `${'k'.repeat(250)}-${index}`,
        })),
      },
      site: siteAsked(
        'edge-7',
        Object.fromEntries(WORST_ROLES.map((role) => [role.padEnd(60, 'x'), `${role}-${'s'.repeat(240)}`])),
      ),
    },
    status: {
      hosts: many(500, (index) => ({
        namespace: 'metal',
        name: `h${index}`.padEnd(63, 'x'),
        role: 'role-0',
        failedSince: '2026-03-01T12:00:00Z',
      })),
      services: many(60, (index) => ({ name: `s${index}`, kind: 'jumpHost', nodePorts: '30000' })),
      conditions: ['HostsReserved', 'Joined', 'Provisioned', 'Ready', 'ServicesReady'].map((type) => ({
        type,
        status: 'False' as const,
        reason: 'Short',
        message: long,
        lastTransitionTime: '2026-03-01T12:00:00Z',
      })),
    },
  };
}

/** The same as another look reads it: nothing is known of it. */
export function readAnew(cluster: WorstCluster): WorstCluster {
  const roles = Object.entries(cluster.spec.nodes ?? {}).map(([role, { labelSelector, ...rest }]) => [
    role,
    { ...rest, labelSelector: { ...labelSelector } },
  ]);
  return { ...cluster, spec: { ...cluster.spec, nodes: Object.fromEntries(roles) } };
}

/** Free hosts, each of which all of its roles select, two to a rack. */
export function worstHosts(count: number): BareMetalHost[] {
  return many(count, (index) => ({
    metadata: {
      namespace: 'metal',
      name: `h${String(index).padStart(5, '0')}`,
      uid: `h-${index}`,
      labels: { ...labels, rack: `r${Math.floor(index / 2)}` },
    },
    spec: { networkData: { name: 'net' } },
    status: { operationalStatus: 'OK', provisioning: { state: 'available' } },
  }));
}
