// The workflow by which a hub holds its Temporal namespace: its memo says whose the namespace is. It does
// nothing, so it costs nothing.
import { condition, setCurrentDetails } from '@temporalio/workflow';

/** Runs until somebody ends it. Then the namespace is free for the next hub that starts. */
export async function holdNamespace(): Promise<void> {
  setCurrentDetails(
    'This namespace is of the hub that the memo names: no other hub starts here. Terminate this workflow only if that hub is no more.',
  );
  await condition(() => false);
}
