// Stops the Temporal server of the flow tests, and deletes its data.
import './setup.ts';

// oxlint-disable-next-line import/no-default-export -- Jest takes nothing else
export default async function tearDown(): Promise<void> {
  await globalThis.flowServer?.stop();
}
