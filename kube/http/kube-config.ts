// The client library's KubeConfig without its models of every Kubernetes object, which would cost memory in
// each process: see decision 18.
import { registerHooks, type LoadHookSync } from 'node:module';

const MODELS = '/@kubernetes/client-node/dist/gen/index.js';
/** All that KubeConfig itself imports from there. */
const NEEDED = `export { createConfiguration } from './configuration.js';\nexport { ServerConfiguration } from './servers.js';\n`;

const load: LoadHookSync = (url, context, next) =>
  url.endsWith(MODELS) ? { format: 'module', source: NEEDED, shortCircuit: true } : next(url, context);

const hooks = registerHooks({ load });
/** As the library has it: contexts, clusters, users, exec plugins, tokens and certificates. */
export const { KubeConfig } = await import('@kubernetes/client-node/dist/config.js');
hooks.deregister();
