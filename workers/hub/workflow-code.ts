// What workers load workflows from: their source, the modules that all of them share, and the payload
// converter.
import { fileURLToPath } from 'node:url';
import {
  bundleWorkflowCode,
  DefaultLogger,
  type WorkerOptions,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';
import { EARLIER_WORKFLOWS } from '../../workflows/names.ts';

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

/**
 * What still runs of workflow types of earlier versions has a history that nothing follows any more: it fails
 * with its next task, and does nothing. See decision 10.
 */
export const EARLIER_FAIL: NonNullable<WorkerOptions['workflowFailureErrorTypes']> = {
  '*': [],
  ...Object.fromEntries(EARLIER_WORKFLOWS.map((type) => [type, ['NondeterminismError']])),
};
