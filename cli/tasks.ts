// What people come for, and the command that does it: shown under the help of the program.

/** A question or an aim in the words of who has it, and what stands behind the program's name. */
export const TASKS: readonly (readonly [string, string])[] = [
  ['Why is my app stuck, and what would help?', 'why <capp>'],
  ['Where was it last week, and who changed it?', 'history <capp>'],
  ['Is it coming?', 'watch <capp>'],
  ['What does it write?', 'logs <capp> -f'],
  ['Where are its Pods, and what do they use?', 'pods <capp>, top <capp>'],
  ['I want a shell, or kubectl on its site.', 'kubeconfig <site>'],
  ['Run a new image.', 'set image <capp> <image>'],
  ['What would my edit of a set or a Bundle change?', 'rollout plan -f <file>'],
  ['How far is a rollout, and what holds it?', 'rollout status <set>'],
  ['Approve its next stage.', 'rollout approve <set>'],
  ['Go back to what ran before.', 'rollback <capp>, rollout undo <set>'],
  ['Run it on another site.', 'move <capp> <site>'],
  ['What would a drain of a site do? And its loss?', 'plan <site>, plan --lost <site>'],
  ['Empty a site, and see how far that is.', 'drain <site>'],
  ['A site is gone for good: give up what was there.', 'abandon <capp> <site>'],
  ['Is the hub itself in order?', 'doctor'],
];

/** Two columns, as commander has its commands. */
export function tasksText(): string {
  const width = Math.max(...TASKS.map(([aim]) => aim.length)) + 2;
  return [
    'What do you want?',
    ...TASKS.map(([aim, command]) => `  ${aim.padEnd(width)}${command}`),
    '',
    'A set is a CappSet or a Bundle by its name, or bundle/<name> where both have it. A Capp is deleted as any object: kubectl delete capp <name>.',
  ].join('\n');
}
