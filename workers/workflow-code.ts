// What workers run workflows from: their source, and which of its modules all of them share.
import { fileURLToPath } from 'node:url';

export const workflowsPath = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));

/** Loaded once for all workflows, not for each anew, since none of them keeps anything: see decision 19. */
export const preloadModules = ['@temporalio/workflow', workflowsPath];
