// Somebody who knows kubectl, and nothing else, is led on by what they typed.
import { run } from '../../../../cli/program.ts';
import { aTerminal } from '../../../support/builders/process/terminals.ts';

async function typed(...args: string[]) {
  const { terminal, out, notes } = aTerminal();
  const code = await run({ args, name: 'kubectl capp', version: '1.2' }, terminal);
  return { code, out: out.join('\n'), err: notes.join('\n') };
}

test.each([
  ['get hello', /^unknown command 'get': list shows Capps/],
  ['describe hello', /^unknown command 'describe': why <capp>/],
  ['status hello', /: why <capp> says how one is, and rollout status <set>/],
  ['approve shop', /: rollout approve <set>$/],
  ['restart hello', /^unknown command 'restart': a new value of a variable starts new Pods: set env <capp>/],
  ['-n team-a delete hello', /^unknown command 'delete': kubectl delete capp <name> does that$/],
  ['rollout restart shop', /^unknown command 'restart': a new value .+ kubectl edit cappset <set>/],
  ['rollout describe shop', /^unknown command 'describe': rollout status <set>/],
  ['rollout delete shop', /^unknown command 'delete': --help lists the commands$/],
  ['create delete shop', /^unknown command 'delete': --help lists the commands$/],
  ['constructor', /^unknown command 'constructor': --help lists the commands$/],
  ['rollout foo', /^unknown command 'foo': --help lists the commands$/],
  ['lst', /^unknown command 'lst': did you mean one of list, ls\?$/],
  ['list --watc', /^unknown option '--watc': did you mean --watch\?$/],
  ['list --foo', /^unknown option '--foo': --help says what the command takes$/],
  ['list hello', /^too many arguments for 'list'.+: --help says what the command takes$/],
  ['why', /^missing required argument 'capp': --help says what the command takes$/],
  ['list --request-timeout 0', /Write 5s or 1m\.$/],
  ['list --request-timeout 5x', /Write 5s or 1m\.$/],
])('%s is answered with what helps, in one sentence', async (line, answer) => {
  expect(await typed(...line.split(' '))).toEqual({ code: 2, out: '', err: expect.stringMatching(answer) });
});

test.each(['list', 'wait', 'move', 'sites'])(
  'the help of %s shows defaults as people write them, and none that says nothing',
  async (command) => {
    const { out } = await typed(command, '--help');
    expect(out).not.toMatch(/default: (?:\[\]|\d{4,})/);
  },
);

test('help says how long a command waits', async () => {
  expect((await typed('wait', '--help')).out).toMatch(/\(default:\s+10m\)/);
});
