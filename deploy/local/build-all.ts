// `make tools`: builds the programs of the local stack and nothing else.
import { buildTools } from './programs/build.ts';
import { runCommand } from './command.ts';
import { cacheRoot } from './programs/tools.ts';

await runCommand(async (progress) => {
  await buildTools(progress);
  progress.say(`All programs are in ${cacheRoot()}.`);
});
