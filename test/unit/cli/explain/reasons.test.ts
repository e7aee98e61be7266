// Every reason that exists has words, a remedy, and a command that helps.
import { BUNDLE_REASONS } from '../../../../crds/bundle/status.ts';
import { HUB_REASONS, SITE_REASONS } from '../../../../crds/capp/conditions.ts';
import { SET_REASONS, SET_SITE_REASONS } from '../../../../crds/set/status.ts';
import { HOLD_REASONS } from '../../../../crds/rollout/stages.ts';
import { LEAVE_REASONS } from '../../../../workflows/types/leave-reasons.ts';
import { commandFor, type Advice } from '../../../../cli/explain/reasons/advice.ts';
import { EXCLUSIONS } from '../../../../cli/explain/reasons/choice.ts';
import {
  adviceFor,
  bundleAdvice,
  exclusionAdvice,
  leaveAdvice,
  setAdvice,
  setSiteAdvice,
} from '../../../../cli/explain/reasons/find.ts';
import { programFor } from '../../../../cli/program.ts';
import { aTerminal } from '../../../support/builders/process/terminals.ts';

const CAPP = { namespace: 'team-a', name: 'hello', site: 'site-1' };
const { root } = programFor('kubectl capp', aTerminal().terminal);
const commands = new Set(
  root.commands.flatMap((command) => [
    command.name(),
    ...command.commands.map((verb) => `${command.name()} ${verb.name()}`),
  ]),
);

const all: [string, Advice][] = [
  ...[...HUB_REASONS, ...SITE_REASONS].map((reason): [string, Advice] => [reason, adviceFor(reason)]),
  ...LEAVE_REASONS.map((reason): [string, Advice] => [`left: ${reason}`, leaveAdvice(reason)]),
  ...[...SET_REASONS, ...HOLD_REASONS].map((reason): [string, Advice] => [
    `set: ${reason}`,
    setAdvice(reason),
  ]),
  ...SET_SITE_REASONS.map((reason): [string, Advice] => [
    `site of a set: ${reason}`,
    setSiteAdvice(reason) ?? adviceFor(''),
  ]),
  ...BUNDLE_REASONS.map((reason): [string, Advice] => [`Bundle: ${reason}`, bundleAdvice(reason)]),
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
    const [, , name = '', verb = ''] = command.split(' ');
    expect(commands).toContain(name === 'rollout' ? `${name} ${verb}` : name);
  },
);

test('a reason of another version is not taken for one of ours', () => {
  for (const reason of ['Sunspots', 'toString', 'constructor', '']) {
    for (const advice of [adviceFor(reason), setAdvice(reason), bundleAdvice(reason)])
      expect(advice.words).toBe('This version of the program does not know this reason.');
    expect(setSiteAdvice(reason)).toBeNull();
  }
});

test('of a Bundle, whose checks are Jobs, no app is asked to be enabled', () => {
  const { words, remedy } = bundleAdvice('Unproven');
  expect(words).toContain('of a CappSet, its checks have no app');
  expect(remedy).toContain('enable the app of a CappSet');
});

test('a command without a site asks for one', () => {
  expect(commandFor(adviceFor('Rejected'), { ...CAPP, site: null })).toBe(
    'kubectl -n <site> describe manifestwork',
  );
});
