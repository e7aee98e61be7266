// `make down`: stops all of the stack; with CLEAN=1 its data goes too.
import { runCommand } from './command.ts';
import { duration } from './progress.ts';
import { forgetStack, stopStack } from './stop-stack.ts';

const dir = process.env['STATE'] || '.local';

await runCommand(async (progress) => {
  const startedAt = Date.now();
  const count = await progress.step('Stopping the stack', (note) => stopStack(dir, note));
  const seconds = duration((Date.now() - startedAt) / 1000);
  progress.say(count === 0 ? `Nothing of ${dir} was running.` : `Stopped ${count} ${count === 1 ? 'process' : 'processes'} in ${seconds}.`);
  if ((process.env['CLEAN'] ?? '') === '') return;
  await forgetStack(dir);
  progress.say(`Forgot the data in ${dir}.`);
});
