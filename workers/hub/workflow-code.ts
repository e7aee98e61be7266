// What workers load workflows from: their source, the modules that all of them share, and the payload
// converter.
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

const source = (file: string): string => fileURLToPath(new URL(`../../workflows/${file}`, import.meta.url));

export const workflowsPath = source('index.ts');

/** Only in the bundle: activities are called by our own workflows. */
export const payloadConverterPath = source('parse/payload-converter.ts');

/** Loaded once for all workflows, because no module keeps state: see decision 19. */
export const preloadModules = ['@temporalio/workflow', workflowsPath];

/** Takes paths of interceptors, for tests. Throws what the bundler throws, such as for a forbidden import. */
export function bundleWorkflows(interceptors: readonly string[] = []): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({
    workflowsPath,
    payloadConverterPath,
    preloadModules,
    workflowInterceptorModules: [...interceptors],
    logger: new DefaultLogger('WARN'),
  });
}
