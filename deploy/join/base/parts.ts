// The parts of a site base: what each is, how it is known on a site, and what is pinned of it.
import {
  CERT_MANAGER_VERSION,
  KNATIVE_VERSION,
  PUBLISHED,
  type Published,
} from '../../local/published/pins.ts';

export interface BasePart {
  readonly what: string;
  /** Without it the part is not on the site. */
  readonly definition: string;
  /** What we bring; null: its manifests cannot be had by a digest, and `command` installs it. */
  readonly brings: {
    readonly version: string;
    readonly files: readonly Published[];
    /** The oldest minor version of Kubernetes 1 for which it is made; null: any. */
    readonly kubernetes: number | null;
  } | null;
  /** What installs it by hand; with <values> of the site. */
  readonly command: string;
}

const HELM = 'helm upgrade --install --create-namespace --wait';
const DANA = 'oci://ghcr.io/dana-team/helm-charts';

export const PARTS = {
  knative: {
    what: 'Knative Serving with Kourier, and its autoscaler for cpu and memory',
    definition: 'services.serving.knative.dev',
    brings: {
      version: KNATIVE_VERSION,
      files: [PUBLISHED.serving, PUBLISHED.hpa, PUBLISHED.kourier],
      kubernetes: 34,
    },
    command: 'cappstan base --kubeconfig <file>',
  },
  'cert-manager': {
    what: 'cert-manager, for TLS of hostnames',
    definition: 'certificates.cert-manager.io',
    brings: { version: CERT_MANAGER_VERSION, files: [PUBLISHED.certManager], kubernetes: null },
    command: 'cappstan base --parts cert-manager --kubeconfig <file>',
  },
  logging: {
    what: 'the logging operator, for logs in Elasticsearch',
    definition: 'syslogngflows.logging.banzaicloud.io',
    brings: null,
    command: `${HELM} logging-operator oci://ghcr.io/kube-logging/helm-charts/logging-operator --version 6.2.1 --namespace logging --set logging.enabled=true`,
  },
  nfs: {
    what: 'nfspvc-operator, for NFS volumes; it wants cert-manager',
    definition: 'nfspvcs.nfspvc.dana.io',
    brings: null,
    command: `${HELM} nfspvc-operator ${DANA}/nfspvc-operator --version v0.5.2 --namespace nfspvc-operator-system`,
  },
  dns: {
    what: 'provider-dns-v2, for DNS records',
    definition: 'cnamerecords.record.dns-v2.m.crossplane.io',
    brings: null,
    command: `${HELM} crossplane crossplane --repo https://charts.crossplane.io/stable --namespace crossplane-system && ${HELM} provider-dns-v2 ${DANA}/provider-dns-v2 --version v1.0.1 --namespace crossplane-system --set realm.name=<realm> --set realm.kdc=<kdc> --set secret.username=<user> --set-file secret.password=<file>`,
  },
} as const satisfies Readonly<Record<string, BasePart>>;

export type PartName = keyof typeof PARTS;
export const PART_NAMES = Object.keys(PARTS) as readonly PartName[];

export function partOf(name: PartName): BasePart {
  return PARTS[name];
}

export function isPartName(name: string): name is PartName {
  return Object.hasOwn(PARTS, name);
}
