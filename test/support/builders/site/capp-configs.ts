// A CappConfig, and what is read of it.
import { readConfig } from '../../../../site/config/read.ts';
import type { CappConfig } from '../../../../site/config/capp-config.ts';
import { DEFAULT_AUTOSCALE } from '../../../../site/workload/autoscaling.ts';

/** The namespace of the newest version. */
export const HEAD = 'container-app-operator-system';

/** The CappConfig of the operator’s own namespace. */
export const aCappConfig = (
  spec: Readonly<Record<string, unknown>>,
  namespace = HEAD,
  name = 'capp-config',
): CappConfig => ({
  metadata: { namespace, name },
  spec,
});

/** What is read of a spec. */
export const readOf = (spec: Readonly<Record<string, unknown>>) => readConfig([aCappConfig(spec)]);

/** What counts where nothing is said. */
export const DEFAULTS = {
  autoscale: DEFAULT_AUTOSCALE,
  dns: { zone: null, cname: null, provider: null, issuer: null },
  hostnames: null,
  refusedHostnames: [],
  revisionHistoryLimit: 10,
  maxKafkaConsumers: 5,
  defaultResources: {},
};

/** The targets that `strings` says. */
export const TARGETS = { concurrency: 20, cpu: 50, memory: 100, rps: 300 };

/** Numbers as texts. */
export const strings = { rps: '300', cpu: '50', memory: '100', concurrency: '20', activationScale: '4' };
