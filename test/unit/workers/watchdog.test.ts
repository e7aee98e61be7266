// The watchdog reports calls that never return, and not those that return or fail.
import { withWatchdog } from '../../../workers/hub/workflow-worker.ts';
import { eventually } from '../../../testbed/eventually.ts';

class Oracle {
  readonly #word = 'yes';
  readonly name = 'one';
  asked = 0;

  async soon(): Promise<string> {
    this.asked += 1;
    return this.#word;
  }

  async fails(): Promise<never> {
    throw new Error('no');
  }

  at(times: number): number {
    return this.asked * times;
  }

  never(): Promise<void> {
    return new Promise(() => undefined);
  }
}

test('only a call that never returns is reported as late, and the watched object behaves as before', async () => {
  let late = 0;
  const oracle = withWatchdog(20, new Oracle(), () => (late += 1));
  expect([await oracle.soon(), oracle.at(2), oracle.name]).toEqual(['yes', 2, 'one']);
  await expect(oracle.fails()).rejects.toThrow('no');
  void oracle.never();
  await eventually(() => (late > 0 ? true : undefined));
  void oracle.never();
  await eventually(() => (late > 1 ? true : undefined));
  expect(late).toBe(2);
});
