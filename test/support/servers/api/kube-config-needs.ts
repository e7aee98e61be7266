// All that the library's KubeConfig needs of its index of models, which would cost each file of tests a third
// of a second of a processor: what kube/http/kube-config.ts does with a module hook.
export { createConfiguration } from '@kubernetes/client-node/dist/gen/configuration.js';
export { ServerConfiguration } from '@kubernetes/client-node/dist/gen/servers.js';
