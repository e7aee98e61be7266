// After the flow tests: their Temporal server goes, and its data with it.
import './setup.ts';

// oxlint-disable-next-line import/no-default-export -- Jest takes nothing else
export default async function tearDown(): Promise<void> {
  await globalThis.flowServer?.stop();
}
