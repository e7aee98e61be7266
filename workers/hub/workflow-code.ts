// What workers run workflows from: their source, which of its modules all of them share, and how what is said to them is decoded.
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

const source = (file: string): string => fileURLToPath(new URL(`../../workflows/${file}`, import.meta.url));

export const workflowsPath = source('index.ts');

/** Within the bundle, where alone it is needed: activities are called by our own workflows. */
export const payloadConverterPath = source('parse/payload-converter.ts');

/** Loaded once for all workflows, not for each anew, since none of them keeps anything: see decision 19. */
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
