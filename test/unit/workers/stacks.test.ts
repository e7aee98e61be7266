// Errors in the thread that runs workflows have no stack; errors in the main thread, where activities run,
// have one.
import { execFileSync } from 'node:child_process';

const STORY = `
import { Worker } from 'node:worker_threads';
import { disableWorkflowStacks } from './workers/process/temporal-worker.ts';
disableWorkflowStacks();
const frames = 'new Error("").stack.split("\\\\n").length - 1';
const other = new Worker('require("node:worker_threads").parentPort.postMessage(' + frames + ')', { eval: true, execArgv: [] });
other.once('message', (there) => console.log(JSON.stringify({ here: eval(frames) > 0, there })));
`;

test('a thread that starts after disableWorkflowStacks creates errors without a stack', () => {
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', STORY], { encoding: 'utf8' });
  expect(JSON.parse(said)).toEqual({ here: true, there: 0 });
});
