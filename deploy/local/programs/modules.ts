// The pinned programs of a stack, and the Go module graphs that they are built from:
// deploy/local/programs/go.
import { foldersOf } from '../published/pins.ts';

export interface ModuleBuild {
  /** The name of the binary. */
  readonly tool: Tool;
  /** A package of another module, or of ours: then a folder of the graph, such as `./ocm-webhook`. */
  readonly package: string;
  /**
   * The duration of a cold build on 2 idle cores, in seconds, to print. The first build also compiles Go's
   * library.
   */
  readonly seconds: number;
}

/** Programs that are built together, into one folder of the cache. */
export interface Module {
  readonly name: string;
  /**
   * The folder of its go.mod. Programs of one graph share their libraries, which are compiled once
   * (docs/decisions/0082).
   */
  readonly graph: 'stack' | 'argo' | 'crane' | 'prometheus' | 'published' | 'tunnel';
  readonly builds: readonly ModuleBuild[];
  readonly ldflags: string;
  /** Go build tags, separated by commas. */
  readonly tags?: string;
  /** Folders of other modules whose YAML files are copied beside the binaries. */
  readonly files: readonly { readonly module: string; readonly folder: string }[];
}

export type Tool =
  | 'etcd'
  | 'etcdutl'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'ocm-registration'
  | 'ocm-placement'
  | 'ocm-work'
  | 'ocm-addon'
  | 'ocm-agent'
  | 'ocm-webhook'
  | 'temporal'
  | 'temporal-sqlite'
  | 'temporal-server'
  | 'temporal-sql-tool'
  | 'knative-controller'
  | 'helm'
  | 'argo'
  | 'prometheus'
  | 'promtool'
  | 'activator'
  | 'autoscaler'
  | 'autoscaler-hpa'
  | 'queue-proxy'
  | 'knative-webhook'
  | 'kourier'
  | 'crane'
  | 'cluster-proxy'
  | 'konnectivity-server'
  | 'konnectivity-agent'
  | 'managed-serviceaccount';

/** `-buildvcs=false`: otherwise each of our commits would change the binaries. */
export const BUILD_FLAGS = ['-mod=readonly', '-trimpath', '-buildvcs=false'] as const;

/** Linker flags for the version. OCM copies the API server's /version into each ManagedCluster. */
function stampOf(version: string): string {
  const [major = '', minor = ''] = version.replace('v', '').split('.');
  const facts = {
    gitVersion: version,
    gitMajor: major,
    gitMinor: minor,
    gitTreeState: 'clean',
    gitCommit: 'module',
    buildDate: '2026-01-01T00:00:00Z',
  };
  return Object.entries(facts)
    .map(([key, value]) => `-X k8s.io/component-base/version.${key}=${value}`)
    .join(' ');
}

const OCM = 'open-cluster-management.io/ocm';

const HELM_MODULE: Module = {
  name: 'helm',
  graph: 'stack',
  ldflags: '-s -w',
  builds: [{ tool: 'helm', package: 'helm.sh/helm/v3/cmd/helm', seconds: 15 }],
  files: [],
};

/** What others publish for a site, as manifests: nothing is compiled (deploy/local/published). */
export const PUBLISHED_MODULE: Module = {
  name: 'published',
  graph: 'published',
  ldflags: '',
  builds: [],
  files: foldersOf(),
};

export const MODULES: readonly Module[] = [
  {
    name: 'kube',
    graph: 'stack',
    ldflags: `-s -w ${stampOf('v1.35.4')}`,
    builds: [
      { tool: 'etcd', package: 'go.etcd.io/etcd/server/v3', seconds: 45 },
      { tool: 'etcdutl', package: 'go.etcd.io/etcd/etcdutl/v3', seconds: 5 },
      { tool: 'kube-apiserver', package: 'k8s.io/kubernetes/cmd/kube-apiserver', seconds: 170 },
      {
        tool: 'kube-controller-manager',
        package: 'k8s.io/kubernetes/cmd/kube-controller-manager',
        seconds: 50,
      },
    ],
    files: [],
  },
  {
    name: 'temporal',
    graph: 'stack',
    ldflags: '-s -w',
    builds: [
      { tool: 'temporal', package: 'github.com/temporalio/cli/cmd/temporal', seconds: 140 },
      { tool: 'temporal-sqlite', package: './temporal-sqlite', seconds: 15 },
    ],
    files: [],
  },
  {
    name: 'ocm',
    graph: 'stack',
    ldflags: '-s -w',
    builds: [
      { tool: 'ocm-registration', package: `${OCM}/cmd/registration`, seconds: 45 },
      { tool: 'ocm-placement', package: `${OCM}/cmd/placement`, seconds: 6 },
      { tool: 'ocm-work', package: `${OCM}/cmd/work`, seconds: 6 },
      { tool: 'ocm-addon', package: `${OCM}/cmd/addon`, seconds: 6 },
      { tool: 'ocm-agent', package: `${OCM}/cmd/registration-operator`, seconds: 8 },
      { tool: 'ocm-webhook', package: './ocm-webhook', seconds: 5 },
    ],
    files: [{ module: OCM, folder: 'manifests' }],
  },
  {
    name: 'knative',
    graph: 'stack',
    ldflags: '-s -w',
    builds: [{ tool: 'knative-controller', package: './knative-controller', seconds: 30 }],
    files: [],
  },
  PUBLISHED_MODULE,
  HELM_MODULE,
];

/** What a hub runs: no Knative, which is for sites. */
export const HUB_MODULES: readonly Module[] = MODULES.filter(
  ({ name }) => name !== 'knative' && name !== PUBLISHED_MODULE.name,
);

/** Temporal's production server. Only a stack with ENGINE=postgres builds it, for benchmarks. */
export const SERVER_MODULE: Module = {
  name: 'engine',
  graph: 'stack',
  ldflags: '-s -w',
  builds: [
    { tool: 'temporal-server', package: 'go.temporal.io/server/cmd/server', seconds: 80 },
    { tool: 'temporal-sql-tool', package: 'go.temporal.io/server/cmd/tools/sql', seconds: 5 },
  ],
  files: [],
};

/**
 * Pushes images to registries without a container engine, for `make release`. For its test it is the registry
 * as well.
 */
export const CRANE_MODULE: Module = {
  name: 'crane',
  graph: 'crane',
  ldflags: '-s -w',
  builds: [{ tool: 'crane', package: 'github.com/google/go-containerregistry/cmd/crane', seconds: 20 }],
  files: [],
};

/** What `make release` runs. */
export const RELEASE_MODULES: readonly Module[] = [HELM_MODULE, CRANE_MODULE];
