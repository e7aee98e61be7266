// `kubectl capp` beside a hub that answers what a test says: one hub for each test.
import { run } from '../../../../cli/program.ts';
import { aTerminal } from '../../builders/process/terminals.ts';
import { startStandInHub, type StandInHub } from './stand-in-hub.ts';

/**
 * Starts a hub for each test of a file, with the Capps shop-a and shop-b, and gives it away. No promise may
 * be rejected without somebody who hears it. Call it once, at the top.
 */
export function besideStandInHub(use: (hub: StandInHub) => void): void {
  let hub: StandInHub;
  const rejections: unknown[] = [];
  const onRejection = (error: unknown): void => void rejections.push(error);
  beforeAll(() => void process.on('unhandledRejection', onRejection));
  afterAll(() => void process.off('unhandledRejection', onRejection));
  beforeEach(async () => {
    rejections.length = 0;
    hub = await startStandInHub();
    hub.members = ['shop-a', 'shop-b'];
    use(hub);
  });
  afterEach(async () => {
    await hub.stop();
    expect(rejections).toEqual([]);
  });
}

/** Runs the command with these arguments. What it says comes into `out` and `notes` as it says it. */
export function cappBeside({ kubeconfig }: StandInHub, args: readonly string[]) {
  const { terminal, out, notes } = aTerminal();
  const interruption = new AbortController();
  const ended = run(
    { args: [...args, '--kubeconfig', kubeconfig], name: 'kubectl capp', version: 'test' },
    { ...terminal, interrupted: interruption.signal },
  );
  return { out, notes, ended, interrupt: () => interruption.abort() };
}
