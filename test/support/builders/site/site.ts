// What a site operator sees of a Capp, for tests of its status.
import type { SeenAll } from '../../../../site/status/status.ts';
import { NO_LIMITS } from '../../../../site/workload/autoscaling.ts';

/** Nothing of the Capp is there, and nothing has failed. */
export const SEEN_NOTHING: SeenAll = {
  service: null,
  revisions: [],
  pods: [],
  fault: null,
  lacking: null,
  ingress: null,
  isUndeployed: false,
  isUnmade: false,
  unstarted: null,
  volumes: { nfsPvcs: [], fault: null },
  route: { mappings: [], certificates: [], zone: null, fault: null, certificateFault: null },
  record: { isAsked: false, record: null, fault: null },
  logging: { flow: null, output: null, fault: null },
  events: { sources: [], most: 5, fault: null },
  limits: NO_LIMITS,
};
