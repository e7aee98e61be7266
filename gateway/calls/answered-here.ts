// What the SDK asks before it works, and says while it works: the gateway answers itself, and promises
// nothing.
import { temporal } from '../protocol.ts';
import type { CallRule } from './call.ts';
import { api, encoded } from './messages.ts';

/** No version and no capability: an SDK then uses nothing that this gateway does not pass on. */
export const systemInfo: CallRule = () => encoded(api.GetSystemInfoResponse, {});

export const describeNamespace: CallRule = ({ namespace }) =>
  encoded(api.DescribeNamespaceResponse, {
    namespaceInfo: {
      name: namespace,
      state: temporal.api.enums.v1.NamespaceState.NAMESPACE_STATE_REGISTERED,
    },
    isGlobalNamespace: false,
  });

export const workerHeartbeat: CallRule = () => encoded(api.RecordWorkerHeartbeatResponse, {});

/** The polls of the agent end with its connection. */
export const shutdownWorker: CallRule = () => encoded(api.ShutdownWorkerResponse, {});
