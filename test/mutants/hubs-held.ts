// Faults in how a data directory is one command's alone.
import type { Mutant } from './mutant.ts';

const LOCK = { seenBy: ['test/unit/local/lock.test.ts'], file: 'deploy/local/supervise/lock.ts' };
const HELD = {
  seenBy: ['test/unit/deploy/hub/held-directory.test.ts'],
  file: 'deploy/hub/data-directory.ts',
  inside: 'checkedAlone',
};

export const HUBS_HELD: readonly Mutant[] = [
  {
    ...LOCK,
    breaks: 'two hubs start in one directory, by two paths that lead there',
    inside: 'namesOf',
    text: 'id === null ? []',
    becomes: 'id !== null ? []',
  },
  {
    ...LOCK,
    breaks: 'a hub does not start since one ran in a directory that was deleted',
    inside: 'openedFolder',
    text: 'close: () => closeSync(file)',
    becomes: 'close: closeSync(file) ?? (() => undefined)',
  },
  {
    ...LOCK,
    breaks: 'a hub starts beside one that an earlier version has started',
    inside: 'namesOf',
    text: '`${what} ${folder}`',
    becomes: '`${what} at ${folder}`',
  },
  {
    ...LOCK,
    breaks: 'two joins that begin where nothing is, by two paths, both run',
    inside: 'acquireMade',
    text: '  await held.release();\n  return acquire({ what, folder });',
    becomes: '  return held;',
  },
  {
    ...HELD,
    breaks: 'two hubs that make one directory at one moment, by two paths, both start',
    text: 'await theOne(asked, acquireMade(asked, lock));',
    becomes: 'await acquireMade(asked, lock);',
  },
  {
    ...HELD,
    breaks: 'a hub starts over what another one has made meanwhile',
    text: 'return check();',
    becomes: 'return checked;',
  },
  {
    ...HELD,
    breaks: 'a start that is refused leaves a directory',
    text: 'const lock = await theOne(asked, acquire(asked));',
    becomes:
      'mkdirSync(asked.folder, { recursive: true });\n  const lock = await theOne(asked, acquire(asked));',
  },
  {
    breaks: 'a second join by another path ends the agent of the first',
    seenBy: ['test/activity/hub-command/join.test.ts'],
    file: 'deploy/join/join.ts',
    inside: 'joinHub',
    text: 'await hold();',
    becomes: '',
  },
  {
    breaks: 'a hub that two paths lead to is listed twice',
    seenBy: ['test/unit/deploy/hub/hubs/look.test.ts'],
    file: 'deploy/hub/hubs/look.ts',
    inside: 'onePathEach',
    text: 'folderId(directory) ?? directory',
    becomes: 'directory',
  },
  {
    breaks: 'processes of a hub are not found by another path to its directory',
    seenBy: ['test/activity/hub-command/interrupted.test.ts'],
    file: 'deploy/local/supervise/stack-processes.ts',
    inside: 'readStackProcess',
    text: 'folder !== dir && (id === null || valueOf(FOLDER, lines) !== id)',
    becomes: 'folder !== dir',
  },
];
