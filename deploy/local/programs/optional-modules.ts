// Programs that only tests run, or a stack that asks for them; and all modules together.
import { CRANE_MODULE, MODULES, SERVER_MODULE, type Module } from './modules.ts';

const KNATIVE = 'knative.dev';
export const ARGO = 'github.com/argoproj/argo-cd/v3';

/** Prometheus, for the test of metrics, dashboards and alerts. It finds its targets by itself nowhere. */
export const PROMETHEUS_MODULE: Module = {
  name: 'prometheus',
  graph: 'prometheus',
  ldflags: '-s -w',
  tags: 'remove_all_sd',
  builds: [
    { tool: 'promtool', package: 'github.com/prometheus/prometheus/cmd/promtool', seconds: 150 },
    { tool: 'prometheus', package: 'github.com/prometheus/prometheus/cmd/prometheus', seconds: 60 },
  ],
  files: [],
};

/** Argo CD's ApplicationSet controller and its health checks, for the tests of Argo CD. */
export const ARGO_MODULE: Module = {
  name: 'argo',
  graph: 'argo',
  ldflags: '-s -w',
  builds: [{ tool: 'argo', package: '.', seconds: 170 }],
  files: [
    { module: ARGO, folder: 'manifests/crds' },
    { module: ARGO, folder: 'manifests/base/applicationset-controller' },
  ],
};

/** Knative's data plane and Kourier, for sites with DATAPLANE=real. */
export const DATAPLANE_MODULE: Module = {
  name: 'dataplane',
  graph: 'stack',
  ldflags: '-s -w',
  builds: [
    { tool: 'queue-proxy', package: `${KNATIVE}/serving/cmd/queue`, seconds: 5 },
    { tool: 'activator', package: `${KNATIVE}/serving/cmd/activator`, seconds: 10 },
    { tool: 'autoscaler', package: `${KNATIVE}/serving/cmd/autoscaler`, seconds: 10 },
    { tool: 'autoscaler-hpa', package: `${KNATIVE}/serving/cmd/autoscaler-hpa`, seconds: 5 },
    { tool: 'knative-webhook', package: `${KNATIVE}/serving/cmd/webhook`, seconds: 10 },
    { tool: 'kourier', package: `${KNATIVE}/net-kourier/cmd/kourier`, seconds: 25 },
  ],
  files: [{ module: `${KNATIVE}/net-kourier`, folder: 'config' }],
};

/**
 * OCM's way to the API servers of sites, and its tokens for there, for the tests of the reader. Both want
 * newer libraries than the stack's (docs/decisions/0105); what is the same is compiled once.
 */
export const TUNNEL_MODULE: Module = {
  name: 'tunnel',
  graph: 'tunnel',
  ldflags: '-s -w',
  builds: [
    { tool: 'konnectivity-server', package: 'sigs.k8s.io/apiserver-network-proxy/cmd/server', seconds: 60 },
    { tool: 'konnectivity-agent', package: 'sigs.k8s.io/apiserver-network-proxy/cmd/agent', seconds: 5 },
    {
      tool: 'cluster-proxy',
      package: 'open-cluster-management.io/cluster-proxy/cmd/cluster-proxy',
      seconds: 45,
    },
    {
      tool: 'managed-serviceaccount',
      package: 'open-cluster-management.io/managed-serviceaccount/cmd',
      seconds: 15,
    },
  ],
  files: [{ module: 'open-cluster-management.io/managed-serviceaccount', folder: 'config/crd/bases' }],
};

/** What end-to-end tests run beside MODULES. */
export const TEST_MODULES: readonly Module[] = [
  PROMETHEUS_MODULE,
  ARGO_MODULE,
  DATAPLANE_MODULE,
  TUNNEL_MODULE,
];

/** Every module. `make tools` builds only MODULES. */
export const ALL_MODULES: readonly Module[] = [...MODULES, SERVER_MODULE, CRANE_MODULE, ...TEST_MODULES];
