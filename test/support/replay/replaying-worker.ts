// Temporal's worker for replays. It runs workflows in this thread, and leaves a hook for every promise of the
// process and another way of writing stack traces: "this method is not called anywhere", says its
// `uninstall`. Jest runs further files in the same process, whose promises the hook does not understand.
import { Worker } from '@temporalio/worker';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';

afterAll(() => globalHandlers.uninstall());

export { Worker };
