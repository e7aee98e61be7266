// Every reason that exists has words, a remedy, and a command that helps.
import { HUB_REASONS, SITE_REASONS } from '../../../crds/capp/conditions.ts';
import { LEAVE_REASONS } from '../../../workflows/types/moves.ts';
import { commandFor, type Advice } from '../../../cli/explain/advice.ts';
import { EXCLUSIONS } from '../../../cli/explain/choice-reasons.ts';
import { adviceFor, exclusionAdvice, leaveAdvice } from '../../../cli/explain/reasons.ts';
import { programFor } from '../../../cli/program.ts';
import { aTerminal } from '../../support/builders/terminals.ts';

const CAPP = { namespace: 'team-a', name: 'hello', site: 'site-1' };
const commands = new Set(
  programFor('kubectl capp', aTerminal().terminal).root.commands.map((command) => command.name()),
);

const all: [string, Advice][] = [
  ...[...HUB_REASONS, ...SITE_REASONS].map((reason): [string, Advice] => [reason, adviceFor(reason)]),
  ...LEAVE_REASONS.map((reason): [string, Advice] => [`left: ${reason}`, leaveAdvice(reason)]),
  ...Object.keys(EXCLUSIONS).map((reason): [string, Advice] => [
    `excluded: ${reason}`,
    exclusionAdvice(reason),
  ]),
];

test.each(all)('%s has words, a remedy in a sentence, and a command that can be typed', (_, advice) => {
  expect(advice.words).not.toMatch(/does not know this reason|was left out$/);
  expect(advice.words.length).toBeGreaterThan(10);
  expect(advice.remedy).toMatch(/^[A-Z].+\.$/);
  const command = commandFor(advice, CAPP);
  expect(command).toMatch(/^kubectl /);
  expect(command).not.toMatch(/\{(?:namespace|name|site)\}|undefined|null/);
});

test.each(all.filter(([, { command }]) => command.startsWith('kubectl capp ')))(
  'the command that helps with %s is one of the program',
  (_, { command }) => {
    expect(commands).toContain(command.split(' ')[2]);
  },
);

test('a reason of another version is not taken for one of ours', () => {
  for (const reason of ['Sunspots', 'toString', 'constructor', ''])
    expect(adviceFor(reason).words).toBe('This version of the program does not know this reason.');
});

test('a command without a site asks for one', () => {
  expect(commandFor(adviceFor('Rejected'), { ...CAPP, site: null })).toBe(
    'kubectl -n <site> describe manifestwork',
  );
});
