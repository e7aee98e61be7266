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
  /** What we bring of files; null: its manifests cannot be had by a digest. */
  readonly brings: {
    readonly version: string;
    readonly files: readonly Published[];
    /** The oldest minor version of Kubernetes 1 for which it is made; null: any. */
    readonly kubernetes: number | null;
  } | null;
  /** What helm brings; null: no chart. */
  readonly chart: Chart | null;
  /** What has to be there before; null: nothing. */
  readonly needs: { readonly definition: string; readonly what: string } | null;
  /** What installs it by hand; with <values> of the site. */
  readonly command: string;
}

/** A chart in a registry. */
export interface Chart {
  readonly release: string;
  readonly namespace: string;
  /** Without its tag. */
  readonly from: string;
  readonly version: string;
  /** What we need of its values. */
  readonly settings: Readonly<Record<string, string>>;
}

const HELM = 'helm upgrade --install --create-namespace --wait';
const DANA = 'oci://ghcr.io/dana-team/helm-charts';
const LOGGING: Chart = {
  release: 'logging-operator',
  namespace: 'logging',
  from: 'oci://ghcr.io/kube-logging/helm-charts/logging-operator',
  version: '6.2.1',
  settings: { 'logging.enabled': 'true' },
};
const NFS: Chart = {
  release: 'nfspvc-operator',
  namespace: 'nfspvc-operator-system',
  from: `${DANA}/nfspvc-operator`,
  version: 'v0.5.2',
  settings: {},
};
const DNS: Chart = {
  release: 'provider-dns-v2',
  namespace: 'crossplane-system',
  from: `${DANA}/provider-dns-v2`,
  version: 'v1.0.1',
  settings: {},
};

/** The line that brings it by hand. */
function lineOf({ release, namespace, from, version, settings }: Chart): string {
  const set = Object.entries(settings).map(([name, value]) => ` --set ${name}=${value}`);
  return `${HELM} ${release} ${from} --version ${version} --namespace ${namespace}${set.join('')}`;
}

export const PARTS = {
  knative: {
    what: 'Knative Serving with Kourier, and its autoscaler for cpu and memory',
    definition: 'services.serving.knative.dev',
    brings: {
      version: KNATIVE_VERSION,
      files: [PUBLISHED.serving, PUBLISHED.hpa, PUBLISHED.kourier],
      kubernetes: 34,
    },
    chart: null,
    needs: null,
    command: 'cappstan base --kubeconfig <file>',
  },
  'cert-manager': {
    what: 'cert-manager, for TLS of hostnames',
    definition: 'certificates.cert-manager.io',
    brings: { version: CERT_MANAGER_VERSION, files: [PUBLISHED.certManager], kubernetes: null },
    chart: null,
    needs: null,
    command: 'cappstan base --parts cert-manager --kubeconfig <file>',
  },
  logging: {
    what: 'the logging operator, for logs in Elasticsearch',
    definition: 'syslogngflows.logging.banzaicloud.io',
    brings: null,
    chart: LOGGING,
    needs: null,
    command: lineOf(LOGGING),
  },
  nfs: {
    what: 'nfspvc-operator, for NFS volumes; it wants cert-manager',
    definition: 'nfspvcs.nfspvc.dana.io',
    brings: null,
    chart: NFS,
    needs: { definition: 'certificates.cert-manager.io', what: 'cert-manager' },
    command: lineOf(NFS),
  },
  dns: {
    what: 'provider-dns-v2, for DNS records',
    definition: 'cnamerecords.record.dns-v2.m.crossplane.io',
    brings: null,
    chart: DNS,
    needs: { definition: 'providers.pkg.crossplane.io', what: 'Crossplane' },
    command: `${HELM} crossplane crossplane --repo https://charts.crossplane.io/stable --namespace crossplane-system && ${lineOf(DNS)} --set realm.name=<realm> --set realm.kdc=<kdc> --set secret.username=<user> --set-file secret.password=<file>`,
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
