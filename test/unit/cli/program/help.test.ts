// A new user has nothing but --help: what people come for is named there, by commands that there are.
import { programFor, run } from '../../../../cli/program.ts';
import { TASKS } from '../../../../cli/tasks.ts';
import { aTerminal } from '../../../support/builders/process/terminals.ts';

async function help(...args: string[]): Promise<string> {
  const { terminal, out } = aTerminal();
  expect(await run({ args: [...args, '--help'], name: 'kubectl capp', version: 'test' }, terminal)).toBe(0);
  return out.join('\n');
}

const commands = TASKS.flatMap(([aim, command]) => command.split(', ').map((one) => [aim, one] as const));

test.each(commands)('%s: %s is a command with these arguments and flags', async (_aim, text) => {
  const words = text.split(' ');
  let [command] = [programFor('kubectl capp', aTerminal().terminal).root];
  while (command.commands.length > 0) {
    const next = command.commands.find((one) => one.name() === words[0]);
    if (next === undefined) throw new Error(`There is no command ${words[0]}`);
    command = next;
    words.shift();
  }
  const flags = words.filter((word) => word.startsWith('-'));
  for (const flag of flags)
    expect(command.options.flatMap(({ short, long }) => [short, long])).toContain(flag);
  const valued = command.options.some(
    ({ short, long, required }) => required && flags.includes(short ?? long ?? ''),
  );
  const given =
    words.filter((word) => word.startsWith('<')).length - (valued || flags.includes('--lost') ? 1 : 0);
  const required = command.registeredArguments.filter((one) => one.required).length;
  expect(given).toBeGreaterThanOrEqual(required);
  expect(given).toBeLessThanOrEqual(command.registeredArguments.length);
  expect(await help()).toContain(text);
});

test.each([
  ['why', /stuck.*would help/s],
  ['history', /where a Capp was.*by\s+whom/s],
  ['plan', /a drain, a loss, a taint/],
  ['rollout', /approve.*undo/s],
  ['rollback', /go back/],
  ['logs', /what a Capp writes/],
  ['top', /CPU and memory/],
  ['kubeconfig', /an account of your own there/],
])('the list of commands says what %s is for, in words that people look for', async (name, words) => {
  const all = await help();
  const [, rest = ''] = all.split(new RegExp(`^  ${name} `, 'm'));
  const [own = ''] = rest.split(/\n {2}\w/);
  expect(own).toMatch(words);
});

test('commands stand under headings, each once, and exit codes at the end', async () => {
  const all = await help();
  const headings = all.split('\n').filter((line) => /^\w.*:$/.test(line));
  expect(headings).toContain('See apps:');
  expect(headings.at(-1)).toBe('Exit codes:');
  for (const { name } of programFor('x', aTerminal().terminal).root.commands.map((one) => ({
    name: one.name(),
  })))
    if (!name.startsWith('__'))
      expect([name, all.match(new RegExp(`^  ${name}\\b`, 'gm'))?.length]).toEqual([name, 1]);
});
